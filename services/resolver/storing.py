"""When the games of a partition are stored, and by whom: a thread writes what the sequencer has encoded.

A game is encoded between two judgements, a third of the work of a small one; for base64, hashes and the store, which
may be slow or away, nobody waits. One snapshot of a partition is under way at a time. Until it is stored its games are
as good as changed: they stay in memory, and a takeover folds them from the snapshot before.
"""

import time
from concurrent.futures import Future
from typing import Any

import structlog

from services.resolver.games import Games
from services.resolver.settings import Pace
from services.resolver.snapshotting import Entry, Snapshots
from services.resolver.timing import SnapshotTimer
from shared.documents import DocumentsUnavailable
from shared.metrics import DOCUMENTS_FAILED

_logger: Any = structlog.get_logger()


class Storing:
    """The snapshots of one partition while it is owned. Used by one thread, that of the sequencer."""

    def __init__(self, games: Games, snapshots: Snapshots, pace: Pace) -> None:
        self._games = games
        self._snapshots = snapshots
        self._timer = SnapshotTimer(pace)
        self._loaded = pace.loaded_games
        self._under_way: Future[list[Entry]] | None = None

    def committed(self, events: int, closes: int, now: int) -> None:
        """So much was committed now."""
        self._timer.committed(events, closes, now)

    def step(self, end: int, now: int) -> None:
        """Begin a snapshot of the journal up to `end` if it is time; a store that is away is asked again later."""
        self._note_stored(now)
        if self._under_way is None and self._games.changed and self._timer.due(now):
            self._begin(end, now)

    def finish(self, end: int, now: int) -> None:
        """Store what has changed, and wait until it is stored or the store has failed."""
        self._note_stored(now, wait=True)
        if self._games.changed:
            self._begin(end, now)
            self._note_stored(now, wait=True)

    def _begin(self, end: int, now: int) -> None:
        began = time.perf_counter()
        games = self._games.taken_to_store(end)
        self._under_way = self._snapshots.save_beside(self._games.partition, end, games)
        self._timer.taken(now, time.perf_counter() - began)

    def _note_stored(self, now: int, *, wait: bool = False) -> None:
        """What became of the snapshot under way. Raises what the store raises, but that it is away."""
        under_way = self._under_way
        if under_way is None or not (wait or under_way.done()):
            return
        self._under_way = None
        try:
            self._games.stored(under_way.result())
        except DocumentsUnavailable as error:
            DOCUMENTS_FAILED.inc()
            _logger.warning("no snapshot", partition=self._games.partition, reason=str(error))
            self._games.not_stored()
            self._timer.failed(now)
            return
        self._games.let_go(self._loaded)
