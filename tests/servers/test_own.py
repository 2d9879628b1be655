"""Servers of one test: a cluster that loses a broker, brokers and documents that are reached through proxies.

Those that lose a server are long forms: the contracts and tests/faults/test_servers.py have short ones of the same.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import KafkaAdminClient, NewTopic
from kafka.errors import KafkaError
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from shared.log.kafka_client import make_client
from shared.log.kafka_place import parse_place
from tests.servers.own import SOON_GONE, own_kafka, own_mongo, proxied_kafka, proxied_mongo
from warledger.servers.kafka import brokers_in

pytestmark = pytest.mark.servers

TOPIC = "told"


def make_topic(brokers: str, copies: int) -> None:
    """One topic of one partition."""
    admin: Any = make_client(KafkaAdminClient, parse_place(f"kafka://{brokers}"))
    admin.create_topics([NewTopic(TOPIC, 1, copies)])
    admin.close()


@contextmanager
def producer(brokers: str) -> Iterator[Any]:
    """A producer that waits for all copies, and tries for a minute."""
    made: Any = make_client(
        KafkaProducer,
        parse_place(f"kafka://{brokers}"),
        acks="all",
        enable_idempotence=True,
        delivery_timeout_ms=60_000,
        request_timeout_ms=5_000,
        retry_backoff_ms=50,
    )
    try:
        yield made
    finally:
        made.close(timeout=5)


def told(brokers: str, count: int) -> list[int]:
    """The first so many values of the topic."""
    consumer: Any = make_client(KafkaConsumer, parse_place(f"kafka://{brokers}"), auto_offset_reset="earliest")
    try:
        consumer.assign([TopicPartition(TOPIC, 0)])
        found: list[int] = []
        while len(found) < count:
            for records in consumer.poll(timeout_ms=500).values():
                found += [json.loads(record.value) for record in records]
        return found
    finally:
        consumer.close()


@pytest.mark.faults
@pytest.mark.timeout(600)
def test_a_cluster_takes_records_with_two_of_three_brokers(tmp_path: Path) -> None:
    with own_kafka(tmp_path, nodes=3, settings=SOON_GONE) as cluster:
        assert brokers_in(cluster.address) == 3
        make_topic(cluster.address, 3)
        with producer(cluster.address) as writing:
            writing.send(TOPIC, b"0").get(60)
            cluster.nodes[0].kill()
            for number in range(1, 10):
                writing.send(TOPIC, str(number).encode()).get(60)
            cluster.nodes[0].start()
            cluster.await_brokers(3)
        assert told(cluster.address, 10) == list(range(10))


@pytest.mark.faults
@pytest.mark.timeout(600)
def test_a_broker_that_was_killed_has_what_it_took(tmp_path: Path) -> None:
    with own_kafka(tmp_path, settings=SOON_GONE) as cluster:
        make_topic(cluster.address, 1)
        address = cluster.address
        with producer(address) as writing:
            writing.send(TOPIC, b"1").get(30)
            cluster.nodes[0].kill()
            cluster.nodes[0].start()
            writing.send(TOPIC, b"2").get(60)
        assert cluster.address == address
        assert told(address, 2) == [1, 2]


@pytest.mark.slow
def test_whoever_comes_through_the_proxy_stays_behind_it(tmp_path: Path) -> None:
    with proxied_kafka(tmp_path) as kafka:
        (proxy,) = kafka.proxies
        make_topic(kafka.cluster.address, 1)
        assert proxy.accepted == 0
        with producer(kafka.brokers) as writing:
            writing.send(TOPIC, b"1").get(30)
            proxy.holding()
            held = writing.send(TOPIC, b"2")
            with pytest.raises(KafkaError):
                held.get(1)
            proxy.passing()
            held.get(60)
        assert told(kafka.brokers, 2) == [1, 2]


@pytest.mark.faults
def test_a_document_server_that_was_killed_has_what_it_took(tmp_path: Path) -> None:
    with own_mongo(tmp_path) as server, MongoClient[dict[str, Any]](server.address, w="majority") as client:
        client.test.told.insert_one({"_id": 1})
        server.kill()
        server.restart()
        assert client.test.told.find_one() == {"_id": 1}


@pytest.mark.slow
def test_documents_are_reached_through_the_proxy_alone(tmp_path: Path) -> None:
    with (
        proxied_mongo(tmp_path) as mongo,
        MongoClient[dict[str, Any]](mongo.url, serverSelectionTimeoutMS=3000) as client,
    ):
        client.test.told.insert_one({"_id": 1})
        mongo.proxy.refusing()
        with pytest.raises(PyMongoError):
            client.test.told.find_one()
        mongo.proxy.passing()
        assert client.test.told.find_one() == {"_id": 1}
