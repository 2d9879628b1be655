"""Nudges: an empty word by Unix datagram from who has written to who waits, so that nobody polls fast.

A listener binds one socket file per channel in the folder `nudges` beside the data; who writes sends one datagram to
each. A nudge may be lost, late or needless: waiting ends after a short while without one, so polling alone is correct.
"""

import contextlib
import errno
import os
import select
import socket
import threading
import time
from collections.abc import Iterable
from pathlib import Path

_LONGEST_ADDRESS = 100
"""Bytes of a socket's path that every system takes."""
_SETTLED_NS = 50_000_000
"""A listing is believed while the folder's time stands, if it was made this long after that time."""
_STALE_SECONDS = 1.0


class _Folder:
    """The folder of the sockets. One with a long name is reached through a descriptor, as far as /proc allows it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "nudges"
        self._descriptor: int | None = None

    def address(self, name: str) -> str:
        """The path to bind or to send to. Raises OSError."""
        path = f"{self.path}/{name}"
        if len(os.fsencode(path)) <= _LONGEST_ADDRESS:
            return path
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        return f"/proc/self/fd/{self._descriptor}/{name}"

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class Listener:
    """Waits for nudges on channels of a data folder. Where no socket can be (a read-only disk) it only sleeps."""

    def __init__(self, folder: Path, channels: Iterable[str]) -> None:
        self._sockets: list[tuple[socket.socket, Path]] = []
        self._poll = select.poll()
        place = _Folder(folder)
        for channel in channels:
            with contextlib.suppress(OSError):
                self._bind(place, channel)
        place.close()

    def wait(self, timeout: float) -> bool:
        """Wait at most `timeout` seconds; True if there was a nudge."""
        ready = self._poll.poll(max(0.0, timeout) * 1000)
        if not ready:
            return False
        numbers = {number for number, _ in ready}
        for listening, _ in self._sockets:
            if listening.fileno() in numbers:
                with contextlib.suppress(BlockingIOError):
                    while True:
                        listening.recv(16)
        return True

    def close(self) -> None:
        for listening, path in self._sockets:
            listening.close()
            with contextlib.suppress(OSError):
                path.unlink()
        self._sockets = []
        self._poll = select.poll()

    def _bind(self, place: _Folder, channel: str) -> None:
        place.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"{channel}.{os.getpid()}.{os.urandom(4).hex()}"
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            listening.setblocking(False)
            listening.bind(place.address(name))
        except OSError:
            listening.close()
            raise
        self._sockets.append((listening, place.path / name))
        self._poll.register(listening, select.POLLIN)


class Nudger:
    """Nudges the listeners of one channel, for all threads of one process. Never raises, never waits for a listener."""

    def __init__(self, folder: Path, channel: str) -> None:
        self._channel = channel
        self._place = _Folder(folder)
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._listed_of = -1
        self._names: list[str] = []

    def nudge(self) -> None:
        """Send one datagram to each listener."""
        with self._lock, contextlib.suppress(OSError):
            for name in self._listeners():
                self._send(name)

    def close(self) -> None:
        with self._lock:
            self._place.close()
            self._listed_of = -1
            if self._socket is not None:
                self._socket.close()
                self._socket = None

    def _listeners(self) -> list[str]:
        changed = os.stat(self._place.path).st_mtime_ns
        if changed != self._listed_of:
            listed = time.time_ns()
            self._place.close()
            self._names = [name for name in os.listdir(self._place.path) if name.startswith(f"{self._channel}.")]
            # A listener bound within the same tick of the disk's clock would not change the folder's time.
            self._listed_of = changed if listed - changed > _SETTLED_NS else -1
        return self._names

    def _send(self, name: str) -> None:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
        try:
            self._socket.sendto(b"!", self._place.address(name))
        except OSError as error:
            # A full buffer means that the listener has a nudge waiting; a refusal that its process died.
            path = self._place.path / name
            if error.errno == errno.ECONNREFUSED and time.time() - path.stat().st_mtime > _STALE_SECONDS:
                path.unlink()
