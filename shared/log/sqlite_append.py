"""Appending to one input topic: group commit of concurrent callers, the time taken inside the transaction."""

import functools
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, product, repeat
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from shared.clock import Clock
from shared.grouping import Grouping
from shared.log import Coordinates, Draft, LogUnavailable, Mark, partition_of
from shared.log.sqlite_schema import encode_headers, open_file, table_of
from shared.log.sqlite_tail import Tails
from shared.nudges import Nudger
from shared.signing import Keyring, Signer
from shared.sqlite_file import StoreUnavailable

_RECORDS_A_GROUP = 2_000
"""Callers join a commit until it has so many records; one call is never split."""
_ROWS_A_STATEMENT = (100, 20)
"""Rows of one INSERT, as long as there are so many: a third faster than one statement a row."""
LARGE_ROW_BYTES = 2_000
"""Rows of so many bytes go singly into one statement, which copies them once less: of 24 kB a fifth faster."""
_COLUMNS = 6

_coordinates = functools.partial(tuple.__new__, Coordinates)
_partition_of = functools.lru_cache(maxsize=65_536)(partition_of)

_TICK = Draft("", b"", {})


def insert_rows(connection: sqlite3.Connection, table: str, values: list[Any], *, singly: bool = False) -> None:
    """Insert rows given as one flat list of offset, at, key, value, headers, signature; many at once or singly."""
    if singly:
        connection.executemany(_insertion(table, 1), zip(*[iter(values)] * _COLUMNS, strict=True))
        return
    start, end = 0, len(values)
    for rows in _ROWS_A_STATEMENT:
        chunk = rows * _COLUMNS
        while end - start >= chunk:
            connection.execute(_insertion(table, rows), values[start : start + chunk])
            start += chunk
    if start < end:
        connection.execute(_insertion(table, (end - start) // _COLUMNS), values[start:])


@functools.lru_cache(maxsize=1024)
def _insertion(table: str, rows: int) -> str:
    places = ",".join(["(?,?,?,?,?,?)"] * rows)
    return f"INSERT INTO {table} (offset, at, key, value, headers, signature) VALUES {places}"


class _Run(NamedTuple):
    """Records that follow one another in a partition, by columns: those that are known before the transaction."""

    partition: int
    keys: Sequence[str]
    values: Sequence[bytes]
    headers: Sequence[str]


class _Request:
    """One caller's records, made ready before the transaction, and where they went."""

    __slots__ = ("coordinates", "records", "runs")

    def __init__(self, drafts: Sequence[Draft], partitions: Sequence[int]) -> None:
        self.records = len(drafts)
        self.coordinates: list[Coordinates] = []
        keys, values, _ = zip(*drafts, strict=True)
        headers = tuple(map(encode_headers, drafts))
        if partitions.count(partitions[0]) == len(partitions):
            self.runs = [_Run(partitions[0], keys, values, headers)]
        else:
            columns = zip(partitions, keys, values, headers, strict=True)
            self.runs = [_Run(partition, (key,), (value,), (of,)) for partition, key, value, of in columns]


class _Tail:
    """The end of a partition while a transaction writes to it."""

    __slots__ = ("at", "offset", "sign", "values")

    def __init__(self, offset: int, at: int, sign: Callable[[bytes], str]) -> None:
        self.offset = offset
        self.at = at
        self.sign = sign
        self.values: list[Any] = []

    def extend(self, topic: str, run: _Run) -> Iterable[Coordinates]:
        """Add the rows of a run; returns their places. A loop in Python would take a third longer."""
        partition, keys, values, headers = run
        offsets = range(self.offset, self.offset + len(values))
        self.offset = offsets.stop
        at, signatures = repeat(self.at, len(values)), map(self.sign, values)
        self.values += chain.from_iterable(zip(offsets, at, keys, values, headers, signatures, strict=True))
        return map(_coordinates, product((topic,), (partition,), offsets, (self.at,)))


class TopicWriter:
    """Writes one input topic's file for all threads of one process."""

    def __init__(
        self, folder: Path, topic: str, signer: Signer, keyring: Keyring, clock: Clock, patience: float
    ) -> None:
        self._topic = topic
        self._signer = signer
        self._tails = Tails(topic, keyring)
        self._clock = clock
        self._file = open_file(folder, topic, patience)
        self._nudger = Nudger(folder, topic)
        self._append = Grouping.late(self._write, _RECORDS_A_GROUP, attrgetter("records"))

    def append(self, drafts: Sequence[Draft]) -> list[Coordinates]:
        """Append drafts, each to the partition of its key. Raises LogUnavailable or TooLarge."""
        return self._append(_Request(drafts, [_partition_of(draft.key) for draft in drafts]))

    def tick(self, partitions: Sequence[int]) -> None:
        """Append a record without key, value and headers to each of these. Raises LogUnavailable."""
        self._append(_Request([_TICK] * len(partitions), partitions))

    def close(self) -> None:
        self._file.close()
        self._nudger.close()

    def _write(self, take: Callable[[], Sequence[_Request]]) -> list[list[Coordinates]]:
        """Write what waits when the file is ours, in one transaction."""
        group: Sequence[_Request] = ()

        def insert(connection: sqlite3.Connection) -> dict[int, Mark]:
            nonlocal group
            group = take()
            return self._insert(connection, group)

        try:
            ends = self._file.write(insert)
        except (StoreUnavailable, OverflowError) as error:
            raise LogUnavailable(str(error)) from error
        for partition, mark in ends.items():
            self._tails.reached(partition, mark)
        self._nudger.nudge()
        return [request.coordinates for request in group]

    def _insert(self, connection: sqlite3.Connection, group: Sequence[_Request]) -> dict[int, Mark]:
        """Insert the records of the group; returns where their partitions end then."""
        now = self._clock.now()
        topic = self._topic
        tails: dict[int, _Tail] = {}
        for request in group:
            for run in request.runs:
                tail = tails.get(run.partition)
                if tail is None:
                    tail = tails[run.partition] = self._tail(connection, run.partition, now)
                request.coordinates.extend(tail.extend(topic, run))
        for partition, tail in tails.items():
            insert_rows(connection, table_of(topic, partition), tail.values)
        return {partition: Mark(tail.offset, tail.at) for partition, tail in tails.items()}

    def _tail(self, connection: sqlite3.Connection, partition: int, now: int) -> _Tail:
        """The partition's next offset, and the time of records written now: not before the last genuine one."""
        end, before = self._tails.of(connection, partition)
        at = max(now, before)
        return _Tail(end, at, self._signer.stamp(at))
