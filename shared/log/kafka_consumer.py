"""The consumers of the adapter: without group, reading what is committed, and only from where they are told to."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from kafka import KafkaConsumer
from kafka.structs import TopicPartition as KafkaPartition

from shared.log import INPUT_TOPICS
from shared.log.kafka_client import make_client
from shared.log.kafka_options import CARRYING
from shared.log.kafka_place import KafkaPlace
from shared.log.kafka_records import batches_of

FETCHED_BYTES = 4_000_000
PARTITION_BYTES = 1_000_000
"""A big close streams in pieces of this size, some seven times as large when unpacked; no partition takes all of an
answer."""
BROKER_WAIT_MS = 150
"""How long the broker keeps a request that has nothing to give; a new assignment waits for the one before."""

Heard = Callable[[Mapping[KafkaPartition, int], Any], None]


def close_consumer(consumer: Any) -> None:
    with suppress(Exception):
        consumer.close(autocommit=False)


def refused_topics(consumer: Any) -> frozenset[str]:
    """The topics that the cluster does not let a consumer see, which it asks nothing of then (kafka-python 3.0)."""
    return frozenset(consumer._fetcher._manager.cluster.unauthorized_topics)


def consumer_of(place: KafkaPlace, topics: Iterable[str], patience: float, heard: Heard) -> Any:
    """A consumer without group that reads what is committed, and only from where it is told to."""
    consumer = make_client(
        KafkaConsumer,
        place,
        topics=topics,
        **CARRYING,
        group_id=None,
        enable_auto_commit=False,
        auto_offset_reset="none",
        isolation_level="read_committed",
        check_crcs=True,
        fetch_min_bytes=1,
        fetch_max_wait_ms=BROKER_WAIT_MS,
        fetch_max_bytes=FETCHED_BYTES,
        max_partition_fetch_bytes=PARTITION_BYTES,
        request_timeout_ms=max(1_000, round(patience * 1000)),
        retry_backoff_ms=20,
    )
    fetcher = consumer._fetcher
    fetcher.PartitionRecords = batches_of(frozenset(map(place.name, INPUT_TOPICS)))
    answered = fetcher._handle_fetch_response

    def listen(node: Any, offsets: Any, sent: float, response: Any) -> None:
        heard(offsets, response)
        answered(node, offsets, sent, response)

    fetcher._handle_fetch_response = listen
    return consumer
