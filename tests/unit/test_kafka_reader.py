"""What a reader believes of its consumer, without a broker."""

import time
from types import SimpleNamespace
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
    """Has fetched a record of the first partition, and stands where `reached` says."""

    def __init__(self, reached: dict[KafkaPartition, int], refused: frozenset[str] = frozenset()) -> None:
        self.reached = reached
        cluster = SimpleNamespace(unauthorized_topics=set(refused))
        self._fetcher = SimpleNamespace(_manager=SimpleNamespace(cluster=cluster))

    @property
    def _subscription(self) -> Any:
        stands = {named: SimpleNamespace(position=SimpleNamespace(offset=at)) for named, at in self.reached.items()}
        return SimpleNamespace(assignment=stands)

    def _poll_once(self, _timer: Any, most: int) -> dict[KafkaPartition, list[Raw]]:
        return {FIRST: [Raw(7, 1, True, b"g", b"{}", ())]}

    def position(self, named: KafkaPartition, timeout_ms: int) -> int:
        return self.reached[named]

    def close(self, autocommit: bool) -> None:
        pass


class Unsure(Consumer):
    """Cannot say where it stands in one of its partitions: whichever is asked for, all are looked at."""

    def position(self, named: KafkaPartition, timeout_ms: int) -> int:
        raise KafkaError("no answer")


class Flood(Consumer):
    """Has as many records as are asked for."""

    def _poll_once(self, _timer: Any, most: int) -> dict[KafkaPartition, list[Raw]]:
        return {FIRST: [Raw(offset, 1, True, None, b"", ()) for offset in range(min(most, 100_000))]}


class Moving(Consumer):
    """Passes markers of the first partition and nothing else."""

    def _poll_once(self, _timer: Any, most: int) -> dict[KafkaPartition, list[Raw]]:
        self.reached = {**self.reached, FIRST: self.reached[FIRST] + 1}
        return {}


def test_a_flood_of_tiny_records_is_taken_in_by_and_by() -> None:
    reader = KafkaReader(KafkaPlace(("127.0.0.1:1",)), None, 1.0)
    reader.assign({TopicPartition("orders", 0): Mark(0, 0)})
    reader._consumer = Flood({FIRST: 100_000})
    assert len(reader.poll(0, limit=1_000_000)) <= UNPACKED_RECORDS


def test_no_record_is_passed_when_what_was_fetched_is_lost_to_an_error() -> None:
    reader = KafkaReader(KafkaPlace(("127.0.0.1:1",)), None, 1.0)
    reader.assign({TopicPartition("orders", 0): Mark(7, 0), TopicPartition("orders", 1): Mark(3, 0)})
    reader._consumer = Unsure({FIRST: 8})
    with pytest.raises(LogUnavailable):
        reader.poll(0)
    assert reader.position(TopicPartition("orders", 0)) == 7


def test_a_partition_of_which_nothing_is_heard_is_said_though_another_moves_on() -> None:
    reader = KafkaReader(KafkaPlace(("127.0.0.1:1",)), None, 1.0)
    reader._silent_seconds = 0.0
    reader.assign({TopicPartition("orders", 0): Mark(0, 0), TopicPartition("orders", 1): Mark(0, 0)})
    reader._consumer = Moving({FIRST: 0, SECOND: 0})
    reader._places[FIRST].heard = time.monotonic() + 60
    with pytest.raises(LogUnavailable, match="no broker says anything of orders 1 at"):
        reader.poll(0)


def test_a_topic_that_a_log_in_may_not_see_is_said() -> None:
    reader = KafkaReader(KafkaPlace(("127.0.0.1:1",)), None, 1.0)
    reader._silent_seconds = 0.0
    reader.assign({TopicPartition("orders", 0): Mark(0, 0)})
    reader._consumer = Moving({FIRST: 0}, frozenset({"orders"}))
    with pytest.raises(LogUnavailable, match=r"this log-in may not see orders; .*`warledger topics acls`"):
        reader.poll(0)
