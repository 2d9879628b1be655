"""A document store that changes under every read: one document is read, the next one from a later state."""

import random
from collections.abc import Iterable, Sequence

from shared.documents import Document
from tests.unit.views.memory import MemoryDocuments


class TornDocuments(MemoryDocuments):
    """Plays the states of another store, oldest first; the next one may come before any document that is read."""

    def __init__(self, states: Sequence[MemoryDocuments], chance: random.Random) -> None:
        super().__init__()
        self._states = states
        self._chance = chance
        self._now = 0

    def get(self, collection: str, ids: Iterable[str]) -> dict[str, Document]:
        found: dict[str, Document] = {}
        for id in ids:
            found |= self._next().get(collection, [id])
        return found

    def find(self, collection: str, prefix: str, *, after: str = "", limit: int = 1_000_000) -> list[Document]:
        found: list[Document] = []
        while len(found) < limit and (one := self._next().find(collection, prefix, after=after, limit=1)):
            found += one
            after = one[0].id
        return found

    def _next(self) -> MemoryDocuments:
        self._now = min(self._now + self._chance.choice((0, 0, 0, 1, 2)), len(self._states) - 1)
        return self._states[self._now]


def copy(documents: MemoryDocuments) -> MemoryDocuments:
    """The store as it is now."""
    made = MemoryDocuments()
    made.stored = {name: dict(place) for name, place in documents.stored.items()}
    return made
