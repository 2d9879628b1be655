"""Kept-alive connections to one service, made at the first call; lean, because every write pays for them."""

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import NamedTuple
from urllib.parse import urlsplit


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
        self._idle: deque[HTTPConnection] = deque()

    def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Send a request that may be received twice: an idle connection may have been closed by the other side.

        Raises Unreached or AnswerLost.
        """
        lost: Exception | None = None
        for again in (False, True):
            try:
                connection = self._connection(fresh=again)
            except OSError as error:
                if lost is None:
                    raise Unreached(str(error)) from None
                break
            try:
                return self._exchange(connection, path, body, headers)
            except (OSError, HTTPException) as error:
                connection.close()
                lost = error
        raise AnswerLost(f"{type(lost).__name__}") from None

    def close(self) -> None:
        """Close what is idle."""
        while self._idle:
            self._idle.pop().close()

    def _connection(self, *, fresh: bool) -> HTTPConnection:
        """An idle connection unless it must be a fresh one: whoever closed one idle connection closed more of them."""
        if not fresh:
            with suppress(IndexError):
                return self._idle.pop()
        made = HTTPConnection(self._host, self._port, timeout=self._connect_seconds)
        made.connect()
        made.sock.settimeout(self._answer_seconds)
        return made

    def _exchange(self, connection: HTTPConnection, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        connection.request("POST", path, body, dict(headers))
        answer = connection.getresponse()
        reply = Reply(answer.status, {name.lower(): item for name, item in answer.getheaders()}, answer.read())
        if answer.will_close:
            connection.close()
        else:
            self._idle.append(connection)
        return reply
