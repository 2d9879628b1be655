"""A log as Kafka keeps it with transactions: behind every record a marker takes an offset and is never read.

It is a SQLite log whose offsets are doubled, so that the last offset before every end holds no record.
"""

from collections.abc import Collection, Mapping

import pytest

from shared.log import Mark, Outcome, Ownership, Reader, Record, TopicPartition
from shared.log.sqlite import SqliteLog


class SpreadReader:
    """Shows the record at offset n at 2n; 2n + 1 is passed by the poll after it."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._seen: dict[TopicPartition, int] = {}
        """Offset behind the last record that was given, where its marker is not passed yet."""

    def assign(self, marks: Mapping[TopicPartition, Mark]) -> None:
        self._seen = {}
        self._reader.assign({place: Mark((offset + 1) // 2, at) for place, (offset, at) in marks.items()})

    def poll(self, timeout: float, limit: int = 1000) -> list[Record]:
        markers_to_pass = bool(self._seen)
        self._seen = {}
        polled = self._reader.poll(0 if markers_to_pass else timeout, limit)
        found = [record._replace(offset=2 * record.offset) for record in polled]
        for record in found:
            self._seen[TopicPartition(record.topic, record.partition)] = record.offset + 1
        return found

    def position(self, place: TopicPartition) -> int:
        return self._seen.get(place, 2 * self._reader.position(place))

    def end(self, place: TopicPartition) -> int:
        return 2 * self._reader.end(place)

    def written(self, places: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return {place: 2 * end for place, end in self._reader.written(places).items()}

    def close(self) -> None:
        self._reader.close()


class SpreadOwnership:
    """Marks and ends in doubled offsets."""

    def __init__(self, ownership: Ownership) -> None:
        self._ownership = ownership
        self.partition = ownership.partition

    def marks(self) -> Mapping[str, Mark]:
        return self._ownership.marks()

    def commit(self, outcome: Outcome) -> int:
        return 2 * self._ownership.commit(outcome)

    def held(self) -> bool:
        return self._ownership.held()

    def release(self) -> None:
        self._ownership.release()


def spread_offsets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every SQLite log that is opened from now on count like this."""
    reader, own = SqliteLog.reader, SqliteLog.own

    def spread_reader(log: SqliteLog, group: str | None = None) -> Reader:
        return SpreadReader(reader(log, group))

    def spread_own(log: SqliteLog, partition: int, owner: str) -> Ownership:
        return SpreadOwnership(own(log, partition, owner))

    monkeypatch.setattr(SqliteLog, "reader", spread_reader)
    monkeypatch.setattr(SqliteLog, "own", spread_own)
