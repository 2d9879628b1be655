"""The Kafka adapter passes the contract of the log, on a real broker."""

import gc
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from kafka import KafkaConsumer, KafkaProducer
from kafka.structs import TopicPartition as KafkaPartition

from shared.clock import Clock
from shared.log import Draft, TopicPartition
from shared.log.kafka import PATIENCE, KafkaLog
from shared.log.kafka_place import KafkaPlace, parse_place
from shared.log.kafka_reader import SIGNATURE_HEADER
from shared.log.kafka_topics import apply
from tests.contract.log_append_contract import LogAppendContract
from tests.contract.log_house import LogHouse, eventually
from tests.contract.log_outcome_contract import LogOutcomeContract
from tests.contract.log_reading_contract import LogReadingContract
from tests.contract.socks import SocksProxy
from tests.servers import KafkaServer, fresh_kafka_url

pytestmark = [
    pytest.mark.servers,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

OUTAGE_PATIENCE = 1.5


@dataclass(frozen=True)
class KafkaHouse(LogHouse):
    """A log with topics of its own. `patience` (seconds) is short where an outage is to be noticed soon."""

    place: KafkaPlace
    patience: float = PATIENCE

    def log(self, service: str | None = "orders", clock: Clock | None = None) -> KafkaLog:
        signer = None if service is None else self.signer(service)
        return KafkaLog(self.place, signer, self.keyring(), patience=self.patience)

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


class KafkaFixtures:
    @pytest.fixture
    def house(self, kafka_server: KafkaServer) -> KafkaHouse:
        place = parse_place(fresh_kafka_url(kafka_server))
        apply(place)
        return KafkaHouse(place)

    @pytest.fixture
    def proxy(self) -> Iterator[SocksProxy]:
        proxy = SocksProxy()
        yield proxy
        proxy.close()
        gc.collect()  # kafka-python leaves sockets whose connecting failed to the collector

    @pytest.fixture
    def log(self, house: KafkaHouse, request: pytest.FixtureRequest) -> Iterator[KafkaLog]:
        if "outage" in request.fixturenames:
            proxied = replace(house.place, security={"proxy_url": request.getfixturevalue("proxy").url})
            house = KafkaHouse(proxied, OUTAGE_PATIENCE)
        log = house.log()
        yield log
        log.close()

    @pytest.fixture(params=["refusing", "silent"])
    def outage(self, request: pytest.FixtureRequest, proxy: SocksProxy) -> AbstractContextManager[None]:
        return proxy.refusing() if request.param == "refusing" else proxy.silent()


class TestKafkaAppend(KafkaFixtures, LogAppendContract):
    """Appending."""


class TestKafkaReading(KafkaFixtures, LogReadingContract):
    """Reading."""


class TestKafkaOutcome(KafkaFixtures, LogOutcomeContract):
    """Outcomes and ownership."""
