"""Run the resolver: `python -m services.resolver`."""

import signal
import sys
import threading

from services.resolver.bootstrap import build
from shared import logs
from shared.config import ConfigError, from_environment
from shared.health import HealthServer

SERVICE = "resolver"


def main() -> int:
    """Judge until SIGTERM or SIGINT; 2 for settings or keys that cannot be used."""
    logs.configure(SERVICE)
    try:
        settings = from_environment()
        resolver = build(settings)
    except ConfigError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    health = HealthServer(
        settings.host, settings.ports[SERVICE], resolver.live_fault, resolver.ready_fault, resolver.remarks
    )
    try:
        resolver.run(stop)
    finally:
        health.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
