"""The processes of one installation: started, watched, restarted when they die, stopped in reverse order."""

import contextlib
import ctypes
import fcntl
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from shared.config import SERVICES, Settings

MODULES: Mapping[str, str] = {
    "gateway": "services.gateway",
    "streams": "services.gateway",
    "orders": "services.orders",
    "polls": "services.polls",
    "economy": "services.economy",
    "resolver": "services.resolver",
    "projector": "services.resolver.projector",
}
_PR_SET_PDEATHSIG = 1
_SLOWEST_RESTART = 10.0
_STARTS = 3
"""Ends without having been ready once, after which a process is not expected to be any more."""


class CannotStart(RuntimeError):
    """Something else runs where this installation is to run; the message says what to change."""


@dataclass(slots=True)
class _Child:
    name: str
    process: subprocess.Popen[bytes]
    started: float
    deaths: int = 0
    restart_at: float | None = None
    served: bool = False
    """Whether it was ready once."""


@dataclass(slots=True)
class Supervisor:
    """Runs every service of an installation as a child process with its log in a file."""

    settings: Settings
    environment: Mapping[str, str]
    logs: Path
    report: Callable[[str], None]
    modules: Mapping[str, str] = field(default_factory=lambda: MODULES)
    children: dict[str, _Child] = field(default_factory=dict)
    lock: IO[str] | None = None

    def start(self) -> None:
        """Start every service; returns at once. Raises CannotStart, and starts nothing, where another runs already."""
        self.logs.mkdir(parents=True, exist_ok=True)
        self._lock_installation()
        self._check_ports()
        for name in SERVICES:
            self.children[name] = _Child(name, self._spawn(name), time.monotonic())

    def _lock_installation(self) -> None:
        """One supervisor an installation: its lock is gone with its process, however that ends."""
        self.lock = (self.logs / "supervisor.lock").open("w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotStart(f"the installation in {self.logs.parent} is running already") from None

    def _check_ports(self) -> None:
        for name in SERVICES:
            place = urlsplit(self.settings.local_url(name))
            with socket.socket(socket.AF_INET6 if ":" in str(place.hostname) else socket.AF_INET) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((place.hostname, place.port))
                except OSError as error:
                    said = f"{place.netloc} for {name}: {error.strerror}"
                    raise CannotStart(f"{said}; set WARLEDGER_{name.upper()}_PORT to another port") from None

    def _last_words(self, name: str) -> str:
        """The last line that a service wrote, and where more is."""
        path = self.logs / f"{name}.log"
        written = path.read_text(errors="replace").rstrip().rpartition("\n")[2]
        return f"{written[-300:]} ({path})" if written else str(path)

    def _spawn(self, name: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **self.environment, "WARLEDGER_ROLE": name}
        with (self.logs / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", self.modules[name]],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - the supervisor has no thread of its own
            )

    def ready(self, within: float) -> list[str]:
        """Wait until all are ready; returns the names of those that are not, with what they say."""
        end = time.monotonic() + within
        waiting = dict.fromkeys(SERVICES, "no answer")
        while waiting and time.monotonic() < end:
            for name in list(waiting):
                if self.children[name].process.poll() is not None:
                    return [f"{name} ended with {self.children[name].process.returncode}: {self._last_words(name)}"]
                if (fault := self._fault(name)) is None:
                    del waiting[name]
                else:
                    waiting[name] = fault
            time.sleep(0.02)
        return [f"{name}: {fault}" for name, fault in waiting.items()]

    def faults(self, stopping: Callable[[], bool]) -> list[str]:
        """Ask each service once; the names of those that are not ready, with what they say. `stopping` ends it."""
        found = []
        for name, child in self.children.items():
            if stopping():
                break
            if (fault := self._fault(name)) is None:
                child.served = True
            else:
                found.append(f"{name}: {fault}")
        return found

    def failing(self) -> list[str]:
        """Services that keep ending and were never ready, with their last words; needs `faults` and `watch`."""
        failing = (child for child in self.children.values() if not child.served and child.deaths >= _STARTS)
        return [f"{child.name} keeps ending: {self._last_words(child.name)}" for child in failing]

    def _fault(self, name: str) -> str | None:
        url = f"{self.settings.local_url(name)}/readyz"
        try:
            try:
                with urllib.request.urlopen(url, timeout=1) as answer:
                    return None if answer.status == 200 else str(answer.status)
            except urllib.error.HTTPError as error:
                return error.read().decode(errors="replace").strip()
        except (OSError, http.client.HTTPException) as error:
            return str(error) or type(error).__name__

    def watch(self) -> None:
        """Restart what has died; call every fraction of a second. A process that keeps dying waits longer each time."""
        now = time.monotonic()
        for child in self.children.values():
            status = child.process.poll()
            if status is None:
                if child.deaths and now - child.started > 60:
                    child.deaths = 0
            elif child.restart_at is None:
                _end_group(child.process.pid)
                child.deaths += 1
                pause = min(0.1 * 2 ** (child.deaths - 1), _SLOWEST_RESTART)
                child.restart_at = now + pause
                self.report(f"{child.name} ended with {status}, again in {pause:.1f} s: {self._last_words(child.name)}")
            elif now >= child.restart_at:
                child.process, child.started, child.restart_at = self._spawn(child.name), now, None

    def stop(self, within: float = 8.0) -> None:
        """Ask all to end, the front door first, then kill what is left."""
        for child in self.children.values():
            if child.process.poll() is None:
                child.process.send_signal(signal.SIGTERM)
        end = time.monotonic() + within
        for child in self.children.values():
            try:
                child.process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                _end_group(child.process.pid)
                child.process.wait()
        if self.lock is not None:
            self.lock.close()


def _end_group(leader: int) -> None:
    """End what a process has left behind: a worker that outlives its server holds the port."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _die_with_parent() -> None:
    """On Linux a child gets SIGTERM when the supervisor dies, kill -9 included, so that none is left behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
