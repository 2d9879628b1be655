"""Kafka and a server of the MongoDB protocol for tests: the fixtures of `tests.servers.plugin`, and what they give."""

import secrets
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KafkaServer:
    """A running cluster that all tests of a session share."""

    brokers: str
    """HOST:PORT, several separated by commas."""


@dataclass(frozen=True, slots=True)
class MongoServer:
    """A running document server that all tests of a session share."""

    url: str
    """mongodb://HOST:PORT"""


def fresh_kafka_url(server: KafkaServer) -> str:
    """The URL of a share of the cluster that nobody has used: no topic is there yet."""
    return f"kafka://{server.brokers}/{_fresh()}"


def fresh_mongo_url(server: MongoServer) -> str:
    """The URL of a database that nobody has used."""
    return f"{server.url.rstrip('/')}/{_fresh()}"


def _fresh() -> str:
    return f"test-{secrets.token_hex(6)}"
