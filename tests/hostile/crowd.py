"""Very many clients in one thread, each with a fixed piece to send at once and another to send bit by bit."""

import re
import resource
import selectors
import socket
import time
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

_PORTION = 65_536
_STATUS = re.compile(rb"HTTP/1\.1 ([1-5][0-9][0-9]) ")


class Visitor:
    """One connection: what it still has to send, what it has received, whether the server has closed it."""

    def __init__(self, sock: socket.socket, first: bytes, drip: bytes, reads: bool) -> None:
        self.sock = sock
        self.to_send = bytearray(first)
        self.drip = bytearray(drip)
        self.reads = reads
        self.received = bytearray()
        self.closed = False

    @property
    def status(self) -> int | None:
        """Status of the last answer so far; None without one."""
        found = _STATUS.findall(self.received)
        return int(found[-1]) if found else None


class Crowd:
    """Visitors of one server. Use as a context manager: all leave at the end."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or 80)
        self._selector = selectors.DefaultSelector()
        self.visitors: list[Visitor] = []

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(self, *_: object) -> None:
        for visitor in self.visitors:
            visitor.sock.close()
        self._selector.close()

    def add(self, first: bytes, drip: bytes = b"", *, reads: bool = True, window: int | None = None) -> Visitor:
        """A visitor who connects now; `window` bounds what the system takes for one that does not read."""
        sock = socket.socket()
        if window is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        sock.setblocking(False)
        sock.connect_ex(self._address)
        visitor = Visitor(sock, first, drip, reads)
        self._selector.register(sock, selectors.EVENT_READ | selectors.EVENT_WRITE, visitor)
        self.visitors.append(visitor)
        return visitor

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False, drip_every: float = 0.2) -> bool:
        """Let all do their work until something holds; False if it does not within `seconds`."""
        end = time.monotonic() + seconds
        next_drip = time.monotonic() + drip_every
        while not until():
            now = time.monotonic()
            if now >= end:
                return False
            if now >= next_drip:
                self._drip()
                next_drip = now + drip_every
            for key, events in self._selector.select(min(0.05, end - now)):
                self._serve(key.data, events)
        return True

    def open(self) -> int:
        """How many connections the server has not closed."""
        return sum(not visitor.closed for visitor in self.visitors)

    def answered(self, status: int) -> int:
        """How many got an answer of this status."""
        return sum(visitor.status == status for visitor in self.visitors)

    def statuses(self) -> set[int | None]:
        """Every status that somebody got; None for those without an answer."""
        return {visitor.status for visitor in self.visitors}

    def _drip(self) -> None:
        for visitor in self.visitors:
            if visitor.drip and not visitor.to_send and not visitor.closed:
                visitor.to_send.append(visitor.drip.pop(0))
                self._wants(visitor)

    def _serve(self, visitor: Visitor, events: int) -> None:
        try:
            if events & selectors.EVENT_WRITE and visitor.to_send:
                del visitor.to_send[: visitor.sock.send(visitor.to_send[:_PORTION])]
            if events & selectors.EVENT_READ and visitor.reads:
                data = visitor.sock.recv(_PORTION)
                visitor.received += data
                if not data:
                    self._close(visitor)
                    return
        except BlockingIOError:
            return
        except OSError:
            self._close(visitor)
            return
        self._wants(visitor)

    def _wants(self, visitor: Visitor) -> None:
        wanted = selectors.EVENT_READ if visitor.reads else 0
        if visitor.to_send:
            wanted |= selectors.EVENT_WRITE
        if wanted:
            self._watch(visitor, wanted)
        else:
            self._forget(visitor)

    def _watch(self, visitor: Visitor, wanted: int) -> None:
        if visitor.sock.fileno() in self._selector.get_map():
            self._selector.modify(visitor.sock, wanted, visitor)
        else:
            self._selector.register(visitor.sock, wanted, visitor)

    def _forget(self, visitor: Visitor) -> None:
        if visitor.sock.fileno() in self._selector.get_map():
            self._selector.unregister(visitor.sock)

    def _close(self, visitor: Visitor) -> None:
        self._forget(visitor)
        visitor.closed = True


def head(method: str, path: str, *fields: str) -> bytes:
    """The head of a request, without its last line."""
    lines = (f"{method} {path} HTTP/1.1", "Host: localhost", *fields)
    return "".join(f"{line}\r\n" for line in lines).encode()


def whole(method: str, path: str, *fields: str, body: bytes = b"") -> bytes:
    """A whole request with a body of known length."""
    return head(method, path, *fields, *([f"Content-Length: {len(body)}"] if body else [])) + b"\r\n" + body


def allow_open_files(count: int) -> None:
    """Let this process hold so many files. Raises ValueError where the system does not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def each(crowd: Crowd, count: int, first: bytes, drip: bytes = b"") -> Iterable[Visitor]:
    """Add `count` visitors who all do the same."""
    return [crowd.add(first, drip) for _ in range(count)]
