"""Run the projector: `python -m services.resolver.projector`."""

import signal
import sys
import threading

from services.resolver.projector.bootstrap import build
from shared.collection import make_rare
from shared.config import Settings
from shared.health import HealthServer
from shared.starting import start

SERVICE = "projector"


def run(settings: Settings) -> None:
    """Project until SIGTERM or SIGINT."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    projector = build(settings)
    health = HealthServer(
        settings.inner_host, settings.ports[SERVICE], projector.live_fault, projector.ready_fault, projector.remarks
    )
    make_rare()
    try:
        projector.run(stop)
    finally:
        health.close()


if __name__ == "__main__":
    sys.exit(start(SERVICE, run))
