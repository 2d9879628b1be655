"""A document store and a journal in memory, which can fail at any step."""

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence

import orjson

from shared.documents import Document, DocumentsUnavailable
from shared.log import (
    PARTITIONS,
    TURNS,
    Coordinates,
    Draft,
    LogUnavailable,
    Mark,
    Membership,
    Ownership,
    Reader,
    Record,
    TopicPartition,
)


class MemoryDocuments:
    """The document port in memory. Bodies pass through JSON, as they do in every real store."""

    def __init__(self) -> None:
        self.stored: dict[str, dict[str, tuple[int, bytes]]] = {}
        self.writes_left: int | None = None
        """Documents that can still be written before the store fails; None: no end."""
        self.after_write: Callable[[], None] = lambda: None
        """Called after each document that was written."""

    def get(self, collection: str, ids: Iterable[str]) -> dict[str, Document]:
        place = self.stored.get(collection, {})
        return {id: self._document(collection, id) for id in ids if id in place}

    def find(self, collection: str, prefix: str, *, after: str = "", limit: int = 1_000_000) -> list[Document]:
        place = self.stored.get(collection, {})
        found = sorted(id for id in place if id.startswith(prefix) and id > after)
        return [self._document(collection, id) for id in found[:limit]]

    def write(self, collection: str, documents: Sequence[Document], absent: Container[str] = ()) -> None:
        place = self.stored.setdefault(collection, {})
        for document in documents:
            if self.writes_left is not None:
                if self.writes_left == 0:
                    raise DocumentsUnavailable("the store is full")
                self.writes_left -= 1
            if document.id not in place or place[document.id][0] < document.position:
                place[document.id] = (document.position, orjson.dumps(document.body))
            self.after_write()

    def insert(self, collection: str, document: Document) -> bool:
        place = self.stored.setdefault(collection, {})
        if document.id in place:
            return False
        place[document.id] = (document.position, orjson.dumps(document.body))
        return True

    def replace(self, collection: str, document: Document, expected: int) -> bool:
        place = self.stored.setdefault(collection, {})
        if document.id not in place or place[document.id][0] != expected:
            return False
        place[document.id] = (document.position, orjson.dumps(document.body))
        return True

    def delete(self, collection: str, ids: Iterable[str]) -> int:
        place = self.stored.get(collection, {})
        return sum(place.pop(id, None) is not None for id in list(ids))

    def ids(self, collection: str, prefix: str, limit: int) -> list[str]:
        return [id for id in self.stored.get(collection, {}) if id.startswith(prefix)][:limit]

    def delete_prefix(self, collection: str, prefix: str) -> int:
        return self.delete(collection, self.ids(collection, prefix, 1_000_000))

    def wait(self, store: str, timeout: float) -> None:
        raise NotImplementedError

    def close(self) -> None:
        pass

    def _document(self, collection: str, id: str) -> Document:
        position, body = self.stored[collection][id]
        return Document(id, position, orjson.loads(body))


class MemoryJournal:
    """The log port as a projector uses it: a reader of the topic `turns`."""

    def __init__(self, records: Sequence[Record] = ()) -> None:
        self.records = list(records)
        self.away = False
        self.given = frozenset(range(PARTITIONS))
        """What the group gives to whoever asks."""
        self.apart: str | None = None
        self.name = "memory"

    def identity(self) -> str:
        if self.away:
            raise LogUnavailable("the log is away")
        return self.name

    def reader(self, group: str | None = None) -> Reader:
        return MemoryReader(self)

    def check(self, topic: str) -> None:
        raise NotImplementedError

    def membership(self, group: str, member: str, *, fenced: bool = True) -> Membership:
        return GivenPartitions(self)

    def append(self, topic: str, drafts: Sequence[Draft]) -> list[Coordinates]:
        raise NotImplementedError

    def tick(self, places: Collection[TopicPartition]) -> None:
        raise NotImplementedError

    def own(self, partition: int, owner: str) -> Ownership:
        raise NotImplementedError

    def marks(self, partition: int) -> Mapping[str, Mark]:
        raise NotImplementedError

    def close(self) -> None:
        pass


class MemoryReader:
    """Reads a `MemoryJournal`."""

    def __init__(self, journal: MemoryJournal) -> None:
        self._journal = journal
        self._next: dict[int, int] = {}

    def assign(self, marks: Mapping[TopicPartition, Mark]) -> None:
        assert all(place.topic == TURNS for place in marks)
        self._next = {place.partition: mark.offset for place, mark in marks.items()}

    def poll(self, timeout: float, limit: int = 1000) -> list[Record]:
        if self._journal.away:
            raise LogUnavailable("the log is away")
        polled = [
            record
            for record in self._journal.records
            if record.partition in self._next and record.offset >= self._next[record.partition]
        ][:limit]
        for record in polled:
            self._next[record.partition] = record.offset + 1
        return polled

    def position(self, place: TopicPartition) -> int:
        return self._next[place.partition]

    def end(self, place: TopicPartition) -> int:
        offsets = [record.offset for record in self._journal.records if record.partition == place.partition]
        return max(offsets, default=-1) + 1

    def written(self, places: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return {place: self.end(place) for place in places}

    def close(self) -> None:
        self._next = {}


class GivenPartitions:
    """A group that gives what the test says."""

    def __init__(self, journal: MemoryJournal) -> None:
        self._journal = journal

    def partitions(self) -> frozenset[int]:
        return self._journal.given

    def fault(self) -> str | None:
        return self._journal.apart

    def close(self) -> None:
        pass
