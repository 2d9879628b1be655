"""Reading of assigned partitions: one statement per file and poll, none while nothing changed, nudged when it waits."""

import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import orjson

from shared.log import INPUT_TOPICS, LogDamaged, LogUnavailable, Mark, Record, TopicPartition
from shared.log.sqlite_schema import FILE_OF, LONGEST_GAP, end_of, open_file, table_of
from shared.nudges import Listener
from shared.signing import Keyring
from shared.sqlite_file import StoreUnavailable, is_damage, lenient_text

LONGEST_NAP = 0.05
"""Seconds after which a waiting reader looks by itself, nudged or not."""
BYTES_A_POLL = 16_000_000
"""A poll ends early when the values that it read from a file are this large."""
_record = partial(tuple.__new__, Record)


class Headers(Mapping[str, str]):
    """Headers as stored, read when somebody asks; what is no JSON object of strings has none."""

    __slots__ = ("_stored",)

    def __init__(self, text: str) -> None:
        self._stored: str | dict[str, str] = text

    def _read(self) -> dict[str, str]:
        stored = self._stored
        if isinstance(stored, str):
            stored = self._stored = _strings(stored)
        return stored

    def __getitem__(self, name: str) -> str:
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return repr(self._read())


def _strings(text: str) -> dict[str, str]:
    try:
        found = orjson.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) and all(isinstance(item, str) for item in found.values()) else {}


class _Place:
    """One assigned partition: where its reader stands."""

    __slots__ = ("at", "offset", "partition", "signed", "topic")

    def __init__(self, place: TopicPartition, mark: Mark) -> None:
        self.topic, self.partition = place
        self.signed = place.topic in INPUT_TOPICS
        self.offset, self.at = mark


class _Source:
    """One file with its assigned partitions."""

    def __init__(self, folder: Path, file: str, places: list[_Place], keyring: Keyring, patience: float) -> None:
        self.file = file
        self._places = places
        self._keyring = keyring
        self._file = open_file(folder, file, patience)
        self._pid = os.getpid()
        self._connection: sqlite3.Connection | None = None
        self._version = -1
        self._more = False
        self._statement = self._compose()

    def read(self, limit: int, records: list[Record]) -> None:
        """Add at most `limit` records from where the places stand, and move these on. Raises StoreUnavailable."""
        self._file.patiently(lambda: self._attempt(limit, records))

    def damaged(self) -> list[TopicPartition]:
        """The places whose records cannot be read from where they stand. Raises StoreUnavailable."""
        return [TopicPartition(place.topic, place.partition) for place in self._places if not self._is_whole(place)]

    def _is_whole(self, place: _Place) -> bool:
        statement = f"SELECT max(value) FROM {table_of(place.topic, place.partition)} WHERE offset >= ?"
        connection = self._file.reader()
        try:
            if connection is not None:
                self._file.patiently(lambda: connection.execute(statement, (place.offset,)).fetchone())
        except StoreUnavailable as error:
            if is_damage(error.__cause__):
                return False
            raise
        finally:
            if connection is not None:
                connection.close()
        return True

    def close(self) -> None:
        if self._connection is not None and self._pid == os.getpid():
            self._connection.close()
        self._connection = None

    def _attempt(self, limit: int, records: list[Record]) -> None:
        connection = self._connected()
        if connection is None:
            return
        try:
            version = connection.execute("PRAGMA data_version").fetchone()[0]
            if version == self._version and not self._more:
                return
            if self._more:
                # The others come first this time, so that none waits behind a long one.
                self._places.append(self._places.pop(0))
                self._statement = self._compose()
            self._more = True
            offsets = [bound for place in self._places for bound in (place.offset, place.offset + LONGEST_GAP)]
            self._more = self._collect(connection.execute(self._statement, (*offsets, limit)), limit, records)
            self._version = version
        except sqlite3.Error as error:
            if str(error).startswith("Could not decode to UTF-8"):
                connection.text_factory = lenient_text
                self._attempt(limit, records)
                return
            self.close()
            raise

    def _connected(self) -> sqlite3.Connection | None:
        if self._connection is not None and self._pid != os.getpid():
            _inherited.append(self._connection)
            self._connection = None
        if self._connection is None:
            self._pid = os.getpid()
            self._version = -1
            self._connection = self._file.reader()
        return self._connection

    def _compose(self) -> str:
        # Each arm runs along its table's key, so in offset order; `_collect` would notice if it did not.
        arms = (
            f"SELECT {index}, offset, at, key, value, headers, signature"
            f" FROM {table_of(place.topic, place.partition)} WHERE offset >= ? AND offset < ?"
            for index, place in enumerate(self._places)
        )
        return f"{' UNION ALL '.join(arms)} LIMIT ?"

    def _collect(self, cursor: sqlite3.Cursor, limit: int, records: list[Record]) -> bool:
        """Turn rows into records; True if there may be more. The loop is written for speed: it is every replay's."""
        keyring = self._keyring
        before = len(records)
        size = 0
        jumped = False
        current = -1
        place = self._places[0]
        stamped_at = -1
        stamp: Callable[[bytes], str] | None = None
        key_id = ""
        try:
            for index, offset, at, key, value, headers, signature in cursor:
                if index != current:
                    current = index
                    place = self._places[index]
                if offset != place.offset:
                    if offset < place.offset:
                        raise sqlite3.OperationalError(f"{place.topic} {place.partition}: offset {offset} out of order")
                    # What comes next may lie behind the bound that was asked for.
                    jumped = True
                signer = None
                # No genuine record is older than the one before it: such a one is a copy, however well signed.
                if place.signed and at >= place.at:
                    if at != stamped_at:
                        stamped_at = at
                        key_id = (signature or "").partition(":")[0]
                        stamp = keyring.stamp(key_id, at)
                    # Rows of one commit share `at` and so most of the work of checking them.
                    if stamp is not None and stamp(value) == signature:
                        signer = key_id
                    elif signature is not None:
                        signer = keyring.verify(signature, value, at)
                if at > place.at and (signer is not None or not place.signed):
                    place.at = at
                place.offset = offset + 1
                fields = (place.topic, place.partition, offset, place.at, key, value, Headers(headers), signer)
                records.append(_record(fields))
                size += len(value)
                if size > BYTES_A_POLL:
                    return True
        finally:
            cursor.close()
        return jumped or len(records) - before >= limit


