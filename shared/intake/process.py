"""The process of an intake service: its keys are read before it begins, then its app is served."""

from collections.abc import Callable

from flask import Flask

from shared.config import Settings
from shared.log import TICKS
from shared.serving import serve


def serve_intake(service: str, build: Callable[[Settings], Flask], settings: Settings) -> None:
    """Serve until SIGTERM; `build` makes the app in each worker. Raises ConfigError for a missing key."""
    settings.check_keys(service, TICKS, "salt", "calls")
    serve(
        service,
        lambda: build(settings),
        host=settings.inner_host,
        port=settings.ports[service],
        workers=settings.workers,
        threads=settings.threads,
        max_body_bytes=settings.max_body_bytes,
    )
