"""Run the gateway: `python -m services.gateway`; with WARLEDGER_ROLE=streams its streams instance."""

import os
import sys

from services.gateway.bootstrap import STREAMS, build
from shared.config import ConfigError, Settings
from shared.serving import serve
from shared.starting import start

GATEWAY = "gateway"
_SPARE_THREADS = 16
"""Threads of the streams instance that refuse what is beyond its limit, and answer everything else."""


def run(settings: Settings) -> None:
    """Serve until SIGTERM. Raises ConfigError for an unknown role or a missing key."""
    role = os.environ.get("WARLEDGER_ROLE", GATEWAY)
    if role not in (GATEWAY, STREAMS):
        raise ConfigError(f"WARLEDGER_ROLE={role!r}: expected {GATEWAY} or {STREAMS}")
    settings.check_keys("calls")
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
    sys.exit(start(os.environ.get("WARLEDGER_ROLE", GATEWAY), run))
