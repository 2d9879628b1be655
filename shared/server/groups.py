"""Requests that may be answered together wait here until a thread takes those that are there."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from shared.server.connection import Connection
from shared.server.exchange import Together

MOST_TOGETHER = 32


class Group(NamedTuple):
    """What one thread is given: whole requests, each with its connection, and when it was."""

    requests: Sequence[tuple[Connection, bytes]]
    begun: float


class Groups:
    """The line of an application; used by the event loop alone."""

    def __init__(self, app: Together, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self._monotonic = monotonic
        self._waiting: list[tuple[Connection, bytes]] = []
        self._begun: list[float] = []
        """When those groups began that a thread works on, the oldest first."""

    def takes(self, connection: Connection, data: bytes) -> bool:
        """Put a request into the line, if it may go with others."""
        if not self.app.may_join(data):
            return False
        self._waiting.append((connection, data))
        return True

    def next(self) -> Group | None:
        """All that came since threads enough are at it; None if nobody waits, or if they are."""
        if not self._waiting or not self._has_room():
            return None
        requests, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
        self._begun.append(self._monotonic())
        return Group(requests, self._begun[-1])

    def done(self, group: Group) -> None:
        """A thread has answered a group."""
        self._begun.remove(group.begun)

    def _has_room(self) -> bool:
        most = self.app.most_groups
        return len(self._begun) < most or self._monotonic() - self._begun[-most] > self.app.patience
