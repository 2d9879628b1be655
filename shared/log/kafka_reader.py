"""Reading committed records of assigned partitions: a consumer without group, whose silence is noticed."""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from kafka.consumer.fetcher import IsolationLevel
from kafka.errors import KafkaError, LogTruncationError, OffsetOutOfRangeError
from kafka.structs import TopicPartition as KafkaPartition
from kafka.util import Timer

from shared.log import INPUT_TOPICS, LogDamaged, LogUnavailable, Mark, Record, TopicPartition
from shared.log.kafka_consumer import close_consumer, consumer_of, refused_topics
from shared.log.kafka_options import said
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_records import Raw, Unreadable
from shared.log.limits import ALL_TOPICS, require_place
from shared.signing import Keyring

SIGNATURE_HEADER = "warledger-signature"
"""Header of an input or tick: "<key id>:<hex>" over the value. It is no header of the record as read."""

SILENT_SECONDS = 5.0
"""A partition of which no broker said anything for so long while it was asked is unavailable."""
UNPACKED_RECORDS = 20_000
"""Records that are unpacked at a time, and held until they are given: a packed batch may have a million of them."""
_RIGHTS = "an administrator's `warledger topics acls` says what is not granted"
_PAUSE_SECONDS = 1.0
"""Whoever did not poll for so long was not asking."""


_Question = Callable[[Any, Sequence[KafkaPartition], int], dict[KafkaPartition, int]]
"""What an asker is asked of partitions, and within how many milliseconds."""


class _Place:
    """One assigned partition: what was fetched and not yet given, and where the next fetch goes on."""

    __slots__ = ("at", "fetched", "heard", "records", "signed", "wanted")

    def __init__(self, place: TopicPartition, mark: Mark) -> None:
        self.wanted = place
        self.signed = place.topic in INPUT_TOPICS
        self.fetched, self.at = mark
        self.records: deque[Raw] = deque()
        self.heard = 0.0

    @property
    def offset(self) -> int:
        return self.records[0].offset if self.records else self.fetched


