"""Runs a Flask app under gunicorn: threads in workers, every client made after the fork."""

import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger
from prometheus_client import multiprocess

from shared.metrics import SHARED_FOLDER
from shared.server.worker import BufferingWorker

MOST_CONNECTIONS = 2000
"""Connections of a worker beside those that its threads work on."""
_OPEN_FILES = 65_536
_OTHER_FILES = 200
"""Files of a process that are no connections of clients."""


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


class _Log(Logger):
    """What gunicorn says, in the form of all other lines."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


def serve(
    service: str,
    build: Callable[[], Flask],
    *,
    host: str,
    port: int,
    workers: int,
    threads: int,
    max_body_bytes: int,
    keep_alive: int = 30,
) -> None:
    """Serve until SIGTERM. `threads` whole requests a worker are answered at once; more wait in line.

    Requests arrive and answers leave without a thread (shared/server/worker.py). Several workers count in one folder.
    """
    folder = _count_together(service) if workers > 1 else None
    connections = min(MOST_CONNECTIONS + threads, max(threads, raise_open_files() - _OTHER_FILES))
    options: dict[str, object] = {
        "bind": f"{host}:{port}",
        "workers": workers,
        "threads": threads,
        "worker_class": type("Worker", (BufferingWorker,), {"most_body": max_body_bytes}),
        "worker_connections": connections,
        "backlog": 4096,
        "keepalive": keep_alive,
        "timeout": 60,
        "graceful_timeout": 5,
        "limit_request_fields": 50,
        "limit_request_field_size": 8190,
        "limit_request_line": 4094,
        "forwarded_allow_ips": "",
        "loglevel": "warning",
        "proc_name": f"warledger-{service}",
        "logger_class": _Log,
        # It would be a way in, and a file below the home of whoever runs the service.
        "control_socket_disable": True,
        "child_exit": _forget if folder is not None else lambda _server, _worker: None,
    }
    try:
        _Server(build, options).run()
    finally:
        if folder is not None and folder.name.endswith(f"-{os.getpid()}"):
            shutil.rmtree(folder, ignore_errors=True)


def _count_together(service: str) -> Path:
    """The folder in which the workers of this process count; without one the process begins again, with it.

    prometheus-client reads the variable once, when it is imported, and that was before the settings were read.
    """
    name = os.environ.get(SHARED_FOLDER, "")
    if not name.endswith(f"-{os.getpid()}"):
        clear_left(service)
        folder = tempfile.mkdtemp(prefix=f"warledger-{service}-", suffix=f"-{os.getpid()}")
        os.execve(sys.executable, sys.orig_argv, {**os.environ, SHARED_FOLDER: folder})
    return Path(name)


def clear_left(service: str) -> None:
    """Remove the folders of this service's processes that were killed; the last part of a name is their process's id.

    One with our own id is of a process before this one: in a container each has the same.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"warledger-{service}-*-*"):
        pid = folder.name.rpartition("-")[2]
        if pid.isdecimal() and (int(pid) == os.getpid() or not _lives(int(pid))):
            shutil.rmtree(folder, ignore_errors=True)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _forget(_server: object, worker: Any) -> None:
    """Take the gauges of a worker that has ended out of the sums."""
    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def raise_open_files() -> int:
    """Allow this process as many open files as it may have; returns how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return wanted if soft == resource.RLIM_INFINITY else soft
