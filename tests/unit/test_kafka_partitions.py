"""Which appends are refused for their partition, and which one tries it again."""

from typing import Any

from shared.log.kafka_partitions import PAUSE_SECONDS, AwayPartitions

ORDERS = ("orders", 3)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def led(_: Any) -> bool:
    return True


def unled(_: Any) -> bool:
    return False


def test_a_partition_of_which_nothing_is_known_is_sent_to() -> None:
    assert AwayPartitions(Clock()).refusal(ORDERS, unled) is None


def test_a_partition_that_took_nothing_is_tried_by_one_call_after_a_pause() -> None:
    clock = Clock()
    partitions = AwayPartitions(clock)
    partitions.lost(ORDERS, "takes nothing")
    assert partitions.refusal(ORDERS, led) == "takes nothing"
    assert partitions.refusal(("orders", 4), led) is None
    clock.now += PAUSE_SECONDS
    assert partitions.refusal(ORDERS, led) is None
    assert partitions.is_away(ORDERS)
    assert partitions.refusal(ORDERS, led) == "takes nothing"


def test_a_partition_without_leader_is_not_tried() -> None:
    clock = Clock()
    partitions = AwayPartitions(clock)
    partitions.lost(ORDERS, "takes nothing")
    clock.now += PAUSE_SECONDS
    assert partitions.refusal(ORDERS, unled) == "takes nothing"
    assert partitions.refusal(ORDERS, led) is None


def test_a_partition_that_took_a_record_again_is_as_any_other() -> None:
    partitions = AwayPartitions(Clock())
    partitions.lost(ORDERS, "takes nothing")
    partitions.reached(ORDERS)
    assert not partitions.is_away(ORDERS)
    assert partitions.refusal(ORDERS, unled) is None
