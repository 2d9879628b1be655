"""What a reader believes of its consumer, without a broker."""

from typing import Any

import pytest
from kafka.errors import KafkaError
from kafka.structs import TopicPartition as KafkaPartition

from shared.log import LogUnavailable, Mark, TopicPartition
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_reader import UNPACKED_RECORDS, KafkaReader
from shared.log.kafka_records import Raw

FIRST, SECOND = KafkaPartition("orders", 0), KafkaPartition("orders", 1)


class Consumer:
    """Has fetched a record, and cannot say where it stands in the second partition."""

    def _poll_once(self, _timer: Any, most: int) -> dict[KafkaPartition, list[Raw]]:
        return {FIRST: [Raw(7, 1, True, b"g", b"{}", ())]}

    def position(self, named: KafkaPartition, timeout_ms: int) -> int:
        if named == SECOND:
            raise KafkaError("no answer")
        return 8

    def close(self, autocommit: bool) -> None:
        pass


class Flood(Consumer):
    """Has as many records as are asked for."""

    def _poll_once(self, _timer: Any, most: int) -> dict[KafkaPartition, list[Raw]]:
        return {FIRST: [Raw(offset, 1, True, None, b"", ()) for offset in range(min(most, 100_000))]}

    def position(self, named: KafkaPartition, timeout_ms: int) -> int:
        return 100_000 if named == FIRST else 0


def test_a_flood_of_tiny_records_is_taken_in_by_and_by() -> None:
    reader = KafkaReader(KafkaPlace(("127.0.0.1:1",)), None, 1.0)
    reader.assign({TopicPartition("orders", 0): Mark(0, 0)})
    reader._consumer = Flood()
    assert len(reader.poll(0, limit=1_000_000)) <= UNPACKED_RECORDS


def test_no_record_is_passed_when_what_was_fetched_is_lost_to_an_error() -> None:
    reader = KafkaReader(KafkaPlace(("127.0.0.1:1",)), None, 1.0)
    reader.assign({TopicPartition("orders", 0): Mark(7, 0), TopicPartition("orders", 1): Mark(3, 0)})
    reader._consumer = Consumer()
    with pytest.raises(LogUnavailable):
        reader.poll(0)
    assert reader.position(TopicPartition("orders", 0)) == 7
