"""Nudges: an empty word by Unix datagram from who has written to who waits, so that nobody polls fast.

A listener binds one socket file per channel in the folder `nudges` beside the data; who writes sends one datagram to
each. A nudge may be lost, late or needless: waiting ends after a short while without one, so polling alone is correct.
"""

import contextlib
import errno
import hashlib
import os
import select
import socket
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

_LONGEST_FOLDER = 70
"""A socket's path must fit in about 100 bytes; longer folders get one in the temporary directory."""
_SETTLED_NS = 50_000_000
"""A listing is believed while the folder's time stands, if it was made this long after that time."""
_STALE_SECONDS = 1.0


def socket_folder(folder: Path) -> Path:
    """Where the sockets of this data folder are; the same in every process of this user."""
    real = os.path.realpath(folder)
    path = Path(real) / "nudges"
    if len(os.fsencode(path)) <= _LONGEST_FOLDER:
        return path
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"warledger-{os.getuid()}-{digest}"


class Listener:
    """Waits for nudges on channels of a data folder. Without sockets (read-only disk) it only sleeps."""

    def __init__(self, folder: Path, channels: Iterable[str]) -> None:
        self._sockets: list[tuple[socket.socket, Path]] = []
        self._poll = select.poll()
        place = socket_folder(folder)
        for channel in channels:
            with contextlib.suppress(OSError):
                self._bind(place, channel)

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

    def _bind(self, place: Path, channel: str) -> None:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = place / f"{channel}.{os.getpid()}.{os.urandom(4).hex()}"
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            listening.setblocking(False)
            listening.bind(str(path))
        except OSError:
            listening.close()
            raise
        self._sockets.append((listening, path))
        self._poll.register(listening, select.POLLIN)


class Nudger:
    """Nudges the listeners of one channel. Never raises, never blocks."""

    def __init__(self, folder: Path, channel: str) -> None:
        self._folder = folder
        self._channel = channel
        self._place: str | None = None
        self._socket: socket.socket | None = None
        self._listed_of = -1
        self._paths: list[str] = []

    def nudge(self) -> None:
        """Send one datagram to each listener."""
        with contextlib.suppress(OSError):
            for path in self._listeners():
                self._send(path)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _listeners(self) -> list[str]:
        if self._place is None:
            self._place = str(socket_folder(self._folder))
        changed = os.stat(self._place).st_mtime_ns
        if changed != self._listed_of:
            listed = time.time_ns()
            names = os.listdir(self._place)
            self._paths = [f"{self._place}/{name}" for name in names if name.startswith(f"{self._channel}.")]
            # A listener bound within the same tick of the disk's clock would not change the folder's time.
            self._listed_of = changed if listed - changed > _SETTLED_NS else -1
        return self._paths

    def _send(self, path: str) -> None:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
        try:
            self._socket.sendto(b"!", path)
        except OSError as error:
            # A full buffer means that the listener has a nudge waiting; a refusal that its process died.
            if error.errno == errno.ECONNREFUSED and time.time() - os.stat(path).st_mtime > _STALE_SECONDS:
                os.unlink(path)
