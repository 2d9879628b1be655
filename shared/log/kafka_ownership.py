"""Ownership of partitions and the atomic outcome: one transactional id per partition, one transaction per outcome.

The fence is the epoch that the cluster gives to each producer of a transactional id. Whatever an abandoned producer of
ours still has on its way, the end of its transaction included, arrives before the next takeover, which then sees it
done (it waits until the former transaction has ended, markers written), or after it, and is refused for its epoch.
"""

import time
from collections.abc import Callable, Mapping, Sequence

import orjson
from kafka.errors import InvalidProducerEpochError, KafkaError, ProducerFencedError

from shared.faults import point
from shared.log import (
    CHRONICLE,
    DEAD_LETTERS,
    INPUT_TOPICS,
    START,
    TURNS,
    CommitUnknown,
    Draft,
    Fenced,
    LogDamaged,
    LogUnavailable,
    Mark,
    Outcome,
    TopicPartition,
)
from shared.log.kafka_batches import Message
from shared.log.kafka_options import said
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_reader import KafkaReader
from shared.log.kafka_waiting import Identity, TransactionalProducer
from shared.log.limits import require_place, require_size
from shared.log.outcomes import MARKS_HEADER, check_marks, marks_text
from shared.log.reading import open_now

BYTES_A_SECOND = 2_000_000
"""An outcome may take a second longer for so many bytes."""
_FIRST_LOOK = 8
"""Offsets before the end in which the last commit's marks are sought first; eight times as many each time after."""
_FENCES = (ProducerFencedError, InvalidProducerEpochError)


def transactional_id(place: KafkaPlace, partition: int) -> str:
    return place.name(f"{TURNS}-{partition}")


def last_marks(reader: KafkaReader, partition: int) -> dict[str, Mark]:
    """Marks of the partition's last commit; START where there is none. Raises LogUnavailable or LogDamaged.

    They stand on the last record of each commit, so behind them come only markers and what was aborted. A commit behind
    the beginning of an open transaction is not seen: whoever goes on from the marks asks `require_ended` before.
    """
    turns = TopicPartition(TURNS, partition)
    stop = reader.end(turns)
    step = _FIRST_LOOK
    while stop > 0:
        start = max(0, stop - step)
        found = None
        reader.assign({turns: Mark(start, 0)})
        while reader.position(turns) < stop:
            for record in reader.poll(1.0):
                if record.offset < stop and MARKS_HEADER in record.headers:
                    found = record.headers[MARKS_HEADER]
        if found is not None:
            return _read_marks(found, turns)
        stop, step = start, step * 8
    return dict.fromkeys(INPUT_TOPICS, START)


def require_ended(reader: KafkaReader, partition: int) -> None:
    """Raises LogUnavailable while a transaction is open in the partition's turns.

    An owner that has just taken over has ended its predecessor's, so it is somebody else's. What was committed behind
    its beginning nobody can read yet: judged again from older marks it would stand in the journal twice.
    """
    for hold in open_now(reader, [TopicPartition(TURNS, partition)]):
        raise LogUnavailable(f"a takeover waits for what may be committed there: {hold}")


def _read_marks(text: str, turns: TopicPartition) -> dict[str, Mark]:
    try:
        marks = {topic: Mark(*map(int, mark)) for topic, mark in orjson.loads(text).items()}
        check_marks(dict.fromkeys(INPUT_TOPICS, START), marks)
    except (ValueError, TypeError, AttributeError) as error:
        message = f"{TURNS}, partition {turns.partition}: the marks of the last commit cannot be read: {error}"
        raise LogDamaged(message, [turns]) from error
    return marks