def _failure(source: _Source, error: StoreUnavailable) -> LogUnavailable:
    """What is raised for a file that could not be read: damage to some partitions is told apart."""
    if is_damage(error.__cause__):
        with suppress(StoreUnavailable):
            if places := source.damaged():
                named = ", ".join(f"{place.topic} {place.partition}" for place in places)
                return LogDamaged(f"{named} cannot be read: {error}", places)
    return LogUnavailable(str(error))


_inherited: list[sqlite3.Connection] = []
"""Connections that came over a fork: neither used nor closed here."""


class SqliteReader:
    """A reader of committed records; used by one thread at a time."""

    def __init__(self, folder: Path, keyring: Keyring | None, patience: float) -> None:
        self._folder = folder
        self._keyring = keyring or Keyring({})
        self._patience = patience
        self._sources: list[_Source] = []
        self._places: dict[TopicPartition, _Place] = {}
        self._listener: Listener | None = None
        self._listener_pid = 0

    def assign(self, marks: Mapping[TopicPartition, Mark]) -> None:
        self.close()
        by_file: dict[str, list[_Place]] = {}
        for place, mark in sorted(marks.items()):
            table_of(*place)
            self._places[place] = _Place(place, mark)
            by_file.setdefault(FILE_OF[place.topic], []).append(self._places[place])
        self._sources = [
            _Source(self._folder, file, places, self._keyring, self._patience) for file, places in by_file.items()
        ]

    def poll(self, timeout: float, limit: int = 1000) -> list[Record]:
        deadline = time.monotonic() + timeout
        while True:
            records = self._read(limit)
            left = deadline - time.monotonic()
            if records or left <= 0:
                return records
            if self._listener is None or self._listener_pid != os.getpid():
                # What was written before the listener was there is seen by one more look.
                self._listen()
                continue
            self._listener.wait(min(left, LONGEST_NAP))

    def position(self, place: TopicPartition) -> int:
        # The end is behind the last row, so a reader that has read that row has passed every gap before it.
        if place not in self._places:
            raise ValueError(f"{place.topic}, partition {place.partition}, is not assigned")
        return self._places[place].offset

    def end(self, place: TopicPartition) -> int:
        table = table_of(*place)
        try:
            file = open_file(self._folder, FILE_OF[place.topic], self._patience)
            connection = file.reader()
            if connection is None:
                return 0
            try:
                return file.patiently(lambda: end_of(connection, table))
            finally:
                connection.close()
        except StoreUnavailable as error:
            raise LogUnavailable(str(error)) from error

    def written(self, places: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return {place: self.end(place) for place in places}

    def close(self) -> None:
        for source in self._sources:
            source.close()
        self._sources = []
        self._places = {}
        if self._listener is not None and self._listener_pid == os.getpid():
            self._listener.close()
        self._listener = None

    def _listen(self) -> None:
        self._listener = Listener(self._folder, [source.file for source in self._sources])
        self._listener_pid = os.getpid()

    def _read(self, limit: int) -> list[Record]:
        records: list[Record] = []
        sources = self._sources
        for index, source in enumerate(sources):
            share = max(1, (limit - len(records)) // (len(sources) - index))
            if len(records) >= limit:
                break
            try:
                source.read(share, records)
            except StoreUnavailable as error:
                if not records:
                    raise _failure(source, error) from error
                break
        if len(records) >= limit and len(sources) > 1:
            self._sources = [*sources[1:], sources[0]]
        return records
