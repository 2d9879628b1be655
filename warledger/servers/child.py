"""A server process of this machine: started, killed, stopped for a while, ended; its output goes to a file."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from warledger.servers import NoServer

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_STARTER = ThreadPoolExecutor(1, "servers")
"""Linux ends a child when the thread that started it ends; this one lasts as long as the process."""


class Child:
    """One process. It ends with the process that made it, kill -9 included, unless it is to outlive it."""

    def __init__(
        self, command: Sequence[str], log: Path, *, environment: Mapping[str, str] | None = None, outlive: bool = False
    ) -> None:
        self.command = list(command)
        self.log = log
        self._environment = {**os.environ, **(environment or {})}
        self._outlive = outlive
        self._process: subprocess.Popen[bytes] | None = None
        self._log_begin = 0

    @property
    def running(self) -> bool:
        """Whether the process is there; a paused one is."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Process id of the last start. Raises RuntimeError before the first."""
        return self._started().pid

    def start(self) -> None:
        """Start the process; returns at once."""
        if self.running:
            raise RuntimeError(f"{self.command[0]} runs already as {self.pid}")
        self._log_begin = self.log.stat().st_size if self.log.exists() else 0
        self._process = _STARTER.submit(self._spawn).result()

    def kill(self) -> None:
        """End it as kill -9 does, and wait until it is gone."""
        process = self._started()
        process.kill()
        process.wait()

    def stop(self, within: float = 15.0) -> None:
        """Ask it to end; kill it after `within` seconds. One that is not running is left alone."""
        if not self.running:
            return
        process = self._started()
        process.terminate()
        process.send_signal(signal.SIGCONT)
        try:
            process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()

    def pause(self) -> None:
        """Stop it as SIGSTOP does: connections stay open, nothing is answered."""
        self._started().send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused process go on."""
        self._started().send_signal(signal.SIGCONT)

    def await_ready(self, ready: Callable[[], bool], within: float) -> None:
        """Poll until it is ready. Raises NoServer with its last words if it ends first, or is not ready in time."""
        end = time.monotonic() + within
        while not ready():
            if not self.running:
                raise NoServer(f"{self.log.stem} ended with {self._started().returncode}: {self.last_words()}")
            if time.monotonic() > end:
                raise NoServer(f"{self.log.stem} was not ready within {within:.0f} seconds: {self.last_words()}")
            time.sleep(0.02)

    def last_words(self) -> str:
        """The last line that it wrote, and where more is."""
        return f"{self._output().rstrip().rpartition(chr(10))[2][-300:]} ({self.log})"

    def said(self, *words: str) -> bool:
        """Whether one of these stands in what it wrote since its last start."""
        text = self._output()
        return any(word in text for word in words)

    def _output(self) -> str:
        if not self.log.exists():
            return ""
        with self.log.open("rb") as log:
            log.seek(self._log_begin)
            return log.read().decode(errors="replace")

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError(f"{self.command[0]} was not started")
        return self._process

    def _spawn(self) -> subprocess.Popen[bytes]:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            return subprocess.Popen(
                self.command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=None if self._outlive or _LIBC is None else _die_with_parent,  # noqa: PLW1509 - imports nothing
            )


def _die_with_parent() -> None:
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def started_at(pid: int) -> str | None:
    """When a process began, as the system tells it; None if it is gone. With the pid it names one process for ever."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return None if fields[0] == "Z" else fields[19]
    if Path("/proc/self/stat").exists():
        return None
    told = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return told.stdout.strip() or None
