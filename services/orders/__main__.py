"""Run the orders service: `python -m services.orders`."""

import sys

from services.orders.app import SERVICE
from services.orders.bootstrap import build
from shared.config import Settings
from shared.log import TICKS
from shared.serving import serve
from shared.starting import start


def run(settings: Settings) -> None:
    """Serve until SIGTERM. Raises ConfigError for a missing key."""
    settings.check_keys(SERVICE, TICKS, "salt", "calls")
    serve(
        SERVICE,
        lambda: build(settings),
        host=settings.inner_host,
        port=settings.ports[SERVICE],
        workers=settings.workers,
        threads=settings.threads,
        max_body_bytes=settings.max_body_bytes,
    )


if __name__ == "__main__":
    sys.exit(start(SERVICE, run))
