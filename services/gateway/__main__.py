"""Run the gateway: `python -m services.gateway`; with WARLEDGER_ROLE=streams its streams instance."""

import os

from services.gateway.bootstrap import STREAMS, build
from shared.config import from_environment
from shared.serving import serve

_SPARE_THREADS = 16
"""Threads of the streams instance that refuse what is beyond its limit, and answer everything else."""


def main() -> None:
    """Serve until SIGTERM."""
    settings = from_environment()
    role = os.environ.get("WARLEDGER_ROLE", "gateway")
    streams = role == STREAMS
    serve(
        role,
        lambda: build(settings, role),
        host=settings.host,
        port=settings.ports[role],
        workers=1 if streams else settings.workers,
        threads=settings.max_streams + _SPARE_THREADS if streams else settings.threads,
        max_body_bytes=settings.max_body_bytes,
    )


if __name__ == "__main__":
    main()
