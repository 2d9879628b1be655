"""Run the orders service: `python -m services.orders`."""

from services.orders.app import SERVICE
from services.orders.bootstrap import build
from shared.config import from_environment
from shared.serving import serve


def main() -> None:
    """Serve until SIGTERM."""
    settings = from_environment()
    serve(
        SERVICE,
        lambda: build(settings),
        host=settings.host,
        port=settings.ports[SERVICE],
        workers=settings.workers,
        threads=settings.threads,
        max_body_bytes=settings.max_body_bytes,
    )


if __name__ == "__main__":
    main()
