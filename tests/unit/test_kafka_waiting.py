"""What a transactional producer makes of the brokers' answers, without one."""

import threading
from collections import defaultdict, deque
from types import SimpleNamespace
from typing import Any

import pytest
from kafka.errors import KafkaError, MessageSizeTooLargeError, NotLeaderForPartitionError

from shared.log.kafka_batches import Message
from shared.log.kafka_waiting import TransactionalProducer

MESSAGES = [Message("chronicle", b"{}", b"g", []), *[Message("turns", b"{}", b"g", [])] * 3]


class Accumulator:
    """Takes batches, which a broker answers at once with this offset."""

    def __init__(self, offsets: dict[str, int], *, closed: bool = False) -> None:
        self._offsets = offsets
        self._closed = closed
        self._batches: Any = defaultdict(deque)
        self._incomplete: set[Any] = set()
        self._lock = threading.Lock()
        self._appends_in_progress = SimpleNamespace(increment=lambda: None, decrement=lambda: None)

    def _tp_lock(self, _place: Any) -> Any:
        return self._lock

    def answer(self) -> None:
        for place, made in self._batches.items():
            while made:
                made.popleft().complete(self._offsets[place.topic], -1)


def producer_with(accumulator: Accumulator) -> TransactionalProducer:
    producer = object.__new__(TransactionalProducer)
    sender = SimpleNamespace(wakeup=accumulator.answer)
    producer._producer = SimpleNamespace(begin_transaction=lambda: None, _accumulator=accumulator, _sender=sender)
    producer._transactions = SimpleNamespace(maybe_add_partition_to_transaction=lambda _: None)
    return producer


def test_what_is_written_ends_behind_its_last_record() -> None:
    producer = producer_with(Accumulator({"chronicle": 0, "turns": 40}))
    assert producer.send(0, MESSAGES, 1.0) == {"chronicle": 1, "turns": 43}


@pytest.mark.parametrize("offsets", [{"chronicle": -1, "turns": 4}, {"chronicle": 3, "turns": -1}])
def test_an_outcome_of_which_a_record_stands_nobody_knows_where_is_not_committed(offsets: dict[str, int]) -> None:
    with pytest.raises(KafkaError, match="did not say where"):
        producer_with(Accumulator(offsets)).send(0, MESSAGES, 1.0)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (NotLeaderForPartitionError("moved"), "moved"),
        (MessageSizeTooLargeError(None), "chronicle takes less at once than it must"),
    ],
)
def test_a_batch_that_no_broker_took_raises_what_was_wrong_with_it(error: KafkaError, said: str) -> None:
    class Refusing(Accumulator):
        def answer(self) -> None:
            for made in self._batches.values():
                while made:
                    made.popleft().complete_exceptionally(error, lambda _: error)

    with pytest.raises(KafkaError, match=said):
        producer_with(Refusing({})).send(0, MESSAGES, 1.0)


def test_a_broker_that_says_nothing_is_not_waited_for_beyond_the_time() -> None:
    class Silent(Accumulator):
        def answer(self) -> None:
            pass

    with pytest.raises(KafkaError, match="in time"):
        producer_with(Silent({})).send(0, MESSAGES, 0.01)


def test_a_producer_that_was_given_up_takes_nothing() -> None:
    accumulator = Accumulator({}, closed=True)
    with pytest.raises(KafkaError, match="given up"):
        producer_with(accumulator).send(0, MESSAGES, 1.0)
    assert not accumulator._batches["turns"]
