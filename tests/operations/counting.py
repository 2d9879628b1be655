"""Counting at the seams of the code: the ports, the rules as their host calls them, streams of dice, files.

Whatever is counted knows nothing of it: rules and ports are wrapped or overridden, files and streams patched meanwhile.
"""

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any, SupportsIndex, TypeVar, cast, overload
from unittest.mock import patch

import shared.rules
from shared.canonical import canonical
from shared.dice import Stream
from shared.documents import Document
from shared.documents.sqlite import SqliteDocuments
from shared.log import Coordinates, Draft, Mark, Outcome, Ownership, Reader, Record, TopicPartition
from shared.log.sqlite import SqliteLog
from shared.rules import rules_of
from shared.rules.interface import RESOLVED, Decision, Dice, Event, Input, Refusal, Registration, Rules, Write
from shared.sqlite_file import SqliteFile

T = TypeVar("T")
Counts = Counter[str]
"""Name of an operation -> how often it was done, or how many bytes."""


class CountedRules:
    """Rules that count what their host asks of them; everything else of them is as it is."""

    def __init__(self, rules: Rules[Any], counts: Counts) -> None:
        self._rules = rules
        self._counts = counts
        self.decided: list[Event] = []
        """The events of every decision, without the marks of resolutions."""

    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        self._counts["calls of decide"] += 1
        answer = self._rules.decide(state, command, dice)
        if not isinstance(answer, Refusal):
            events = [event for event in answer if event.type != RESOLVED]
            self._counts["events"] += len(events)
            self.decided += events
        return answer

    def evolve(self, state: Any, event: Event) -> Any:
        self._counts["calls of evolve"] += 1
        return self._rules.evolve(state, event)

    def project(self, event: Event) -> list[Write]:
        writes = list(self._rules.project(event))
        self._counts["writes projected"] += len(writes)
        return writes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


@contextmanager
def rules_counted(game: str, counts: Counts) -> Iterator[CountedRules]:
    """Let everybody who asks the registry for the rules of this game have rules that count."""
    rules = CountedRules(rules_of(game), counts)
    load = cast(Callable[[], Rules[Any]], lambda: rules)
    with patch.object(shared.rules, "GAMES", (Registration(game, rules.version, load),)):
        yield rules


@contextmanager
def draws_counted(counts: Counts) -> Iterator[None]:
    """Count the draws of all streams that are made meanwhile."""
    streams: list[Stream] = []
    begin = Stream.__init__

    def counted(self: Stream, *arguments: Any) -> None:
        begin(self, *arguments)
        streams.append(self)

    with patch.object(Stream, "__init__", counted):
        yield
    counts["draws"] += sum(stream.draws for stream in streams)


class Looked(tuple[tuple[int, ...], ...]):
    """Neighbours by territory that count how often those of one are asked for: what searches visit, and checks."""

    counts: Counts

    @overload
    def __getitem__(self, place: SupportsIndex, /) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, place: slice, /) -> tuple[tuple[int, ...], ...]: ...
    def __getitem__(self, place: SupportsIndex | slice, /) -> Any:
        self.counts["territories looked around"] += 1
        return super().__getitem__(place)


def looked(neighbours: Sequence[tuple[int, ...]], counts: Counts) -> Looked:
    """The same neighbours, counted."""
    made = Looked(neighbours)
    made.counts = counts
    return made


@contextmanager
def commits_counted(counts: Counts) -> Iterator[None]:
    """Count transactions that write to SQLite files: those that wait for the disk (one sync each), and the others."""
    write = SqliteFile.write

    def counted(self: SqliteFile, work: Callable[[Connection], T]) -> T:
        counts["syncs of the disk" if self._synchronous == "FULL" else "commits without a sync"] += 1
        return write(self, work)

    with patch.object(SqliteFile, "write", counted):
        yield


class CountedLog(SqliteLog):
    """A log that counts what is read from it and written to it; `counts` is set before it is used."""

    counts: Counts

    def append(self, topic: str, drafts: Sequence[Draft]) -> list[Coordinates]:
        self.counts["bytes of inputs"] += sum(len(draft.value) for draft in drafts)
        return super().append(topic, drafts)

    def tick(self, places: Collection[TopicPartition]) -> None:
        self.counts["ticks"] += len(places)
        super().tick(places)

    def own(self, partition: int, owner: str) -> Ownership:
        return _CountedOwnership(super().own(partition, owner), self.counts)

    def reader(self, group: str | None = None) -> Reader:
        return _CountedReader(super().reader(group), self.counts)


class _CountedReader:
    def __init__(self, reader: Reader, counts: Counts) -> None:
        self._reader = reader
        self._counts = counts

    def assign(self, marks: Mapping[TopicPartition, Mark]) -> None:
        self._counts["assignments of readers"] += 1
        self._reader.assign(marks)

    def poll(self, timeout: float, limit: int = 1000) -> list[Record]:
        records = self._reader.poll(timeout, limit)
        self._counts["reads of the log"] += 1
        self._counts["records read"] += len(records)
        return records

    def position(self, place: TopicPartition) -> int:
        return self._reader.position(place)

    def end(self, place: TopicPartition) -> int:
        return self._reader.end(place)

    def written(self, places: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return self._reader.written(places)

    def close(self) -> None:
        self._reader.close()


class _CountedOwnership:
    def __init__(self, ownership: Ownership, counts: Counts) -> None:
        self.partition = ownership.partition
        self._ownership = ownership
        self._counts = counts

    def marks(self) -> Mapping[str, Mark]:
        return self._ownership.marks()

    def commit(self, outcome: Outcome) -> int:
        self._counts["commits of the resolver"] += 1
        self._counts["records of the journal"] += len(outcome.turns)
        self._counts["bytes of the journal"] += sum(len(draft.value) for draft in outcome.turns)
        self._counts["bytes of the chronicle"] += sum(len(draft.value) for draft in outcome.chronicle)
        return self._ownership.commit(outcome)

    def held(self) -> bool:
        return self._ownership.held()

    def release(self) -> None:
        self._ownership.release()


class CountedDocuments(SqliteDocuments):
    """Documents that count what is looked up and written, by collection; `counts` is set before they are used."""

    counts: Counts

    def get(self, collection: str, ids: Iterable[str]) -> dict[str, Document]:
        wanted = list(ids)
        self.counts["reads of documents"] += 1
        self.counts[f"{collection} looked up"] += len(wanted)
        return super().get(collection, wanted)

    def find(self, collection: str, prefix: str, *, after: str = "", limit: int = 1_000_000) -> list[Document]:
        found = super().find(collection, prefix, after=after, limit=limit)
        self.counts["reads of documents"] += 1
        self.counts[f"{collection} found"] += len(found)
        return found

    def write(self, collection: str, documents: Sequence[Document], absent: Container[str] = ()) -> None:
        self.counts[f"{collection} written"] += len(documents)
        self.counts[f"bytes of {collection}"] += sum(len(canonical(item.body)) for item in documents)
        super().write(collection, documents, absent)
