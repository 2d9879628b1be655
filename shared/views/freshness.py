"""Up to when views are known to show all that the log holds: the projector says it, the gateway tells how long ago.

One checkpoint a partition of the journal, for all generations: its position is that time (UTC milliseconds), renewed
every few seconds though nothing happens. So it tells nobody how much traffic a game has.
"""

import threading
import time
from collections.abc import Mapping

from shared.clock import Clock
from shared.documents import Document, Documents, DocumentsUnavailable
from shared.log import PARTITIONS, partition_of
from shared.views import ids

SHOWN_FROM_SECONDS = 15
"""Younger views are as fresh as they get: the projector says so every five seconds, on a busy machine later."""
_LOOK_SECONDS = 2.0


def note_freshness(documents: Documents, up_to: Mapping[int, int]) -> None:
    """Store for each partition the time up to which its views are complete. Raises DocumentsUnavailable."""
    documents.write("checkpoints", [Document(ids.fresh(partition), at, {}) for partition, at in up_to.items()])


class Freshness:
    """How old the views of a game may be; asks the documents every two seconds at most. Thread-safe."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents = documents
        self._clock = clock
        self._looking = threading.Lock()
        self._looked = -_LOOK_SECONDS
        self._up_to: Mapping[str, int] = {}

    def age(self, game: str) -> int | None:
        """Seconds since the views of a game were last known to be complete; None while that was just now.

        None, too, where no projector has said anything yet.
        """
        self._look()
        up_to = self._up_to.get(ids.fresh(partition_of(game)))
        if up_to is None:
            return None
        age = (self._clock.now() - up_to) // 1000
        return age if age >= SHOWN_FROM_SECONDS else None

    def _look(self) -> None:
        """What was read last counts on while the store is away: then nothing is read of the game either."""
        if time.monotonic() - self._looked < _LOOK_SECONDS or not self._looking.acquire(blocking=False):
            return
        try:
            self._looked = time.monotonic()
            found = self._documents.get("checkpoints", [ids.fresh(number) for number in range(PARTITIONS)])
            self._up_to = {id: document.position for id, document in found.items()}
        except DocumentsUnavailable:
            pass
        finally:
            self._looking.release()
