"""Records of a transaction are packed into few batches, which every reader of Kafka's format unpacks."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from kafka.record import MemoryRecords
from kafka.structs import TopicPartition

from shared.log import kafka_records
from shared.log.kafka_batches import BATCH_BYTES, CONTENT_BYTES, VALUES_BYTES, Message, batches
from shared.log.kafka_records import batches_of

PLACE = TopicPartition("turns", 3)
NOISE = random.Random(5)


def sent(messages: Sequence[Message]) -> list[Any]:
    """The batches of the messages, as they are sent; each begins behind the one before it."""
    made = list(batches(PLACE, messages))
    for batch in made:
        batch.records.set_producer_state(7, 1, 0, True)
        batch.records.close()
    return made


def found_by_kafka_python(batch: Any) -> list[Message]:
    [packed] = MemoryRecords(batch.records.buffer())
    assert packed.validate_crc()
    assert (packed.producer_id, packed.producer_epoch, packed.is_transactional) == (7, 1, True)
    return [Message("turns", record.value, record.key, record.headers) for record in packed]


def found_by_ours(batch: Any) -> list[Message]:
    found = batches_of(frozenset())(0, PLACE, MemoryRecords(bytes(batch.records.buffer()))).take()
    assert [raw.offset for raw in found] == list(range(batch.record_count))
    return [
        Message("turns", raw.value, raw.key, [(name.decode(), item) for name, item in raw.headers]) for raw in found
    ]


OUTCOMES = {
    "nothing but marks": [Message("turns", b"", b"", [("marks", b"{}")])],
    "one that is smaller plain": [Message("turns", b"{}", b"g", [])],
    "many alike": [Message("turns", b'{"events":[]}' * 300, b"g%d" % n, [("ce_id", b"g-%d" % n)]) for n in range(200)],
    "lengths of more bytes": [Message("turns", b"v" * size, b"k", [("n", b"h" * size)]) for size in (63, 64, 8_192)],
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_an_outcome_is_one_batch_that_is_read_as_it_was_written(name: str) -> None:
    [batch] = sent(OUTCOMES[name])
    assert found_by_kafka_python(batch) == found_by_ours(batch) == OUTCOMES[name]


def test_what_repeats_itself_is_packed_and_what_does_not_is_left_plain() -> None:
    [packed] = sent(OUTCOMES["many alike"])
    [plain] = sent([Message("turns", NOISE.randbytes(50_000), b"g", [])])
    assert packed.records.size_in_bytes() < 100_000
    assert [next(iter(MemoryRecords(batch.records.buffer()))).compression_type for batch in (packed, plain)] == [1, 0]


@pytest.mark.parametrize(
    "values",
    [[NOISE.randbytes(400_000) for _ in range(7)], [b"{}" * 400_000 for _ in range(12)]],
    ids=["cannot be made smaller", "is much when unpacked"],
)
def test_much_goes_into_several_batches_in_its_order(values: list[bytes]) -> None:
    messages = [Message("turns", value, b"g", []) for value in values]
    made = sent(messages)
    assert len(made) > 1
    assert [message for batch in made for message in found_by_ours(batch)] == messages
    for batch in made:
        assert batch.records.size_in_bytes() <= BATCH_BYTES
        assert sum(len(message.value) for message in found_by_ours(batch)) <= VALUES_BYTES


@pytest.mark.parametrize(("key", "header"), [(b"k" * 800_000, b""), (b"k", b"h" * 800_000)], ids=["keys", "headers"])
def test_what_is_large_beside_its_values_is_not_packed_into_what_no_reader_would_unpack(
    key: bytes, header: bytes
) -> None:
    messages = [Message("turns", b"{}", key, [("h", header)])] * 24
    made = sent(messages)
    assert [message for batch in made for message in found_by_ours(batch)] == messages
    assert len(made) == 4
    assert 2 * CONTENT_BYTES <= kafka_records.UNPACKED_BYTES


def test_the_largest_record_that_there_may_be_fits_into_what_a_topic_takes() -> None:
    [batch] = sent([Message("turns", NOISE.randbytes(899_000), b"g" * 64, [("h", b"x" * 900)])])
    assert batch.records.size_in_bytes() < 1_048_588