class KafkaOwnership:
    """The right to write one partition's outcome, until it is released, fenced or fails."""

    def __init__(
        self,
        place: KafkaPlace,
        partition: int,
        patience: float,
        look_up: Callable[[int], dict[str, Mark]],
        current: Callable[[str], Identity],
    ) -> None:
        """Take the partition over. `look_up` reads the marks of the last commit, or raises LogUnavailable where that
        cannot be known; `current` tells who holds a transactional id.

        Raises LogUnavailable.
        """
        require_place(TURNS, partition)
        self.partition = partition
        self._place = place
        self._patience = patience
        self._current = current
        self._ended = False
        self._producer: TransactionalProducer | None = TransactionalProducer(
            place, transactional_id(place, partition), patience
        )
        try:
            self._producer.begin()
            point("log.taking_over")
            self._identity = self._producer.identity
            self._marks = look_up(partition)  # only now: what the former owner had under way is ended
        except KafkaError as error:
            self.release()
            raise LogUnavailable(f"partition {partition} cannot be taken over: {said(error)}") from error
        except BaseException:
            self.release()
            raise

    def marks(self) -> Mapping[str, Mark]:
        return dict(self._marks)

    def commit(self, outcome: Outcome) -> int:
        if self._ended:
            raise Fenced(f"this ownership of partition {self.partition} has ended; take the partition over again")
        self._ended = True
        check_marks(self._marks, outcome.marks)
        size = sum(require_size(drafts) for drafts in (outcome.turns, outcome.chronicle, outcome.dead_letters))
        try:
            end = self._write(self._messages(outcome), self._patience + size / BYTES_A_SECOND)
        except LogUnavailable:
            self._ended = False
            raise
        self._ended = False
        self._marks = dict(outcome.marks)
        return end

    def held(self) -> bool:
        """Asks the cluster who holds the transactional id."""
        return not self._ended and self._current(transactional_id(self._place, self.partition)) == self._identity

    def release(self) -> None:
        self._ended = True
        self._drop()

    def _drop(self) -> None:
        producer, self._producer = self._producer, None
        if producer is not None:
            producer.discard()

    def _messages(self, outcome: Outcome) -> list[Message]:
        turns = [*outcome.turns] or [Draft("", b"", {})]
        turns[-1] = turns[-1]._replace(headers={**turns[-1].headers, MARKS_HEADER: marks_text(outcome.marks)})
        return [
            Message(
                self._place.name(topic),
                draft.value,
                draft.key.encode(),
                [(name, item.encode()) for name, item in draft.headers.items()],
            )
            for topic, drafts in ((CHRONICLE, outcome.chronicle), (DEAD_LETTERS, outcome.dead_letters), (TURNS, turns))
            for draft in drafts
        ]

    def _write(self, messages: Sequence[Message], seconds: float) -> int:
        """One transaction; returns the end offset of the turns. Raises Fenced, LogUnavailable, CommitUnknown."""
        deadline = time.monotonic() + seconds
        producer = self._ready()
        try:
            ends = producer.send(self.partition, messages, seconds)
        except Exception as error:
            # Nothing has asked for a commit, so there will be none. The next outcome begins by ending this transaction.
            fenced = isinstance(error, _FENCES) or isinstance(producer.fault, _FENCES)
            self._drop()
            if fenced:
                raise Fenced(f"another owner has taken partition {self.partition}: {said(error)}") from error
            raise LogUnavailable(f"Kafka has not taken the outcome: {said(error)}") from error
        point("log.before_end")
        try:
            producer.commit(max(1.0, deadline - time.monotonic()))
        except Exception as error:
            # Even a fence proves nothing here: an end that was answered to nobody may have come before it.
            self._drop()
            raise CommitUnknown(f"Kafka did not say whether it committed: {said(error)}") from error
        # Behind the last record stands the marker of its transaction.
        return ends[self._place.name(TURNS)] + 1

    def _ready(self) -> TransactionalProducer:
        """The producer; after a failure a new one that goes on in its place, if nobody has taken over meanwhile."""
        if self._producer is not None:
            return self._producer
        producer = TransactionalProducer(self._place, transactional_id(self._place, self.partition), self._patience)
        try:
            producer.resume(self._identity)
        except Exception as error:
            producer.discard()
            if isinstance(error, _FENCES):
                raise Fenced(f"another owner has taken partition {self.partition}: {said(error)}") from error
            raise LogUnavailable(f"Kafka does not let the owner go on: {said(error)}") from error
        self._identity = producer.identity
        self._producer = producer
        return producer
