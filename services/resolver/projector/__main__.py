"""Run the projector: `python -m services.resolver.projector`."""

import signal
import threading

from services.resolver.projector.bootstrap import build
from shared import logs
from shared.config import from_environment
from shared.health import HealthServer

SERVICE = "projector"


def main() -> None:
    """Project until SIGTERM or SIGINT."""
    logs.configure(SERVICE)
    settings = from_environment()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    projector = build(settings)
    health = HealthServer(settings.host, settings.ports[SERVICE], projector.live_fault, projector.ready_fault)
    try:
        projector.run(stop)
    finally:
        health.close()


if __name__ == "__main__":
    main()
