"""Run the polls service: `python -m services.polls`."""

from services.polls.app import SERVICE
from services.polls.bootstrap import build
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
