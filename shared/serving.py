"""Runs a Flask app under gunicorn: threads in workers, every client made after the fork."""

from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from shared import logs


class _Server(BaseApplication):
    """gunicorn with settings from code; `build` runs in each worker."""

    def __init__(self, build: Callable[[], Flask], options: dict[str, object]) -> None:
        self._build = build
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for key, value in self._options.items():
            self.cfg.set(key, value)

    def load(self) -> Any:
        return self._build()


def serve(
    service: str, build: Callable[[], Flask], *, host: str, port: int, workers: int, threads: int, keep_alive: int = 30
) -> None:
    """Serve until SIGTERM. `threads` requests a worker run at once; more wait in the listen queue."""
    logs.configure(service)
    _Server(
        build,
        {
            "bind": f"{host}:{port}",
            "workers": workers,
            "threads": threads,
            "worker_class": "gthread",
            "worker_connections": 2000,
            "keepalive": keep_alive,
            "timeout": 60,
            "graceful_timeout": 5,
            "limit_request_fields": 50,
            "limit_request_field_size": 8190,
            "limit_request_line": 4094,
            "loglevel": "warning",
            "proc_name": f"warledger-{service}",
        },
    ).run()
