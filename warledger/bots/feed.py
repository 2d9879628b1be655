"""The stream of a game as a bot follows it: server-sent events over HTTP, taken up again where they broke off."""

from collections.abc import Iterator
from contextlib import suppress

import urllib3

from warledger.api import Answer, Client, Refused

_READ_SECONDS = 40.0
"""Longer than the server lets pass without a sign of life."""
_PIECE = 1024


class Feed:
    """Events of a game for one player, from the moment it is opened."""

    def __init__(self, client: Client, game: str) -> None:
        self._client = client
        self._path = f"/games/{game}/stream"
        self._last: str | None = None
        """Id of the last event that arrived."""
        self._pool = urllib3.PoolManager(retries=False, timeout=urllib3.Timeout(connect=5, read=_READ_SECONDS))
        self._answer: urllib3.BaseHTTPResponse | None = None
        self._events: Iterator[str] = iter(())

    def open(self) -> None:
        """Go on behind the last event, or begin with what happens next. Raises Refused, urllib3's HTTPError."""
        self.close()
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {self._client.token}"}
        if self._last is not None:
            headers["Last-Event-ID"] = self._last
        address = self._client.url + self._path
        for _ in range(2):  # the address answers with that of the instance that serves streams
            answer = self._pool.request("GET", address, headers=headers, redirect=False, preload_content=False)
            if answer.status != 307:
                break
            address = answer.headers["Location"]
            answer.release_conn()
        if answer.status != 200:
            raise Refused(Answer(answer.status, dict(answer.headers), answer.read().decode(errors="replace")))
        self._answer = answer
        self._events = self._read(answer)
        next(self._events)  # `opened`: everything from now on will be told

    def next(self) -> str | None:
        """The type of the next event; None if the stream broke off, which `open` mends."""
        with suppress(urllib3.exceptions.HTTPError, StopIteration):
            return next(self._events)
        return None

    def _read(self, answer: urllib3.BaseHTTPResponse) -> Iterator[str]:
        told = b""
        while piece := answer.read1(_PIECE):
            *whole, told = (told + piece).split(b"\n\n")
            for block in whole:
                fields = dict(line.split(": ", 1) for line in block.decode().splitlines() if not line.startswith(":"))
                self._last = fields.get("id", self._last)
                if "event" in fields:
                    yield fields["event"]

    def close(self) -> None:
        if self._answer is not None:
            self._answer.close()
            self._answer = None