class KafkaReader:
    """A reader of committed records; used by one thread at a time.

    A broker that is away is told by LogUnavailable when a poll, or polls one after the other, got no word of an
    assigned partition for five seconds, and has no record of another to give. What was read before is not lost; the
    next poll asks again. While others give records without a pause, only `end` tells.
    """

    def __init__(
        self, place: KafkaPlace, keyring: Keyring | None, patience: float, *, bare_marks: bool = False
    ) -> None:
        """`patience`: seconds for an answer. `bare_marks`: give records of outcomes without key or value, too, of which
        ours hold marks alone; what somebody else put there without key is of no game."""
        self._place = place
        self._keyring = keyring or Keyring({})
        self._patience = patience
        self._bare_marks = bare_marks
        self._silent_seconds = min(SILENT_SECONDS, max(1.0, patience))
        self._places: dict[KafkaPartition, _Place] = {}
        self._turn: deque[_Place] = deque()
        self._consumer: Any = None
        self._asker: Any = None
        """A consumer that reads nothing: on a connection with a waiting fetch every question waits for that one."""
        self._asking_since = 0.0
        self._asked_last = float("-inf")

    def assign(self, marks: Mapping[TopicPartition, Mark]) -> None:
        for place in marks:
            require_place(*place)
        self._places = {self._named(place): _Place(place, mark) for place, mark in sorted(marks.items())}
        self._turn = deque(self._places.values())
        self._asked_last = float("-inf")
        if self._consumer is not None:
            self._seek()

    def poll(self, timeout: float, limit: int = 1000) -> list[Record]:
        """As the port says; it also returns early, with nothing, when a position passed what is no record."""
        deadline = time.monotonic() + timeout
        if not self._places:
            time.sleep(timeout)
            return []
        while True:
            if any(place.records for place in self._turn):
                return list(self._take(limit))
            left = deadline - time.monotonic()
            moved = self._fetch(min(max(0.0, left), _PAUSE_SECONDS))
            if any(place.records for place in self._turn):
                continue
            # What others give comes first: while one is read to the end of much, the rest is not asked.
            self._require_word()
            if moved or deadline <= time.monotonic():
                return []

    def position(self, place: TopicPartition) -> int:
        found = self._places.get(self._named(place))
        if found is None:
            raise ValueError(f"{place.topic}, partition {place.partition}, is not assigned")
        return found.offset

    def end(self, place: TopicPartition) -> int:
        require_place(*place)
        named = self._named(place)
        return self._ask([named], "ends", lambda asker, *of: asker.end_offsets(*of))[named]

    def written(self, places: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        named = {self._named(place): place for place in places}
        found = self._ask([*named], "ends", _written) if named else {}
        return {place: found[name] for name, place in named.items()}

    def close(self) -> None:
        self._places = {}
        self._turn.clear()
        self._drop()
        self._drop_asker()

    def _named(self, place: TopicPartition) -> KafkaPartition:
        return KafkaPartition(self._place.name(place.topic), place.partition)

    def _connected(self) -> Any:
        if self._consumer is None:
            topics = {named.topic for named in self._places}
            self._consumer = consumer_of(self._place, topics, self._patience, self._heard)
            self._seek()
        return self._consumer

    def _seek(self) -> None:
        self._consumer.assign(list(self._places))
        for named, place in self._places.items():
            self._consumer.seek(named, place.fetched)

    def _drop(self) -> None:
        """The next question is asked by a new consumer, from where the places stand."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            close_consumer(consumer)

    def _drop_asker(self) -> None:
        asker, self._asker = self._asker, None
        if asker is not None:
            close_consumer(asker)

    def _fetch(self, timeout: float) -> bool:
        """One question to the brokers at most; True if a place has moved on. Raises LogUnavailable, LogDamaged."""
        started = time.monotonic()
        if started - self._asked_last > _PAUSE_SECONDS:
            self._asking_since = started
        consumer = self._connected()
        try:
            fetched = consumer._poll_once(Timer(timeout * 1000), UNPACKED_RECORDS)
            # All are known before one is believed: a question that fails after this loses what was fetched.
            reached = _positions(consumer, self._places)
        except Exception as error:
            self._drop()
            raise self._failure(error) from error
        self._asked_last = time.monotonic()
        moved = False
        for named, place in self._places.items():
            moved |= reached[named] != place.fetched
            place.fetched = reached[named]
        for named, records in fetched.items():
            place = self._places[named]
            place.records.extend(
                record for record in records if place.signed or self._bare_marks or (record.key and record.value)
            )
        return moved

    def _take(self, limit: int) -> Iterator[Record]:
        """Records of the places in turn: each gives its share, whoever has more gives it when all had theirs."""
        left = limit
        while left > 0 and (having := [place for place in self._turn if place.records]):
            share = max(1, left // len(having))
            for place in having:
                for _ in range(min(share, len(place.records), left)):
                    left -= 1
                    yield self._record(place, place.records.popleft())
            self._turn.rotate(-1)

    def _record(self, place: _Place, raw: Raw) -> Record:
        signer, headers, key = None, {}, ""
        with suppress(UnicodeDecodeError, AttributeError):
            key = str(raw.key, "utf-8") if raw.key is not None else ""
            headers = {name.decode(): item.decode() for name, item in raw.headers}  # type: ignore[union-attr]
            signature = headers.pop(SIGNATURE_HEADER, None)
            if place.signed and signature is not None and raw.key is not None and raw.value is not None:
                signer = self._keyring.verify(signature, raw.value)
        # No signature covers the time: where the broker did not set it, it moves nothing.
        if raw.timestamp > place.at and (raw.stamped or not place.signed):
            place.at = raw.timestamp
        topic, partition = place.wanted
        return Record(topic, partition, raw.offset, place.at, key, raw.value or b"", headers, signer)

    def _heard(self, offsets: Mapping[KafkaPartition, int], response: Any) -> None:
        """Called by the consumer's own thread when a broker has answered what it was asked of these partitions."""
        now = time.monotonic()
        faulty = {
            (topic.topic, part.partition_index)
            for topic in response.responses
            for part in topic.partitions
            if part.error_code
        }
        places = self._places
        for named in offsets:
            place = places.get(named)
            if place is not None and tuple(named) not in faulty:
                place.heard = now

    def _require_word(self) -> None:
        now = time.monotonic()
        silent = [
            place.wanted
            for place in self._turn
            if now - max(place.heard, self._asking_since) > self._silent_seconds and not place.records
        ]
        if silent:
            named = ", ".join(f"{topic} {partition}" for topic, partition in silent[:3])
            more = f" and {len(silent) - 3} more" if len(silent) > 3 else ""
            self._asking_since = now
            refused = {self._place.name(place.topic) for place in silent} & refused_topics(self._consumer)
            hint = f": this log-in may not see {', '.join(sorted(refused))}; {_RIGHTS}" if refused else ""
            raise LogUnavailable(f"no broker says anything of {named}{more} at {', '.join(self._place.brokers)}{hint}")

    def _ask(self, named: Sequence[KafkaPartition], what: str, question: _Question) -> dict[KafkaPartition, int]:
        if self._asker is None:
            self._asker = consumer_of(self._place, map(self._place.name, ALL_TOPICS), self._patience, self._heard)
        try:
            return question(self._asker, named, round(self._patience * 1000))
        except Exception as error:
            self._drop_asker()
            told = "`warledger topics status` says whether its topics are there"
            asked = f"where partition {named[0].partition} of {named[0].topic} {what}"
            raise LogUnavailable(f"no answer from Kafka to the question {asked}: {said(error)}; {told}") from error

    def _failure(self, error: Exception) -> LogUnavailable:
        """What is raised for an error of the consumer: what does not pass is told apart."""
        if isinstance(error, Unreadable):
            return LogDamaged(said(error), [self._unnamed(error.place)])
        if isinstance(error, LogTruncationError):
            places = [self._unnamed(named) for named in error.divergent_offsets]
            return LogDamaged(f"records that were read are not there any more: {said(error)}", places)
        if isinstance(error, OffsetOutOfRangeError):
            return self._out_of_range(error)
        if isinstance(error, KafkaError):
            return LogUnavailable(f"Kafka gives no records: {said(error)}")
        return LogUnavailable(f"Kafka's answer was not understood: {said(error)}")

    def _out_of_range(self, error: Exception) -> LogUnavailable:
        """An offset that the broker does not have; asked again, as a broker that has just taken over may be behind."""
        wanted: dict[KafkaPartition, int] = error.args[0]
        faults, places = [], []
        for named, offset in wanted.items():
            place = self._unnamed(named)
            begin = self._begin(named)
            end = self.end(place)
            if not begin <= offset <= end:
                places.append(place)
                named_place = f"{place.topic}, partition {place.partition}"
                faults.append(f"{named_place}: offset {offset} is to be read, and {begin} to {end} are there")
        if places:
            return LogDamaged("; ".join(faults), places)
        return LogUnavailable(f"a broker was behind: {said(error)}")

    def _begin(self, named: KafkaPartition) -> int:
        return self._ask([named], "begins", lambda asker, *of: asker.beginning_offsets(*of))[named]

    def _unnamed(self, named: tuple[str, int]) -> TopicPartition:
        names = {self._place.name(topic): topic for topic in ALL_TOPICS}
        return TopicPartition(names[named[0]], named[1])


def _written(asker: Any, named: Sequence[KafkaPartition], timeout_ms: int) -> dict[KafkaPartition, int]:
    """Ends as a reader of what is not committed is told them; one consumer asks for both, so no connection is added."""
    fetcher = asker._fetcher
    committed, fetcher._isolation_level = fetcher._isolation_level, IsolationLevel.READ_UNCOMMITTED
    try:
        return asker.end_offsets(named, timeout_ms)  # type: ignore[no-any-return]
    finally:
        fetcher._isolation_level = committed


def _positions(consumer: Any, places: Collection[KafkaPartition]) -> dict[KafkaPartition, int]:
    """Where a consumer stands. Raises what it has found wrong with any place.

    Asked for one place it looks at all of them: to ask for each of 36 takes longer than all else in a poll.
    """
    consumer.position(next(iter(places)), timeout_ms=0)
    assigned = consumer._subscription.assignment
    return {named: assigned[named].position.offset for named in places}
