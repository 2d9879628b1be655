"""The Kafka adapter of the event log: six topics of one cluster, for as many machines as its users need.

Topics, groups and transactional ids are named by the place (`kafka_place`); the topics are made by `kafka_topics`.
"""

import os
import threading
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence

from shared.log import INPUT_TOPICS, TICKS, Coordinates, Draft, Mark, Membership, Ownership, Reader, TopicPartition
from shared.log.kafka_append import InputWriter
from shared.log.kafka_client import cluster_id
from shared.log.kafka_holders import Holders
from shared.log.kafka_membership import KafkaMembership
from shared.log.kafka_ownership import KafkaOwnership, last_marks, require_ended
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_reader import KafkaReader
from shared.log.limits import require_input_topic, require_place
from shared.signing import Keyring, Signer

PATIENCE = 6.0
"""Seconds that a call waits for the cluster; shorter than the gateway waits for an intake."""


class KafkaLog:
    """The event log in a Kafka cluster. `signer` signs appends, `keyring` tells which signatures are believed.

    A log without a keyring reads every input record as forged. `patience` is the time in seconds within which a call
    returns or raises; a commit of much data has more. Clients are made at the first call that needs them, one a
    process and purpose: a process that only appends has a producer and nothing else.
    """

    def __init__(
        self,
        place: KafkaPlace,
        signer: Signer | None = None,
        keyring: Keyring | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        self._place = place
        self._signer = signer
        self._keyring = keyring
        self._patience = patience
        self._clients: dict[int, _Clients] = {}

    def append(self, topic: str, drafts: Sequence[Draft]) -> list[Coordinates]:
        require_input_topic(topic)
        writer = self._writer()
        return writer.append(topic, drafts) if drafts else []

    def identity(self) -> str:
        """The cluster's own id, and the prefix that this installation has in it."""
        return f"kafka:{cluster_id(self._place, self._patience)}/{self._place.prefix}"

    def check(self, topic: str) -> None:
        require_input_topic(topic)
        self._writer().check(topic)

    def tick(self, places: Collection[TopicPartition]) -> None:
        if self._signer is None or self._signer.key_id != TICKS:
            raise ValueError(f"ticks are signed with the key {TICKS!r}")
        self._writer().tick(places)

    def own(self, partition: int, owner: str) -> Ownership:
        """Take the partition over. The cluster does not keep the owner's name; its clients' addresses are known."""
        clients = self._here()
        taken = KafkaOwnership(self._place, partition, self._patience, clients.last_marks, clients.holders.of)
        clients.owned.add(taken)
        return taken

    def marks(self, partition: int) -> Mapping[str, Mark]:
        require_place(INPUT_TOPICS[0], partition)
        return self._here().marks(partition)

    def reader(self, group: str | None = None) -> Reader:
        """A reader of its own. The group is not used: the lag is seen from marks and checkpoints."""
        return KafkaReader(self._place, self._keyring, self._patience)

    def membership(self, group: str, member: str, *, fenced: bool = True) -> Membership:
        return KafkaMembership(self._place, group, member, fenced=fenced)

    def close(self) -> None:
        """Give up what this process appends and owns with; readers and memberships are closed by who made them."""
        clients = self._clients.pop(os.getpid(), None)
        if clients is not None:
            clients.close()

    def _here(self) -> "_Clients":
        pid = os.getpid()
        return self._clients.get(pid) or self._clients.setdefault(pid, _Clients(self._place, self._patience))

    def _writer(self) -> InputWriter:
        signer = self._signer
        if signer is None:
            raise ValueError("a log that appends needs a signer")
        return self._here().writer(lambda: InputWriter(self._place, signer, self._patience))


class _Clients:
    """What one process has of clients; those of the process that it was forked from are left alone."""

    def __init__(self, place: KafkaPlace, patience: float) -> None:
        self.holders = Holders(place, patience)
        self.owned: weakref.WeakSet[KafkaOwnership] = weakref.WeakSet()
        self._journal = KafkaReader(place, None, patience, bare_marks=True)
        self._reading = threading.Lock()
        self._making = threading.Lock()
        self._writer: InputWriter | None = None

    def marks(self, partition: int) -> dict[str, Mark]:
        with self._reading:
            return last_marks(self._journal, partition)

    def last_marks(self, partition: int) -> dict[str, Mark]:
        """The marks for an owner: raises LogUnavailable while it cannot be known whether others follow."""
        with self._reading:
            require_ended(self._journal, partition)
            return last_marks(self._journal, partition)

    def writer(self, make: Callable[[], InputWriter]) -> InputWriter:
        if self._writer is None:
            with self._making:
                self._writer = self._writer or make()
        return self._writer

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        for ownership in list(self.owned):
            ownership.release()
        with self._reading:
            self._journal.close()
        self.holders.close()
