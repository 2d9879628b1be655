"""Appending to input topics, for all threads of a process.

What failed is not known to be written or not, unless a broker has refused it. It is told apart whether the brokers are
away, or take the records of some partitions and not those of others: then each draft has its own outcome.
"""

import functools
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from kafka.errors import (
    InvalidRecordError,
    InvalidTimestampError,
    InvalidTopicError,
    KafkaError,
    MessageSizeTooLargeError,
    PolicyViolationError,
    RecordListTooLargeError,
    TopicAuthorizationFailedError,
)

from shared.log import (
    PARTITIONS,
    AppendedInPart,
    AppendUnknown,
    Coordinates,
    Draft,
    LogUnavailable,
    TopicPartition,
    partition_of,
)
from shared.log.kafka_options import said
from shared.log.kafka_partitions import TRIAL_SECONDS, AwayPartitions, Place
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_producing import Lent, SharedProducer
from shared.log.kafka_reader import SIGNATURE_HEADER
from shared.log.limits import require_input_topic, require_size
from shared.signing import Signer

WAITING_BYTES = 64_000_000
"""Drafts of this size may wait for the broker at a time, in one process; more are refused at once."""
CHECK_SECONDS = 2.0
PARTITION_SHARE = 0.4
"""Share of the patience that a partition has for a record while brokers answer: less than a gateway has for the whole
(services/gateway/breaker.py), so that one partition without leader does not look like a log that is away."""
_LOOK_SECONDS = 0.1

_partition_of = functools.lru_cache(maxsize=65_536)(partition_of)


class _Refused(LogUnavailable):
    """A broker, or what the cluster says of the topic, has refused a record: it is not written. Brokers do answer."""

    def __init__(self, reason: str, *, record_alone: bool = False, sent: bool = True) -> None:
        super().__init__(reason)
        self.record_alone = record_alone
        """Whether the partition may take another record."""
        self.sent = sent


class _Record(NamedTuple):
    topic: str
    partition: int
    draft: Draft

    @property
    def place(self) -> Place:
        return self.topic, self.partition


class InputWriter:
    """Appends to the input topics for all threads of one process.

    While the broker is known to be away one caller at a time tries it, all others are refused at once; so it is with
    each partition that takes nothing while brokers answer.
    """

    def __init__(self, place: KafkaPlace, signer: Signer, patience: float) -> None:
        self._place = place
        self._signer = signer
        self._patience = patience
        self._shared = SharedProducer(place, patience)
        self._partitions = AwayPartitions()
        self._trying = threading.Lock()
        self._away: str | None = None
        """Why the last call failed; None once one has succeeded since."""
        self._room = threading.Lock()
        self._waiting_bytes = 0

    def append(self, topic: str, drafts: Sequence[Draft]) -> list[Coordinates]:
        """Append drafts, each to the partition of its key.

        Raises TooLarge, LogUnavailable, AppendUnknown or AppendedInPart.
        """
        require_input_topic(topic)
        size = require_size(drafts)
        with self._space(size):
            return self._write([_Record(topic, _partition_of(draft.key), draft) for draft in drafts])

    def tick(self, places: Collection[TopicPartition]) -> None:
        """Append a record without key and value to each of these partitions. Raises LogUnavailable."""
        for place in places:
            require_input_topic(place.topic)
        self._write([_Record(topic, partition, _TICK) for topic, partition in places])

    def check(self, topic: str) -> None:
        """Ask the brokers what topics there are. Raises LogUnavailable if none answers within two seconds, or if this
        one is missing, not to be seen, or has another number of partitions.

        What comes of it is no news for callers that append: a slow answer to this one refuses none of them.
        """
        answered = threading.Event()
        with self._shared.using() as lent:
            asked = lent.producer._metadata.request_update()
            asked.add_both(lambda *_: answered.set())
            if not answered.wait(CHECK_SECONDS):
                raise LogUnavailable(f"no Kafka broker answers at {', '.join(self._place.brokers)}")
        if asked.failed():
            raise LogUnavailable(f"Kafka does not answer: {said(asked.exception)}")
        if fault := self._topic_fault(lent.producer, topic):
            raise LogUnavailable(fault)

    def close(self) -> None:
        """Nothing is sent any more."""
        self._shared.close()

    def _topic_fault(self, producer: Any, topic: str) -> str | None:
        """Why a topic cannot take all that is appended to it, as far as the cluster says; asks nobody."""
        name = self._place.name(topic)
        if name in producer._metadata.unauthorized_topics:
            return f"the account of WARLEDGER_LOG may not see the topic {name}: see `warledger topics acls`"
        found = len(producer._metadata.partitions_for_topic(name) or ())
        if found == PARTITIONS:
            return None
        state = f"has {found} partitions, not {PARTITIONS}" if found else "is missing"
        return f"topic {name} {state}: see `warledger topics status`"

    @contextmanager
    def _space(self, size: int) -> Iterator[None]:
        with self._room:
            if self._waiting_bytes and self._waiting_bytes + size > WAITING_BYTES:
                raise LogUnavailable(f"{self._waiting_bytes:,} bytes wait for Kafka already")
            self._waiting_bytes += size
        try:
            yield
        finally:
            with self._room:
                self._waiting_bytes -= size

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        """A call to the broker; what comes of it tells the next callers whether it is away."""
        tried_alone = self._away is not None
        if tried_alone and not self._trying.acquire(blocking=False):
            raise LogUnavailable(self._away or "Kafka is away")
        try:
            yield
            self._away = None
        except LogUnavailable as error:
            self._away = str(error)
            raise
        finally:
            if tried_alone:
                self._trying.release()

    def _write(self, records: Sequence[_Record]) -> list[Coordinates]:
        """Send what is not refused for its partition; AppendedInPart if not all were acknowledged."""
        refused = [self._refusal(record) for record in records]
        to_send = [record for record, refusal in zip(records, refused, strict=True) if refusal is None]
        sent: Iterator[Coordinates | LogUnavailable] = iter(())
        if to_send:
            with self._attempt():
                sent = iter(self._send(to_send))
        outcomes = [next(sent) if refusal is None else refusal for refusal in refused]
        places = [item for item in outcomes if isinstance(item, Coordinates)]
        if len(places) < len(records):
            raise AppendedInPart(outcomes)
        return places

    def _refusal(self, record: _Record) -> LogUnavailable | None:
        reason = self._partitions.refusal(record.place, lambda place: self._shared.is_led(*place))
        return None if reason is None else LogUnavailable(reason)

    def _send(self, records: Sequence[_Record]) -> list[Coordinates | LogUnavailable]:
        """What became of each. Raises LogUnavailable or AppendUnknown where it is the brokers that are away."""
        begun = time.monotonic()
        with self._shared.using() as lent:
            try:
                futures = [self._future(lent.producer, record) for record in records]
            except Exception as error:  # whatever the client raises, each draft needs an outcome
                # Some may be on their way, if there are some.
                self._shared.give_up(lent)
                raise _failure(error, sent=len(records) > 1) from error
            waiting = _Waiting(lent.producer, begun, self._patience)
            found = [
                future
                if isinstance(future, _Refused)
                else waiting.outcome(record, future, trial=self._partitions.is_away(record.place))
                for record, future in zip(records, futures, strict=True)
            ]
            self._judge(lent, records, found, heard=waiting.heard)
        return found

    def _judge(
        self, lent: Lent, records: Sequence[_Record], found: Sequence[Coordinates | LogUnavailable], *, heard: bool
    ) -> None:
        """Learn from what became of records; raises what is the same for all of them: no broker answers."""
        failures = [item for item in found if isinstance(item, LogUnavailable)]
        refused = [item for item in failures if isinstance(item, _Refused)]
        if len(failures) == len(found) and not heard and not refused:
            self._shared.give_up(lent)
            raise failures[0]
        if len(failures) > sum(not item.sent for item in refused):
            self._shared.retire(lent)
        for record, item in zip(records, found, strict=True):
            if isinstance(item, Coordinates):
                self._partitions.reached(record.place)
            elif not isinstance(item, _Refused):
                self._partitions.lost(record.place, f"partition {record.partition} of {record.topic} takes nothing")
            elif not item.record_alone:
                self._partitions.lost(record.place, str(item))

    def _future(self, producer: Any, record: _Record) -> Any:
        topic, partition, draft = record
        known = producer._metadata.partitions_for_topic(self._place.name(topic))
        if known is not None and partition not in known:
            producer._metadata.request_update()
            fault = self._topic_fault(producer, topic) or f"partition {partition} of {topic} is not known yet"
            return _Refused(fault, sent=False)
        headers = [*((name, item.encode()) for name, item in draft.headers.items()), self._signature(draft)]
        return producer.send(self._place.name(topic), draft.value, draft.key.encode(), headers, partition)

    def _signature(self, draft: Draft) -> tuple[str, bytes]:
        return SIGNATURE_HEADER, self._signer.sign(draft.value).encode()


