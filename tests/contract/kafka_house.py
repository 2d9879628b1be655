"""A log in Kafka for tests: topics of its own on the cluster that the session shares."""

import functools
import secrets
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.structs import TopicPartition as KafkaPartition

from shared.clock import Clock
from shared.log import Draft, TopicPartition
from shared.log.kafka import KafkaLog
from shared.log.kafka_place import KafkaPlace, parse_place
from shared.log.kafka_reader import SIGNATURE_HEADER
from shared.log.kafka_topics import TOPICS, apply
from shared.log.kafka_waiting import TransactionalProducer
from tests.contract.log_house import LogHouse, eventually
from tests.contract.socks import SocksProxy
from tests.servers import KafkaServer, fresh_kafka_url

LOG_PATIENCE, OUTAGE_PATIENCE = 20.0, 2.5
"""Of a log, in seconds, and where an outage is to be noticed soon."""


@dataclass(frozen=True)
class KafkaHouse(LogHouse):
    """A log with topics of its own. `patience` is in seconds."""

    place: KafkaPlace
    patience: float = LOG_PATIENCE

    def log(self, service: str | None = "orders", clock: Clock | None = None) -> KafkaLog:
        signer = None if service is None else self.signer(service)
        return KafkaLog(self.place, signer, self.keyring(), patience=self.patience)

    def behind(self, proxy: SocksProxy, patience: float = OUTAGE_PATIENCE) -> "KafkaHouse":
        """The same log, reached through the proxy alone."""
        return KafkaHouse(replace(self.place, security={"proxy_url": proxy.url}), patience)

    def another(self) -> "KafkaHouse":
        """Another installation on the same cluster."""
        return replace(self, place=replace(self.place, prefix=f"{self.place.prefix}-b"))

    def forge(self, place: TopicPartition, draft: Draft) -> None:
        self.put(place, draft.key.encode(), draft.value, [(SIGNATURE_HEADER, b"orders:" + b"0" * 64)])

    def put(self, place: TopicPartition, key: bytes | None, value: bytes | None, headers: list[Any]) -> None:
        """Write a record past the port."""
        producer = KafkaProducer(**self.place.options(), acks="all")
        producer.send(self.place.name(place.topic), value, key, headers, place.partition).get(10)
        producer.close()

    @contextmanager
    def unused_offset(self, place: TopicPartition) -> Iterator[None]:
        """A transaction that is aborted at the end: its record and its marker are no records."""
        named = KafkaPartition(self.place.name(place.topic), place.partition)
        name = f"{named.topic}-{secrets.token_hex(4)}"
        producer = KafkaProducer(**self.place.options(), transactional_id=name, retry_backoff_ms=1)
        producer.init_transactions()
        producer.begin_transaction()
        producer.send(named.topic, b"{}", b"unused", partition=named.partition).get(10)
        yield
        before = self._end(named)
        producer.abort_transaction()
        producer.close()
        eventually(lambda: self._end(named) > before)

    def _end(self, place: KafkaPartition) -> int:
        """The end of what is written, committed or not."""
        consumer = KafkaConsumer(**self.place.options())
        try:
            return int(consumer.end_offsets([place])[place])
        finally:
            consumer.close()


@functools.cache
def begin_transactions(brokers: str) -> None:
    """The first transaction of a cluster takes seconds: it makes a topic for them."""
    producer = TransactionalProducer(parse_place(f"kafka://{brokers}"), f"first-{secrets.token_hex(4)}", 30.0)
    producer.begin()
    producer.discard()


def threads() -> list[str]:
    """The threads of Kafka's clients in this process."""
    return [thread.name for thread in threading.enumerate() if "kafka" in thread.name]


class KafkaFixtures:
    @pytest.fixture
    def house(self, kafka_server: KafkaServer) -> Iterator[KafkaHouse]:
        begin_transactions(kafka_server.brokers)
        place = parse_place(fresh_kafka_url(kafka_server))
        apply(place)
        yield KafkaHouse(place)
        # A broker for tests has little memory, and each of 72 partitions takes some.
        admin = KafkaAdminClient(**place.options())
        admin.delete_topics([place.name(topic) for topic in TOPICS])
        admin.close()

    @pytest.fixture
    def proxy(self) -> Iterator[SocksProxy]:
        proxy = SocksProxy()
        yield proxy
        proxy.close()

    @pytest.fixture
    def log(self, house: KafkaHouse, request: pytest.FixtureRequest) -> Iterator[KafkaLog]:
        if "outage" in request.fixturenames:
            house = house.behind(request.getfixturevalue("proxy"))
        log = house.log()
        yield log
        log.close()

    @pytest.fixture(params=["refusing", "silent"])
    def outage(self, request: pytest.FixtureRequest, proxy: SocksProxy) -> AbstractContextManager[None]:
        return proxy.refusing() if request.param == "refusing" else proxy.silent()
