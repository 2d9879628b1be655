"""Kept-alive connections to one service, made at the first call; lean, because every write pays for them."""

import socket
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

_READ = 65_536
_LONGEST_HEAD = 65_536
_HEAD_END = b"\r\n\r\n"


class Unreached(ConnectionError):
    """No connection could be made: nothing was sent."""


class AnswerLost(ConnectionError):
    """It may have been received, but no answer came."""


class Reply(NamedTuple):
    """An answer; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connections:
    """A pool of connections to the service at a base URL, `http://host:port`. Thread-safe."""

    def __init__(self, url: str, *, connect_seconds: float = 1.0, answer_seconds: float = 10.0) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._connect_seconds = connect_seconds
        self._answer_seconds = answer_seconds
        self._idle: deque[socket.socket] = deque()

    def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Send a request that may be received twice: an idle connection may have been closed by the other side.

        The answer must have a Content-Length, as those of our services do. Raises Unreached or AnswerLost.
        """
        lines = [f"POST {path} HTTP/1.1", f"Host: {self._host}:{self._port}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {item}" for name, item in headers.items()]
        request = "\r\n".join((*lines, "", "")).encode("latin-1") + body
        lost: Exception | None = None
        for again in (False, True):
            try:
                connection = self._connection(fresh=again)
            except OSError as error:
                if lost is None:
                    raise Unreached(str(error)) from None
                break
            try:
                return self._exchange(connection, request)
            except (OSError, ValueError) as error:
                connection.close()
                lost = error
        raise AnswerLost(f"{type(lost).__name__}") from None

    def close(self) -> None:
        """Close what is idle."""
        while self._idle:
            self._idle.pop().close()

    def _connection(self, *, fresh: bool) -> socket.socket:
        """An idle connection unless it must be a fresh one: whoever closed one idle connection closed more of them."""
        if not fresh:
            with suppress(IndexError):
                return self._idle.pop()
        made = socket.create_connection((self._host, self._port), self._connect_seconds)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.settimeout(self._answer_seconds)
        return made

    def _exchange(self, connection: socket.socket, request: bytes) -> Reply:
        """Raises OSError, or ValueError for what is no answer of ours."""
        connection.sendall(request)
        data = _received(connection)
        while (end := data.find(_HEAD_END)) < 0:
            if len(data) > _LONGEST_HEAD:
                raise ValueError("the head of an answer does not end")
            data += _received(connection)
        status, headers = _head(data[:end])
        body = data[end + len(_HEAD_END) :]
        length = int(headers["content-length"]) if "content-length" in headers else -1
        while len(body) < length:
            body += _received(connection)
        if len(body) != length:
            raise ValueError("an answer without Content-Length, or longer than it says")
        if headers.get("connection", "").lower() == "close":
            connection.close()
        else:
            self._idle.append(connection)
        return Reply(status, headers, body)


def _received(connection: socket.socket) -> bytes:
    data = connection.recv(_READ)
    if not data:
        raise ConnectionResetError("the connection was closed before the answer was complete")
    return data


def _head(data: bytes) -> tuple[int, dict[str, str]]:
    """Status and headers of an answer."""
    lines = data.decode("latin-1").split("\r\n")
    version, _, rest = lines[0].partition(" ")
    if not version.startswith("HTTP/1."):
        raise ValueError("no HTTP/1 answer")
    fields = (line.partition(":") for line in lines[1:])
    return int(rest[:3]), {name.lower(): item.strip() for name, _, item in fields}
