"""Topics on a real broker: made, raised, never lowered, and what cannot be mended is told."""

import gc
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import ConfigResource, ConfigResourceType

from shared.log import MAX_RECORD_BYTES, PARTITIONS, LogUnavailable
from shared.log import kafka_topics as module
from shared.log.kafka_place import KafkaPlace, parse_place
from shared.log.kafka_topics import TOPICS, TooFewBrokers, apply, desired, survey
from tests.servers import KafkaServer, fresh_kafka_url
from tests.servers.topics import remove_topics
from warledger.servers.ports import free_ports

pytestmark = [
    pytest.mark.servers,
    pytest.mark.filterwarnings("ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning"),
]


@contextmanager
def administrator(place: KafkaPlace) -> Iterator[Any]:
    with closing(KafkaAdminClient(**place.options())) as admin:
        yield admin


@pytest.fixture
def place(kafka_server: KafkaServer) -> Iterator[KafkaPlace]:
    """A share of the cluster; its topics are removed with the test."""
    place = parse_place(fresh_kafka_url(kafka_server))
    yield place
    remove_topics(place)


def test_apply_makes_everything_and_has_nothing_to_do_the_next_time(place: KafkaPlace) -> None:
    assert {drift.topic for drift in survey(place)} == {place.name(topic) for topic in TOPICS}

    made = apply(place)

    assert {drift.topic for drift in made.mended} == {place.name(topic) for topic in TOPICS}
    assert made.left == []
    assert survey(place) == []
    assert apply(place) == ([], [])
    with administrator(place) as admin:
        found = admin.describe_topics([place.name(topic) for topic in TOPICS])
    assert [len(topic["partitions"]) for topic in found] == [PARTITIONS] * len(TOPICS)


def test_a_new_topic_takes_the_largest_record_at_once_and_gives_it_the_time_of_the_log(place: KafkaPlace) -> None:
    apply(place)
    with closing(KafkaProducer(**place.options(), acks="all", max_request_size=2_000_000)) as producer:
        headers = [("ce_id", b"x" * 2_000), ("traceparent", b"y" * 55)]
        value = b"z" * MAX_RECORD_BYTES
        sent = producer.send(place.name("turns"), value, b"k" * 64, headers, 11, timestamp_ms=1).get(20)
    assert sent.offset == 0
    assert sent.timestamp > 1_500_000_000_000


def test_settings_are_raised_and_never_lowered_and_a_wrong_number_of_partitions_is_left(place: KafkaPlace) -> None:
    turns, chronicle = place.name("turns"), place.name("chronicle")
    poor = {"retention.ms": "86400000", "message.timestamp.type": "CreateTime", "cleanup.policy": "compact"}
    poor["compression.type"] = "lz4"
    rich = {"max.message.bytes": "5000000", "segment.bytes": "104857600"}
    with administrator(place) as admin:
        admin.create_topics(
            {
                turns: {"num_partitions": PARTITIONS, "replication_factor": 1, "configs": {**poor, **rich}},
                chronicle: {"num_partitions": 6, "replication_factor": 1, "configs": desired(1)},
            }
        )
        admin.wait_for_topics([turns, chronicle])

    applied = apply(place)

    assert {drift.setting for drift in applied.mended if drift.topic == turns} == poor.keys()
    (left,) = applied.left
    assert (left.topic, left.setting, left.found) == (chronicle, "partitions", "6")
    assert "it would move" in left.remedy
    with administrator(place) as admin:
        asked = [ConfigResource(ConfigResourceType.TOPIC, turns, [*desired(1), *rich])]
        found = admin.describe_configs(asked, config_filter="all")["topic"][turns]
        partitions = len(admin.describe_topics([chronicle])[0]["partitions"])
    assert {name: item["value"] for name, item in found.items()} == {**desired(1), **rich}
    assert partitions == 6


def test_two_who_apply_at_the_same_time_do_not_disturb_each_other(place: KafkaPlace) -> None:
    with ThreadPoolExecutor(2) as pool:
        applied = list(pool.map(lambda _: apply(place), range(2)))

    assert [item.left for item in applied] == [[], []]
    assert survey(place) == []


def test_more_replicas_than_brokers_make_nothing_and_say_so(place: KafkaPlace) -> None:
    with pytest.raises(TooFewBrokers, match="9 replicas need as many brokers"):
        apply(place, replication=9)

    assert {drift.found for drift in survey(place)} == {"missing"}


def test_brokers_that_are_away_are_named_and_nothing_is_left_behind(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "kafka")  # a line that is kept holds the socket of the attempt it tells of
    (port,) = free_ports(1)
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.2)
    threads = threading.active_count()

    with pytest.raises(LogUnavailable, match=f"no Kafka broker answers at 127.0.0.1:{port}"):
        survey(KafkaPlace((f"127.0.0.1:{port}",)))

    assert threading.active_count() == threads
    # kafka-python leaves a refused connection's socket to the collector; it shall come in this test.
    gc.collect()
