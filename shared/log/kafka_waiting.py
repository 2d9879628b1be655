"""Waits of kafka-python that have no end of their own, with one; and the end of a producer that is given up.

`commit_transaction` and `abort_transaction` wait for ever, and closing a producer first waits for all that it holds.
So the steps behind them are taken here, by the names that kafka-python (3.0) has for them.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from kafka import KafkaProducer
from kafka.errors import KafkaError, KafkaTimeoutError, MessageSizeTooLargeError, RecordListTooLargeError
from kafka.producer.transaction_manager import InitProducerIdHandler, ProducerIdAndEpoch, TransactionState
from kafka.structs import TopicPartition as KafkaPartition

from shared.faults import point
from shared.log import CHRONICLE, DEAD_LETTERS, TURNS
from shared.log.kafka_batches import BATCH_BYTES, Message, batches
from shared.log.kafka_client import make_client
from shared.log.kafka_options import CARRYING
from shared.log.kafka_place import KafkaPlace

OUTCOME_TOPICS = (TURNS, CHRONICLE, DEAD_LETTERS)
TRANSACTION_MS = 60_000
"""An open transaction of an owner that is gone holds its readers up for so long, if nobody takes over before."""
REQUEST_BYTES = 8_000_000
_JOIN_SECONDS = 0.2


class Identity(NamedTuple):
    """What the cluster knows a transactional producer by. A newer one of the same name fences it."""

    producer: int
    epoch: int


class TransactionalProducer:
    """The producer of one transactional id; every method returns or raises KafkaError within its time."""

    def __init__(self, place: KafkaPlace, name: str, patience: float) -> None:
        """Raises LogUnavailable."""
        self._patience = patience
        self._producer = make_client(
            KafkaProducer,
            place,
            topics=map(place.name, OUTCOME_TOPICS),
            **CARRYING,
            transactional_id=name,
            enable_idempotence=True,
            acks="all",
            linger_ms=0,
            # "Still committing the last one" is asked again after this time: 100 would be the time of a transaction.
            retry_backoff_ms=1,
            batch_size=BATCH_BYTES,
            max_request_size=REQUEST_BYTES,
            max_block_ms=round(patience * 1000),
            # Each record has at least its own time; the whole is watched by `send`.
            delivery_timeout_ms=TRANSACTION_MS,
            request_timeout_ms=max(1_000, round(patience * 1000)),
            transaction_timeout_ms=TRANSACTION_MS,
        )
        # What a topic takes no more is cut in two by the library, and who waits for the whole would hear of neither.
        self._producer._sender._can_split = lambda *_: False
        self._transactions = self._producer._transaction_manager

    @property
    def identity(self) -> Identity:
        known = self._transactions.producer_id_and_epoch
        return Identity(known.producer_id, known.epoch)

    @property
    def fault(self) -> BaseException | None:
        """What ended the producer or its transaction, if something did."""
        return self._transactions.last_error  # type: ignore[no-any-return]

    def begin(self) -> None:
        """Take the transactional id over: fences its former producer and ends that one's transaction."""
        self._producer.init_transactions()

    def resume(self, identity: Identity) -> None:
        """Go on as this producer, under its next epoch, if nobody has taken the id over since; ends its transaction.

        Raises ProducerFencedError if somebody has.
        """
        with self._transactions._lock:
            self._transactions.set_producer_id_and_epoch(ProducerIdAndEpoch(*identity))
            self._transactions._transition_to(TransactionState.INITIALIZING)
            handler = InitProducerIdHandler(
                self._transactions, self._transactions.transaction_timeout_ms, is_epoch_bump=True
            )
            # Asked as such; but where the answer is "not yours any more" the library would take over, as `begin` does.
            handler._is_epoch_bump = False
            self._transactions._enqueue_request(handler)
        self._finish(handler.result, self._patience)

    def send(self, partition: int, messages: Sequence[Message], seconds: float) -> dict[str, int]:
        """Send messages in a new transaction; returns the offset behind the last of each topic, once all are written.

        Raises KafkaError.
        """
        deadline = time.monotonic() + seconds
        self._producer.begin_transaction()
        by_topic: dict[str, list[Message]] = {}
        for message in messages:
            by_topic.setdefault(message.topic, []).append(message)
        # All at once: each request that adds a partition is a round trip, and meanwhile records are packed here.
        for topic in by_topic:
            self._transactions.maybe_add_partition_to_transaction(KafkaPartition(topic, partition))
        self._producer._sender.wakeup()
        sent = {topic: self._enqueue(KafkaPartition(topic, partition), given) for topic, given in by_topic.items()}
        ends = {}
        for topic, found in sent.items():
            for batch in found:
                ends[topic] = _offset(batch, deadline) + batch.record_count
        return ends

    def _enqueue(self, place: KafkaPartition, messages: Sequence[Message]) -> list[Any]:
        """Leave messages to the thread that sends them, as `KafkaProducer.send` does; returns their batches."""
        accumulator = self._producer._accumulator
        made = []
        accumulator._appends_in_progress.increment()
        try:
            for batch in batches(place, messages):
                with accumulator._tp_lock(place):
                    if accumulator._closed:
                        raise KafkaError("the producer was given up meanwhile")
                    accumulator._incomplete.add(batch)
                    accumulator._batches[place].append(batch)
                self._producer._sender.wakeup()
                made.append(batch)
        finally:
            accumulator._appends_in_progress.decrement()
        return made

    def commit(self, seconds: float) -> None:
        """End the transaction, everything of which must have been written: else it could end as an empty one."""
        ending = self._transactions.begin_commit()
        self._producer._sender.wakeup()
        point("log.ending")
        self._finish(ending, seconds)

    def discard(self) -> None:
        """Send nothing more."""
        discard(self._producer)

    def _finish(self, result: Any, seconds: float) -> None:
        self._producer._sender.wakeup()
        if not result.wait(timeout_ms=round(seconds * 1000)):
            raise KafkaTimeoutError(f"no answer for {seconds:.1f} seconds")


def _offset(batch: Any, deadline: float) -> int:
    """Where the first record of a batch stands, once it is written. Raises KafkaError."""
    answer = batch.produce_future
    if not answer.wait(max(0.0, deadline - time.monotonic())):
        raise KafkaTimeoutError("no broker says in time that it has the records")
    offset, _, failure = answer.value
    if failure is not None:
        error = failure(0)
        if isinstance(error, MessageSizeTooLargeError | RecordListTooLargeError):  # until somebody mends the topic
            told = "takes less at once than it must: `warledger topics status` says why"
            raise KafkaError(f"{batch.topic_partition.topic} {told}") from error
        raise error
    if offset < 0:  # taken for a copy of what was written before: nobody knows where
        raise KafkaError("a broker did not say where a record stands")
    return int(offset)


def discard(producer: Any) -> None:
    """End a producer at once: what it holds fails, and its thread ends with what it is waiting for (bounded)."""
    with suppress(KafkaError):
        producer._unregister_cleanup()
        producer._sender.force_close()
        producer._sender.join(_JOIN_SECONDS)
        producer._closed = True
