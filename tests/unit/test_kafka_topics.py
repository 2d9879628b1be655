"""What topics must be in Kafka, and what differs; nothing of it asks a broker."""

from collections.abc import Mapping

import pytest
from kafka.admin import OffsetSpec
from kafka.errors import NotLeaderForPartitionError
from kafka.structs import TopicPartition as KafkaPartition

from shared.log import MAX_RECORD_BYTES, PARTITIONS, LogUnavailable, kafka_topics
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_topics import INTERNAL, TOPICS, Drift, Found, _Cluster, compare, desired, min_insync

PLACE = KafkaPlace(("kafka:9092",), "autumn")
_FRAME_BYTES = 16_384
"""More than key, headers and the frame of a batch take."""


def all_well(replicas: int = 1) -> dict[str, Found]:
    return {PLACE.name(topic): Found(PARTITIONS, replicas, desired(replicas)) for topic in TOPICS}


def turns_with(found: Found, replication: int = 1) -> list[Drift]:
    """What is said when `turns` stands like this and everything else is well."""
    replicas = max(replication, found.replicas)
    return compare(PLACE, {**all_well(replicas), "autumn.turns": found}, replication)


def turns_set(name: str, value: str) -> list[Drift]:
    return turns_with(Found(PARTITIONS, 1, {**desired(1), name: value}))


def test_topics_as_they_must_be_are_no_drift() -> None:
    assert compare(PLACE, all_well(), 1) == []
    assert compare(PLACE, all_well(3), 1) == []
    assert compare(PLACE, all_well(3), 3, dict.fromkeys(INTERNAL, 3)) == []


def test_every_topic_that_is_missing_is_named_and_can_be_made() -> None:
    drifts = compare(PLACE, {}, 1)

    assert [drift.topic for drift in drifts] == [f"autumn.{topic}" for topic in TOPICS]
    assert all(drift.mendable and drift.found == "missing" for drift in drifts)


@pytest.mark.parametrize("partitions", [1, 11, 13])
def test_another_number_of_partitions_is_never_mended_and_says_why(partitions: int) -> None:
    (drift,) = turns_with(Found(partitions, 1, desired(1)))

    assert (drift.setting, drift.wanted, drift.found, drift.mendable) == ("partitions", "12", str(partitions), False)
    assert "it would move" in drift.remedy


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("retention.ms", "604800000"),
        ("retention.bytes", "1073741824"),
        ("cleanup.policy", "compact"),
        ("cleanup.policy", "compact,delete"),
        ("message.timestamp.type", "CreateTime"),
        ("compression.type", "zstd"),
        ("unclean.leader.election.enable", "true"),
        ("max.message.bytes", "900000"),
        ("min.insync.replicas", "0"),
        ("retention.ms", ""),
    ],
)
def test_a_setting_that_keeps_too_little_is_raised(name: str, value: str) -> None:
    (drift,) = turns_set(name, value)

    assert (drift.topic, drift.setting, drift.wanted, drift.found) == ("autumn.turns", name, desired(1)[name], value)
    assert drift.mendable


def test_a_setting_that_keeps_more_is_left_as_it_is() -> None:
    assert turns_set("max.message.bytes", "10485760") == []
    assert turns_with(Found(PARTITIONS, 5, {**desired(5), "min.insync.replicas": "4"})) == []


def test_a_record_of_the_largest_size_fits_into_a_batch() -> None:
    assert int(desired(1)["max.message.bytes"]) >= MAX_RECORD_BYTES + _FRAME_BYTES


def test_too_few_replicas_are_for_somebody_who_moves_them() -> None:
    (drift,) = turns_with(Found(PARTITIONS, 1, desired(1)), replication=3)

    assert (drift.setting, drift.wanted, drift.found, drift.mendable) == ("replicas", "3", "1", False)
    assert "kafka-reassign-partitions" in drift.remedy


def test_min_insync_follows_the_replicas_that_are_there_so_that_writes_go_on() -> None:
    assert [min_insync(replicas) for replicas in (1, 2, 3, 4, 5)] == [1, 1, 2, 3, 3]
    drifts = turns_with(Found(PARTITIONS, 3, {**desired(3), "min.insync.replicas": "1"}))
    assert [(drift.setting, drift.wanted) for drift in drifts] == [("min.insync.replicas", "2")]


def test_more_replicas_wanted_for_a_write_than_there_are_is_never_lowered_but_told() -> None:
    (drift,) = turns_set("min.insync.replicas", "2")

    assert (drift.wanted, drift.found, drift.mendable) == ("at most 1", "2", False)


def test_topics_of_the_cluster_itself_are_judged_by_their_replicas() -> None:
    drifts = compare(PLACE, all_well(3), 3, {"__transaction_state": 1, "__consumer_offsets": 3})

    assert [(drift.topic, drift.setting, drift.mendable) for drift in drifts] == [
        ("__transaction_state", "replicas", False)
    ]


class Slow:
    """Leaders that serve their partitions after so many questions."""

    def __init__(self, questions: int) -> None:
        self.questions = questions
        self.asked: list[KafkaPartition] = []

    def list_partition_offsets(self, wanted: Mapping[KafkaPartition, OffsetSpec], timeout_ms: int) -> None:
        self.asked = [*wanted]
        self.questions -= 1
        if self.questions >= 0:
            raise NotLeaderForPartitionError(f"[{next(iter(wanted))}]")


def cluster(admin: Slow) -> _Cluster:
    made = _Cluster(PLACE)
    made._admin = admin
    return made


def test_new_topics_can_be_used_when_the_leader_of_each_partition_serves_it() -> None:
    leaders = Slow(2)
    cluster(leaders)._await_leaders(["autumn.orders", "autumn.turns"])
    assert leaders.questions == -1
    assert len(leaders.asked) == 2 * PARTITIONS


def test_leaders_that_do_not_serve_their_partitions_in_time_are_what_was_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kafka_topics, "READY_SECONDS", 0)
    with pytest.raises(LogUnavailable, match=r"waited 0 seconds for the leaders of all partitions of autumn\.orders"):
        cluster(Slow(1_000))._await_leaders(["autumn.orders"])
