"""The SQLite adapter of the event log: a folder of files on one machine, for one group of processes.

orders.db, votes.db and trades.db are appended to by their intake and, with ticks, by the resolver; journal.db is
written by the resolver. Tables are described in `sqlite_schema`.
"""

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from shared.clock import Clock, SystemClock
from shared.log import (
    INPUT_TOPICS,
    PARTITIONS,
    TICKS,
    Coordinates,
    Draft,
    LogUnavailable,
    Mark,
    Membership,
    Ownership,
    Reader,
    TopicPartition,
)
from shared.log.sqlite_append import TopicWriter
from shared.log.sqlite_ownership import JournalWriter
from shared.log.sqlite_reader import SqliteReader
from shared.signing import Keyring, Signer
from shared.sqlite_file import PATIENCE


class SqliteLog:
    """The event log in a folder. `signer` signs appends, `keyring` tells which signatures are believed.

    The keyring of a log that appends should hold every key that may write to the same topic (its own and `ticks`), as
    no record gets a time before that of the last genuine one; without a keyring only its own key is believed there.
    A log without a keyring reads every input record as forged. `patience` is the time in seconds that a call waits for
    a lock before it raises LogUnavailable.
    """

    def __init__(
        self,
        folder: Path,
        signer: Signer | None = None,
        keyring: Keyring | None = None,
        clock: Clock | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        self._folder = folder
        self._signer = signer
        self._keyring = keyring
        self._clock: Clock = clock or SystemClock()
        self._patience = patience
        self._writers: dict[tuple[int, str], TopicWriter] = {}
        self._journals: dict[int, JournalWriter] = {}

    def append(self, topic: str, drafts: Sequence[Draft]) -> list[Coordinates]:
        writer = self._writer(topic)
        return writer.append(drafts) if drafts else []

    def identity(self) -> str:
        return f"sqlite:{self._journal().identity()}"

    def check(self, topic: str) -> None:
        """It reads: a full disk is told by an append alone."""
        reader = SqliteReader(self._folder, self._keyring, self._patience)
        try:
            reader.end(TopicPartition(topic, 0))
        finally:
            reader.close()
        if self._folder.exists() and not os.access(self._folder, os.W_OK):
            raise LogUnavailable(f"{self._folder} cannot be written")

    def tick(self, places: Collection[TopicPartition]) -> None:
        if self._signer is None or self._signer.key_id != TICKS:
            raise ValueError(f"ticks are signed with the key {TICKS!r}")
        for topic in sorted({place.topic for place in places}):  # a file each, so one wait for the disk
            self._writer(topic).tick([place.partition for place in places if place.topic == topic])

    def own(self, partition: int, owner: str) -> Ownership:
        return self._journal().own(partition, owner)

    def marks(self, partition: int) -> Mapping[str, Mark]:
        return self._journal().marks(partition)

    def reader(self, group: str | None = None) -> Reader:
        """A reader of its own. The group is not used: on one machine the lag is seen from marks and checkpoints."""
        return SqliteReader(self._folder, self._keyring, self._patience)

    def membership(self, group: str, member: str, *, fenced: bool = True) -> Membership:
        return WholeMembership()

    def close(self) -> None:
        """Close this process's connections for writing; readers are closed by who made them."""
        pid = os.getpid()
        for (owner, _), writer in list(self._writers.items()):
            if owner == pid:
                writer.close()
        if pid in self._journals:
            self._journals[pid].close()

    def _writer(self, topic: str) -> TopicWriter:
        key = (os.getpid(), topic)
        found = self._writers.get(key)
        if found is not None:
            return found
        if topic not in INPUT_TOPICS:
            raise ValueError(f"nothing is appended to {topic!r}; topics of inputs: {', '.join(INPUT_TOPICS)}")
        signer = self._signer
        if signer is None:
            raise ValueError("a log that appends needs a signer")
        keyring = self._keyring or Keyring({signer.key_id: signer.key})
        made = TopicWriter(self._folder, topic, signer, keyring, self._clock, self._patience)
        return self._writers.setdefault(key, made)

    def _journal(self) -> JournalWriter:
        pid = os.getpid()
        return self._journals.get(pid) or self._journals.setdefault(
            pid, JournalWriter(self._folder, self._clock, self._patience)
        )


class WholeMembership:
    """On one machine one process owns everything: all partitions, always."""

    def partitions(self) -> frozenset[int]:
        return frozenset(range(PARTITIONS))

    def fault(self) -> str | None:
        return None

    def close(self) -> None:
        """Nothing is held."""
