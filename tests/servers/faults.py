"""What befalls the servers of an installation: each a block during which it lasts; afterwards the server is as before.

    with servers_of_its_own(folder, nodes=3) as servers:
        with installation(folder / "data", servers.storage()) as house:
            with FAULTS["one broker killed"](servers):
                ...

Everything runs through proxies, so every fault can befall every installation. A block of a killed server ends when the
server serves again; how long its clients take from then on is for the test to see.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from shared.log.kafka_place import parse_place
from shared.log.kafka_topics import apply
from tests.servers.own import SOON_GONE, ProxiedKafka, ProxiedMongo, proxied_kafka, proxied_mongo
from tests.servers.proxy import Proxy

HALF_WAY = 3000
"""Bytes after which a connection is cut: behind the handshake of both protocols, before a batch has gone through."""
SLOW = 0.2
"""Seconds by which every piece is late, either way."""


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of one installation, behind proxies."""

    kafka: ProxiedKafka
    mongo: ProxiedMongo

    def storage(self) -> dict[str, str]:
        """A share of both that nobody has used, with its topics: variables of an installation."""
        name = f"test-{secrets.token_hex(6)}"
        log = f"kafka://{self.kafka.brokers}/{name}"
        left = apply(parse_place(log), replication=len(self.kafka.proxies)).left
        assert not left, left
        return {"WARLEDGER_LOG": log, "WARLEDGER_DOCS": f"{self.mongo.url}/{name}"}


Fault = Callable[[Servers], AbstractContextManager[None]]


@contextmanager
def servers_of_its_own(folder: Path, nodes: int = 1) -> Iterator[Servers]:
    """A cluster of so many brokers and a document server, ended with the block."""
    with proxied_kafka(folder, nodes, SOON_GONE) as kafka, proxied_mongo(folder) as mongo:
        yield Servers(kafka, mongo)


@contextmanager
def one_broker_killed(servers: Servers) -> Iterator[None]:
    """kill -9 of the first broker; the others, if there are any, go on. It is back at the end."""
    node = servers.kafka.cluster.nodes[0]
    node.kill()
    try:
        yield
    finally:
        node.start()
        servers.kafka.cluster.await_brokers(len(servers.kafka.proxies))


@contextmanager
def brokers_killed(servers: Servers) -> Iterator[None]:
    """kill -9 of all brokers. They are back at the end."""
    servers.kafka.cluster.kill()
    try:
        yield
    finally:
        servers.kafka.cluster.restart()


@contextmanager
def brokers_paused(servers: Servers) -> Iterator[None]:
    """SIGSTOP of all brokers: connections stay open and nothing is answered."""
    with ExitStack() as stack:
        for node in servers.kafka.cluster.nodes:
            node.pause()
            stack.callback(node.resume)
        yield


@contextmanager
def documents_killed(servers: Servers) -> Iterator[None]:
    """kill -9 of the document server. It is back at the end."""
    servers.mongo.server.kill()
    try:
        yield
    finally:
        servers.mongo.server.restart()


@contextmanager
def documents_paused(servers: Servers) -> Iterator[None]:
    """SIGSTOP of the document server."""
    servers.mongo.server.pause()
    try:
        yield
    finally:
        servers.mongo.server.resume()


@contextmanager
def changed(
    proxies: Callable[[Servers], tuple[Proxy, ...]], change: Callable[[Proxy], None], servers: Servers
) -> Iterator[None]:
    """Proxies that do something else than to pass everything."""
    chosen = proxies(servers)
    for proxy in chosen:
        change(proxy)
    try:
        yield
    finally:
        for proxy in chosen:
            proxy.passing()


def log_proxies(servers: Servers) -> tuple[Proxy, ...]:
    """Those before the brokers."""
    return servers.kafka.proxies


def documents_proxies(servers: Servers) -> tuple[Proxy, ...]:
    """The one before the document server."""
    return (servers.mongo.proxy,)


def _slow(proxy: Proxy) -> None:
    proxy.delaying(SLOW)


def _cut(proxy: Proxy) -> None:
    proxy.cutting(HALF_WAY)


LOG_FAULTS: Mapping[str, Fault] = {
    "brokers killed": brokers_killed,
    "brokers paused": brokers_paused,
    "log refused": partial(changed, log_proxies, Proxy.refusing),
    "log in a black hole": partial(changed, log_proxies, Proxy.holding),
    "log slow": partial(changed, log_proxies, _slow),
    "log cut half-way": partial(changed, log_proxies, _cut),
}
DOCUMENT_FAULTS: Mapping[str, Fault] = {
    "documents killed": documents_killed,
    "documents paused": documents_paused,
    "documents refused": partial(changed, documents_proxies, Proxy.refusing),
    "documents in a black hole": partial(changed, documents_proxies, Proxy.holding),
    "documents slow": partial(changed, documents_proxies, _slow),
    "documents cut half-way": partial(changed, documents_proxies, _cut),
}
CLUSTER_FAULTS: Mapping[str, Fault] = {"one broker killed": one_broker_killed}
"""Faults that a cluster of three goes on through."""
FAULTS: Mapping[str, Fault] = {**LOG_FAULTS, **DOCUMENT_FAULTS, **CLUSTER_FAULTS}
