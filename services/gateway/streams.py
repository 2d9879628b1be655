"""Server-sent events: one stream is the feed of a viewer's audiences, its ids count that feed and nothing else."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import orjson

from services.gateway.notices import Notices
from services.gateway.reads import Reads
from services.gateway.streaming_ids import event_id, read_event_id
from services.gateway.tokens import Identity, Tokens
from services.gateway.waiting import HeadWatch
from shared.documents import DocumentsUnavailable
from shared.errors import Problem
from shared.host_events import JUDGEMENTS
from shared.metrics import DOCUMENTS_FAILED, STREAMS_OPEN
from shared.views import FeedEntry, Head

HEARTBEAT_SECONDS = 15.0
TOKEN_SECONDS = 1.0
"""Events go out on a token that was looked up, not from a cache, at most so long before."""
HUNG_UP_SECONDS = 3.0
"""How soon the place of a client that hung up is free again."""
ENTRIES_A_READ = 200
FROM_START = "start"
_JUDGEMENT = ("input", "at", "hash", "code", "rule", "detail", "same")
"""What the sender of an input sees of its judgement: the number of the judgement would tell how much others send."""


_Noticed = tuple[FeedEntry, Mapping[str, Any] | None]
"""An entry of a feed, and the notice that it is, if it is one."""


class Streams:
    """The open streams of this process, at most `most`."""

    def __init__(self, reads: Reads, notices: Notices, watch: HeadWatch[Head], tokens: Tokens, most: int) -> None:
        self._reads = reads
        self._notices = notices
        self._watch = watch
        self._tokens = tokens
        self._places = threading.BoundedSemaphore(most)

    def open(
        self,
        game: str,
        identity: Identity | None,
        last_event_id: str | None,
        hung_up: Callable[[], bool] = lambda: False,
    ) -> Iterator[bytes]:
        """Start a stream after an event, from the `start`, or (None) from now; it ends once the client has `hung_up`.

        Raises Problem `unknown_game`, `malformed`, `too_many_streams`.
        """
        after = self._beginning(game, identity, last_event_id)
        self._take_place()
        return _Stream(self._events(game, identity, after, hung_up), self._places)

    def hold(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """Long lines of output that hold one of the places. Raises Problem `too_many_streams`."""
        self._take_place()
        return _Stream(lines, self._places)

    def _take_place(self) -> None:
        if not self._places.acquire(blocking=False):
            raise Problem(
                "too_many_streams", "too many streams are open here; try again later", headers={"Retry-After": "10"}
            )

    def _beginning(self, game: str, identity: Identity | None, last: str | None) -> dict[str, int]:
        def now(head: Head) -> dict[str, int]:
            counted = self._reads.audience(head, identity).streamed
            return {audience: counts.feed for audience, counts in self._reads.views.counters(head, counted).items()}

        present = self._reads.at_head(game, now)
        if last is None:
            return present
        given = {} if last == FROM_START else read_event_id(last)
        if given is None:
            raise Problem("malformed", "Last-Event-ID must be an id of this stream, or `start` for its beginning")
        return {audience: min(given.get(audience, 0), count) for audience, count in present.items()}

    def _events(
        self, game: str, identity: Identity | None, after: dict[str, int], hung_up: Callable[[], bool]
    ) -> Iterator[bytes]:
        yield b"retry: 2000\nid: " + event_id(after).encode() + b"\nevent: opened\ndata: {}\n\n"
        holds = _Holding(self._tokens, identity)
        operates = identity is not None and identity.role == "operator"
        sent = time.monotonic()
        with self._watch.on(game) as watch:
            while not self._watch.stopping:
                seen = watch.version
                try:
                    entries, after = self._next(game, identity, after)
                except DocumentsUnavailable:
                    DOCUMENTS_FAILED.inc()
                    entries = []
                if entries:
                    if not holds.now(TOKEN_SECONDS):
                        return
                    yield b"".join(_frame(entry, notice, operates) for entry, notice in entries)
                    sent = time.monotonic()
                    continue
                watch.wait(seen, min(HUNG_UP_SECONDS, max(0.0, sent + HEARTBEAT_SECONDS - time.monotonic())))
                if hung_up():
                    return
                if not holds.now(HEARTBEAT_SECONDS - HUNG_UP_SECONDS):
                    return
                if time.monotonic() - sent >= HEARTBEAT_SECONDS:
                    yield b": still here\n\n"
                    sent = time.monotonic()

    def _next(
        self, game: str, identity: Identity | None, after: dict[str, int]
    ) -> tuple[list[_Noticed], dict[str, int]]:
        """The next entries and what the reader has with them; an audience that she lost is not read any more."""

        def answer(head: Head) -> tuple[list[_Noticed], dict[str, int]]:
            audiences = self._reads.audience(head, identity).streamed
            kept = {audience: after.get(audience, 0) for audience in audiences}
            entries = self._reads.views.news(head, audiences, kept, ENTRIES_A_READ)
            notices = iter(self._notices.readable(head, [entry for entry in entries if entry.notice]))
            noticed: list[_Noticed] = [(entry, next(notices) if entry.notice else None) for entry in entries]
            return noticed, dict(entries[-1].after) if entries else kept

        return self._reads.at_head(game, answer)


class _Holding:
    """Whether the reader of a stream still holds the token that opened it. Anonymous readers hold nothing to lose."""

    def __init__(self, tokens: Tokens, identity: Identity | None) -> None:
        self._tokens = tokens
        self._identity = identity
        self._checked = float("-inf")

    def now(self, seconds: float) -> bool:
        """Look it up if that is so long ago; False too if it cannot be looked up."""
        if self._identity is None or time.monotonic() - self._checked < seconds:
            return True
        began = time.monotonic()
        try:
            held = self._tokens.holder(self._identity.token) == self._identity
        except DocumentsUnavailable:
            return False
        self._checked = began
        return held


class _Stream(Iterator[bytes]):
    """An open stream; its place is free again once the server closes it, begun or not."""

    def __init__(self, events: Iterator[bytes], places: threading.BoundedSemaphore) -> None:
        self._events = events
        self._places: threading.BoundedSemaphore | None = places
        STREAMS_OPEN.inc()

    def __next__(self) -> bytes:
        return next(self._events)

    def close(self) -> None:
        """Called by the server at the end, whatever ended it."""
        places, self._places = self._places, None
        if places is not None:
            close = getattr(self._events, "close", None)
            if close:
                close()
            places.release()
            STREAMS_OPEN.dec()


def _frame(entry: FeedEntry, notice: Mapping[str, Any] | None, operates: bool) -> bytes:
    id = b"id: " + event_id(entry.after).encode()
    if notice is not None:
        return id + b"\nevent: notice\ndata: " + orjson.dumps(notice) + b"\n\n"
    data = entry.data
    if entry.type in JUDGEMENTS and not operates:
        data = {name: data[name] for name in _JUDGEMENT if name in data}
    body = {"type": entry.type, "at": entry.at, "data": data}
    if entry.traceparent is not None:
        body["traceparent"] = entry.traceparent
    return id + b"\nevent: " + entry.type.encode() + b"\ndata: " + orjson.dumps(body) + b"\n\n"
