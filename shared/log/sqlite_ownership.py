"""Ownership of partitions and the atomic outcome: epochs, marks and the journal's records in one transaction."""

import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shared.clock import Clock
from shared.log import (
    CHRONICLE,
    DEAD_LETTERS,
    INPUT_TOPICS,
    START,
    TURNS,
    CommitUnknown,
    Draft,
    Fenced,
    LogUnavailable,
    Mark,
    Outcome,
)
from shared.log.outcomes import MARKS_HEADER, check_marks, marks_text
from shared.log.sqlite_append import LARGE_ROW_BYTES, insert_rows
from shared.log.sqlite_schema import JOURNAL, encode_headers, open_file, table_of
from shared.nudges import Nudger
from shared.sqlite_file import StoreUnavailable


class JournalWriter:
    """Writes journal.db for all partitions that one process owns."""

    def __init__(self, folder: Path, clock: Clock, patience: float) -> None:
        self._file = open_file(folder, JOURNAL, patience)
        self._nudger = Nudger(folder, JOURNAL)
        self._clock = clock

    def own(self, partition: int, owner: str) -> "SqliteOwnership":
        """Raise the partition's epoch. Raises LogUnavailable."""
        table_of(TURNS, partition)

        def take_over(connection: sqlite3.Connection) -> tuple[int, dict[str, Mark]]:
            epoch = _epoch(connection, partition) + 1
            connection.execute("INSERT OR REPLACE INTO owners VALUES (?, ?, ?)", (partition, epoch, owner))
            return epoch, _marks(connection, partition)

        try:
            epoch, marks = self._file.write(take_over)
        except StoreUnavailable as error:
            raise LogUnavailable(str(error)) from error
        return SqliteOwnership(self, partition, epoch, marks)

    def commit(self, partition: int, epoch: int, before: Mapping[str, Mark], outcome: Outcome) -> int:
        """Write the outcome if epoch and marks are still the owner's. Raises Fenced, LogUnavailable, CommitUnknown."""
        encoded = [
            (topic, [(draft, encode_headers(draft)) for draft in drafts])
            for topic, drafts in (
                (TURNS, _with_marks(outcome)),
                (CHRONICLE, outcome.chronicle),
                (DEAD_LETTERS, outcome.dead_letters),
            )
        ]

        def work(connection: sqlite3.Connection) -> int:
            _require(connection, partition, epoch, before)
            now = self._clock.now()
            ends = [_append(connection, table_of(topic, partition), now, drafts) for topic, drafts in encoded]
            connection.executemany(
                "INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)",
                [(partition, topic, mark.offset, mark.at) for topic, mark in outcome.marks.items()],
            )
            return ends[0]

        try:
            end = self._file.write(work)
        except StoreUnavailable as error:
            raise (CommitUnknown if error.unknown else LogUnavailable)(str(error)) from error
        if any(drafts for _, drafts in encoded):
            self._nudger.nudge()
        return end

    def epoch(self, partition: int) -> int:
        """The epoch of the partition's present owner. Raises LogUnavailable."""
        try:
            return self._file.read(lambda connection: _epoch(connection, partition), absent=0)
        except StoreUnavailable as error:
            raise LogUnavailable(str(error)) from error

    def marks(self, partition: int) -> dict[str, Mark]:
        """Marks of the last commit. Raises LogUnavailable."""
        try:
            return self._file.read(
                lambda connection: _marks(connection, partition), absent=dict.fromkeys(INPUT_TOPICS, START)
            )
        except StoreUnavailable as error:
            raise LogUnavailable(str(error)) from error

    def identity(self) -> str:
        """The random id of this journal, made and kept at the first question. Raises LogUnavailable."""
        try:
            return self._file.read(_identity, absent=None) or self._file.write(_made_identity)
        except StoreUnavailable as error:
            raise LogUnavailable(str(error)) from error

    def close(self) -> None:
        self._file.close()
        self._nudger.close()


class SqliteOwnership:
    """The right to write one partition's outcome, until it is released, fenced or fails."""

    def __init__(self, writer: JournalWriter, partition: int, epoch: int, marks: Mapping[str, Mark]) -> None:
        self.partition = partition
        self._epoch = epoch
        self._writer = writer
        self._marks = dict(marks)
        self._ended = False

    def marks(self) -> Mapping[str, Mark]:
        return dict(self._marks)

    def commit(self, outcome: Outcome) -> int:
        if self._ended:
            raise Fenced(f"this ownership of partition {self.partition} has ended; take the partition over again")
        self._ended = True
        check_marks(self._marks, outcome.marks)
        try:
            end = self._writer.commit(self.partition, self._epoch, self._marks, outcome)
        except LogUnavailable:
            self._ended = False
            raise
        self._ended = False
        self._marks = dict(outcome.marks)
        return end

    def held(self) -> bool:
        return not self._ended and self._writer.epoch(self.partition) == self._epoch

    def release(self) -> None:
        self._ended = True


def _with_marks(outcome: Outcome) -> Sequence[Draft]:
    if not outcome.turns:
        return outcome.turns
    *others, last = outcome.turns
    return [*others, last._replace(headers={**last.headers, MARKS_HEADER: marks_text(outcome.marks)})]


def _require(connection: sqlite3.Connection, partition: int, epoch: int, marks: Mapping[str, Mark]) -> None:
    stored = _epoch(connection, partition)
    if stored != epoch:
        raise Fenced(f"partition {partition} has an owner of epoch {stored}, this one has epoch {epoch}")
    found = _marks(connection, partition)
    if found != marks:
        raise Fenced(f"the marks of partition {partition} are {found}, this owner left {dict(marks)}")


def _identity(connection: sqlite3.Connection) -> str | None:
    """The id that is kept; None in a file that nobody has asked yet."""
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'identity'").fetchone() is None:
        return None
    row = connection.execute("SELECT id FROM identity").fetchone()
    return None if row is None else str(row[0])


def _made_identity(connection: sqlite3.Connection) -> str:
    found = _identity(connection)
    if found is not None:
        return found
    made = secrets.token_hex(16)
    connection.execute("CREATE TABLE IF NOT EXISTS identity (id TEXT NOT NULL) STRICT")
    connection.execute("INSERT INTO identity VALUES (?)", (made,))
    return made


def _epoch(connection: sqlite3.Connection, partition: int) -> int:
    row = connection.execute("SELECT epoch FROM owners WHERE partition = ?", (partition,)).fetchone()
    return 0 if row is None else int(row[0])


def _marks(connection: sqlite3.Connection, partition: int) -> dict[str, Mark]:
    rows = connection.execute("SELECT topic, offset, at FROM marks WHERE partition = ?", (partition,))
    return {**dict.fromkeys(INPUT_TOPICS, START), **{topic: Mark(offset, at) for topic, offset, at in rows}}


def _append(connection: sqlite3.Connection, table: str, now: int, drafts: Sequence[tuple[Draft, str]]) -> int:
    """Insert after the table's last row, not before its time; returns the end offset."""
    last = connection.execute(f"SELECT offset, at FROM {table} ORDER BY offset DESC LIMIT 1").fetchone()
    start, at = (0, now) if last is None else (last[0] + 1, max(now, last[1]))
    values: list[Any] = []
    for offset, (draft, headers) in enumerate(drafts, start):
        values += (offset, at, draft.key, draft.value, headers, None)
    large = sum(len(draft.value) for draft, _ in drafts) > LARGE_ROW_BYTES * len(drafts)
    insert_rows(connection, table, values, singly=large)
    return int(start) + len(drafts)
