"""Run the resolver: `python -m services.resolver`."""

import signal
import sys
import threading

from services.resolver.bootstrap import build
from shared.allocation import keep_large_apart
from shared.collection import make_rare
from shared.config import Settings
from shared.health import HealthServer
from shared.starting import start

SERVICE = "resolver"


def run(settings: Settings) -> None:
    """Judge until SIGTERM or SIGINT. Raises ConfigError for a missing key."""
    resolver = build(settings)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    health = HealthServer(
        settings.inner_host, settings.ports[SERVICE], resolver.live_fault, resolver.ready_fault, resolver.remarks
    )
    make_rare()
    keep_large_apart()
    try:
        resolver.run(stop)
    finally:
        health.close()


if __name__ == "__main__":
    sys.exit(start(SERVICE, run))