class _Waiting:
    """How long a call waits for what it sent: longer while no broker says anything than for a partition alone."""

    def __init__(self, producer: Any, begun: float, patience: float) -> None:
        self._producer = producer
        self._end = begun + patience
        self._soon = begun + patience * PARTITION_SHARE
        self._trial_end = min(self._soon, begun + TRIAL_SECONDS)
        self._look = begun + (self._trial_end - begun) / 2
        self._asked = False
        self.heard = False
        """Whether a broker has answered a question that was asked after half of the time."""

    def outcome(self, record: _Record, future: Any, *, trial: bool) -> Coordinates | LogUnavailable:
        """Wait for one record."""
        while not future.is_done and (left := self._left(trial=trial)) > 0:
            future._produce_future.wait(min(left, _LOOK_SECONDS))
        if not future.is_done:
            return AppendUnknown("Kafka has not acknowledged it in time")
        try:
            item = future.get(0)
        except Exception as error:  # as above
            return _failure(error, sent=True)
        if item.offset < 0:
            return AppendUnknown("a broker did not say where a record stands")
        return Coordinates(record.topic, record.partition, item.offset, item.timestamp)

    def _left(self, *, trial: bool) -> float:
        now = time.monotonic()
        if now >= self._look and not self._asked:
            self._asked = True
            self._producer._metadata.request_update().add_callback(self._hear)
        end = self._soon if self.heard else self._end
        return (min(end, self._trial_end) if trial else end) - now

    def _hear(self, *_: Any) -> None:
        self.heard = True


_TICK = Draft("", b"", {})


_FOR_GOOD = (InvalidTopicError, PolicyViolationError, TopicAuthorizationFailedError)
"""What brokers refuse before they write anything, as they will refuse all others of the topic."""
_THIS_ONE = (InvalidRecordError, InvalidTimestampError, MessageSizeTooLargeError, RecordListTooLargeError)
"""The same of a record, or of those that were sent with it."""


def _failure(error: Exception, *, sent: bool) -> LogUnavailable:
    if isinstance(error, (*_FOR_GOOD, *_THIS_ONE)):
        told = f"Kafka has refused it, see `warledger topics status` and the rights of the account: {said(error)}"
        return _Refused(told, record_alone=isinstance(error, _THIS_ONE))
    if not isinstance(error, KafkaError):
        return AppendUnknown(f"Kafka's client failed: {said(error)}")
    return (AppendUnknown if sent else LogUnavailable)(f"Kafka has not acknowledged it: {said(error)}")
