"""The producer that all appends of a process share: made at the first use, ended when it has failed.

A batch that kafka-python (3.0) gives up after it was sent leaves the producer without an id for ever, and one that it
keeps may be delivered when nobody waits for it any more. So after any failure the producer goes, with all that it
holds, and the next call makes another. Where only some partitions take nothing, those who wait for others in the same
producer have their answers first.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kafka import KafkaProducer
from kafka.structs import TopicPartition as KafkaPartition

from shared.log import INPUT_TOPICS, LogUnavailable
from shared.log.kafka_client import make_client
from shared.log.kafka_options import CARRYING
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_waiting import discard

REQUEST_BYTES = 4_000_000
BATCH_BYTES = 256_000
RETRY_MS = 20


def input_options(patience: float) -> dict[str, Any]:
    """A producer whose every wait ends within `patience` seconds."""
    return {
        **CARRYING,
        "enable_idempotence": True,
        "acks": "all",
        "linger_ms": 0,
        "batch_size": BATCH_BYTES,
        "max_request_size": REQUEST_BYTES,
        "max_block_ms": round(patience * 1000),
        # Nobody waits longer than `patience`. What one partition does not take must not be given up by the library
        # before the producer is, with those who came after it and wait for other partitions.
        "delivery_timeout_ms": round(patience * 2000),
        # A connection that went silent is given up in time for a second try on another.
        "request_timeout_ms": round(patience * 500),
        "retry_backoff_ms": RETRY_MS,
    }


class Lent:
    """A producer, and how many calls wait for what they gave to it."""

    def __init__(self, producer: Any) -> None:
        self.producer = producer
        self.users = 1
        self.retired = False
        self.ended = False


class SharedProducer:
    """One producer at a time for all threads of a process."""

    def __init__(self, place: KafkaPlace, patience: float) -> None:
        self._place = place
        self._patience = patience
        self._lent: Lent | None = None
        self._making = threading.Lock()
        self._counting = threading.Lock()
        self._sought_in_vain = 0
        """How often no broker was found."""

    @contextmanager
    def using(self) -> Iterator[Lent]:
        """The producer; until the block ends it is not ended for a partition's sake. Raises LogUnavailable."""
        lent = self._connected()
        try:
            yield lent
        finally:
            with self._counting:
                lent.users -= 1
                last = lent.retired and not lent.users
            if last:
                self._end(lent)

    def give_up(self, lent: Lent) -> None:
        """End it at once, with all that anybody waits for."""
        self._forget(lent)
        self._end(lent)

    def retire(self, lent: Lent) -> None:
        """Give it nothing more; it is ended once nobody waits for what it has."""
        with self._counting:
            lent.retired = True
        self._forget(lent)

    def close(self) -> None:
        """Nothing is sent any more."""
        lent, self._lent = self._lent, None
        if lent is not None:
            self._end(lent)

    def is_led(self, topic: str, partition: int) -> bool:
        """Whether a partition has a leader, as far as is known; if not the cluster is asked, and nobody waits."""
        lent = self._lent
        if lent is None:
            return True
        metadata = lent.producer._metadata
        if metadata.leader_for_partition(KafkaPartition(self._place.name(topic), partition)) not in (None, -1):
            return True
        metadata.request_update()
        return False

    def _taken(self) -> Lent | None:
        with self._counting:
            if self._lent is not None:
                self._lent.users += 1
            return self._lent

    def _connected(self) -> Lent:
        if (lent := self._taken()) is not None:
            return lent
        sought = self._sought_in_vain
        with self._making:
            if (lent := self._taken()) is not None:
                return lent
            if self._sought_in_vain != sought:
                # Whoever waited for another's search has its answer; they would search one after the other.
                raise LogUnavailable(f"no Kafka broker answers at {', '.join(self._place.brokers)}")
            self._lent = made = Lent(self._made())
            return made

    def _made(self) -> Any:
        try:
            return make_client(
                KafkaProducer, self._place, topics=map(self._place.name, INPUT_TOPICS), **input_options(self._patience)
            )
        except LogUnavailable:
            self._sought_in_vain += 1
            raise

    def _forget(self, lent: Lent) -> None:
        with self._counting:
            if self._lent is lent:
                self._lent = None

    def _end(self, lent: Lent) -> None:
        with self._counting:
            ended, lent.ended = lent.ended, True
        if not ended:
            discard(lent.producer)
