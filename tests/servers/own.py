"""Servers that a test has for itself, to kill, to pause and to put behind a proxy. They are processes of this machine.

Each block gives a server that is ended with it. Where this machine cannot have one, the test is skipped, or fails if
servers are required.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.servers.plugin import unavailable
from tests.servers.proxy import Proxy
from warledger.servers import NoServer
from warledger.servers.kafka import LocalKafka
from warledger.servers.mongo import LocalMongo

SOON_GONE = {"broker.session.timeout.ms": "3000", "broker.heartbeat.interval.ms": "500"}
"""Settings of a cluster that takes a silent broker for gone after 3 seconds instead of 9: so long its partitions wait
for another leader, and so long a killed one waits until it may come back."""

_Own = TypeVar("_Own", LocalKafka, LocalMongo)


@dataclass(frozen=True, slots=True)
class ProxiedKafka:
    """A cluster whose brokers are reached through one proxy each; a client that begins at `brokers` stays there."""

    cluster: LocalKafka
    proxies: tuple[Proxy, ...]

    @property
    def brokers(self) -> str:
        """HOST:PORT of all proxies, separated by commas."""
        return ",".join(f"127.0.0.1:{proxy.port}" for proxy in self.proxies)


@dataclass(frozen=True, slots=True)
class ProxiedMongo:
    """A document server behind a proxy."""

    server: LocalMongo
    proxy: Proxy

    @property
    def url(self) -> str:
        """mongodb://HOST:PORT of the proxy."""
        return f"mongodb://127.0.0.1:{self.proxy.port}"


@contextmanager
def own_kafka(folder: Path, nodes: int = 1, settings: Mapping[str, str] | None = None) -> Iterator[LocalKafka]:
    """A cluster of so many nodes; three keep three copies of everything and need two to take a record."""
    with _running(LocalKafka(folder / "kafka", nodes=nodes, settings=settings)) as cluster:
        yield cluster


@contextmanager
def proxied_kafka(folder: Path, nodes: int = 1, settings: Mapping[str, str] | None = None) -> Iterator[ProxiedKafka]:
    """A cluster behind proxies that pass everything until they are told otherwise."""
    with ExitStack() as stack:
        proxies = [stack.enter_context(Proxy()) for _ in range(nodes)]
        advertised = [proxy.port for proxy in proxies]
        cluster = LocalKafka(folder / "kafka", nodes=nodes, advertised=advertised, settings=settings)
        stack.enter_context(_running(cluster))
        for proxy, node in zip(proxies, cluster.nodes, strict=True):
            proxy.target = node.ports.proxied
        yield ProxiedKafka(cluster, tuple(proxies))


@contextmanager
def own_mongo(folder: Path) -> Iterator[LocalMongo]:
    """A document server that has every write on the disk before it answers."""
    with _running(LocalMongo(folder / "mongo", sync=True)) as server:
        yield server


@contextmanager
def proxied_mongo(folder: Path) -> Iterator[ProxiedMongo]:
    """A document server behind a proxy that passes everything until it is told otherwise."""
    with own_mongo(folder) as server, Proxy(server.port) as proxy:
        yield ProxiedMongo(server, proxy)


@contextmanager
def _running(server: _Own) -> Iterator[_Own]:
    try:
        server.start()
    except NoServer as error:
        server.stop()
        unavailable(str(error))
    try:
        yield server
    finally:
        server.stop()
