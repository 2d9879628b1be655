"""Run the resolver: `python -m services.resolver`."""

import signal
import threading

from services.resolver.bootstrap import build
from shared import logs
from shared.config import from_environment
from shared.health import HealthServer

SERVICE = "resolver"


def main() -> None:
    """Judge until SIGTERM or SIGINT."""
    logs.configure(SERVICE)
    settings = from_environment()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    resolver = build(settings)
    health = HealthServer(settings.host, settings.ports[SERVICE], resolver.live_fault, resolver.ready_fault)
    try:
        resolver.run(stop)
    finally:
        health.close()


if __name__ == "__main__":
    main()
