"""What an adapter of the log gives to the contract suite, and what every test of the suite needs."""

import itertools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

from shared.clock import Clock
from shared.log import (
    INPUT_TOPICS,
    PARTITIONS,
    START,
    Draft,
    Log,
    Mark,
    Outcome,
    Reader,
    Record,
    TopicPartition,
    partition_of,
)
from shared.signing import Keyring, Signer

KEYS: Mapping[str, bytes] = {name: name.encode().ljust(32, b".") for name in ("orders", "polls", "economy", "ticks")}
"""Key id -> key of the services that every log of a house believes."""
PATIENCE = 60.0
"""Seconds within which what must happen does happen, even on a busy machine."""


class LogHouse(ABC):
    """One event log of an adapter, opened by as many services and processes as a test needs.

    A house can be pickled, so that another process opens the same log.
    """

    @abstractmethod
    def log(self, service: str | None = "orders", clock: Clock | None = None) -> Log:
        """A log that signs with the service's key; a service that is not in KEYS has a key that nobody believes."""

    @abstractmethod
    def another(self) -> "LogHouse":
        """Another log of the adapter; nothing is stored in it."""

    @abstractmethod
    def forge(self, place: TopicPartition, draft: Draft) -> None:
        """Put a record with a false signature at the end of a partition, past the port."""

    @abstractmethod
    def unused_offset(self, place: TopicPartition) -> AbstractContextManager[None]:
        """Take an offset of a partition that will hold no record; what is appended meanwhile stands behind it."""

    def signer(self, service: str) -> Signer:
        return Signer(service, KEYS.get(service, b"a key of somebody else's"))

    def keyring(self) -> Keyring:
        return Keyring(KEYS)


def draft(key: str, value: bytes | str = b"{}", **headers: str) -> Draft:
    return Draft(key, value.encode() if isinstance(value, str) else value, headers)


def key_in(partition: int) -> str:
    """A key of that partition."""
    return next(key for key in (f"g{number}" for number in itertools.count()) if partition_of(key) == partition)


def everything(*topics: str) -> dict[TopicPartition, Mark]:
    """All partitions of the topics, from the start."""
    return {TopicPartition(topic, partition): START for topic in topics for partition in range(PARTITIONS)}


def marks_at(offset: int, at: int = 0) -> dict[str, Mark]:
    """The same mark for each input topic."""
    return dict.fromkeys(INPUT_TOPICS, Mark(offset, at))


def outcome(
    offset: int, turns: Sequence[Draft] = (), chronicle: Sequence[Draft] = (), dead_letters: Sequence[Draft] = ()
) -> Outcome:
    """An outcome whose marks stand at that offset in every input topic."""
    return Outcome(turns, chronicle, dead_letters, marks_at(offset, offset))


def read_exactly(log: Log, marks: Mapping[TopicPartition, Mark], count: int) -> list[Record]:
    """The `count` records that are there after the marks; fails if there are fewer or more."""
    reader = log.reader()
    reader.assign(marks)
    try:
        records = poll_until(reader, count)
        records += reader.poll(0.0)
    finally:
        reader.close()
    assert len(records) == count
    return records


def poll_until(reader: Reader, count: int) -> list[Record]:
    """Poll until there are `count` records or patience ends."""
    records: list[Record] = []
    deadline = time.monotonic() + PATIENCE
    while len(records) < count and time.monotonic() < deadline:
        records += reader.poll(0.1)
    return records


def eventually(condition: Callable[[], bool]) -> None:
    """Poll until the condition holds; fails when patience ends."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.002)


def values(records: Iterable[Record]) -> list[str]:
    return [record.value.decode() for record in records]
