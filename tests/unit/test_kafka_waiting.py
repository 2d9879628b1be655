"""What a transactional producer makes of the brokers' answers, without one."""

from types import SimpleNamespace
from typing import Any

import pytest
from kafka.errors import KafkaError

from shared.log.kafka_waiting import Message, TransactionalProducer


class Answered:
    """A send that a broker has answered, with this offset."""

    def __init__(self, offset: int) -> None:
        self._offset = offset

    def get(self, _seconds: float) -> Any:
        return SimpleNamespace(offset=self._offset)


@pytest.mark.parametrize(("offsets", "known"), [([3, 4], True), ([3, -1], False), ([-1, 4], False)])
def test_an_outcome_of_which_a_record_stands_nobody_knows_where_is_not_committed(
    offsets: list[int], known: bool
) -> None:
    answers = iter(offsets)
    producer = object.__new__(TransactionalProducer)
    producer._producer = SimpleNamespace(begin_transaction=lambda: None, send=lambda *_: Answered(next(answers)))
    producer._transactions = SimpleNamespace(maybe_add_partition_to_transaction=lambda _: None)
    messages = [Message("turns", b"{}", b"g", [])] * len(offsets)
    if known:
        assert [item.offset for item in producer.send(0, messages, 1.0)] == offsets
    else:
        with pytest.raises(KafkaError, match="did not say where"):
            producer.send(0, messages, 1.0)
