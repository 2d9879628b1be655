"""Which server a test or a person gets: an address given, else a container, else processes of this machine."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from warledger.servers import NoServer, UnknownWay
from warledger.servers.child import Child
from warledger.servers.containers import KafkaContainer, MongoContainer, no_engine
from warledger.servers.jars import Report, kafka_jars
from warledger.servers.java import java
from warledger.servers.kafka import LocalKafka, brokers_in
from warledger.servers.mongo import LocalMongo, answers

GIVEN = {"kafka": "WARLEDGER_TEST_KAFKA", "mongo": "WARLEDGER_TEST_MONGO"}
"""Variables that give an address: HOST:PORT[,HOST:PORT ...] of brokers, mongodb://HOST:PORT of the other."""
WAY = "WARLEDGER_SERVERS"
WAYS = ("containers", "processes")


class Server(Protocol):
    """A server that was chosen."""

    @property
    def way(self) -> str:
        """given, container or process."""

    @property
    def address(self) -> str:
        """HOST:PORT of brokers, separated by commas; mongodb://HOST:PORT of a document server."""

    @property
    def children(self) -> list[Child]:
        """Its processes on this machine."""

    def start(self) -> None:
        """Start it; returns when it answers. Raises NoServer."""

    def stop(self) -> None:
        """End it."""


class Given:
    """A server that somebody else runs."""

    way = "given"

    def __init__(self, variable: str, address: str, answering: Callable[[str], bool]) -> None:
        self.address = address
        self._variable = variable
        self._answering = answering

    @property
    def children(self) -> list[Child]:
        """None."""
        return []

    def start(self) -> None:
        """Make sure that it answers. Raises NoServer."""
        try:
            answers = self._answering(self.address)
        except ValueError as error:
            raise NoServer(f"{self._variable}={self.address}: {error}") from error
        if not answers:
            raise NoServer(f"{self._variable}={self.address}: no answer")

    def stop(self) -> None:
        """Leave it alone."""


def open_kafka(
    folder: Path,
    *,
    outlive: bool = False,
    report: Report = lambda line: None,
    environment: Mapping[str, str] = os.environ,
    local: LocalKafka | None = None,
) -> Server:
    """Start a Kafka, or find the one given; `local` is what a process of this machine would be. Raises NoServer."""
    here = local or LocalKafka(folder, outlive=outlive, report=report)
    given = _given("kafka", environment, lambda address: brokers_in(address) > 0)
    return _first([given] if given else _ways(environment, KafkaContainer(outlive=outlive), here), "kafka", report)


def open_mongo(
    folder: Path,
    *,
    outlive: bool = False,
    report: Report = lambda line: None,
    environment: Mapping[str, str] = os.environ,
    local: LocalMongo | None = None,
) -> Server:
    """Start a server of the MongoDB protocol, or find the one given. Raises NoServer."""
    here = local or LocalMongo(folder, outlive=outlive)
    given = _given("mongo", environment, answers)
    return _first([given] if given else _ways(environment, MongoContainer(outlive=outlive), here), "mongo", report)


def prepare_kafka(report: Report, environment: Mapping[str, str] = os.environ) -> None:
    """Have everything here that `open_kafka` would fetch for a process of this machine. Raises NoServer."""
    if environment.get(GIVEN["kafka"]) or _asked_way(environment) == "containers":
        return
    if _asked_way(environment) == "processes" or no_engine():
        java()
        kafka_jars(report)


def _given(kind: str, environment: Mapping[str, str], answering: Callable[[str], bool]) -> Server | None:
    address = environment.get(GIVEN[kind])
    return Given(GIVEN[kind], address, answering) if address else None


def _ways(environment: Mapping[str, str], container: Server, local: Server) -> list[Server]:
    """What is tried, in this order."""
    way = _asked_way(environment)
    reason = no_engine() if way != "processes" else "not asked for"
    if way == "containers":
        if reason:
            raise NoServer(reason)
        return [container]
    return [local] if reason else [container, local]


def _asked_way(environment: Mapping[str, str]) -> str | None:
    way = environment.get(WAY)
    if way and way not in WAYS:
        raise UnknownWay(f"{WAY}={way!r}: expected {' or '.join(WAYS)}")
    return way or None


def _first(servers: list[Server], kind: str, report: Report) -> Server:
    """Start the first that can be started; the last one's reason is raised, the others' are reported."""
    for server in servers[:-1]:
        try:
            server.start()
            return server
        except NoServer as error:
            report(f"{kind}: {error}")
    servers[-1].start()
    return servers[-1]
