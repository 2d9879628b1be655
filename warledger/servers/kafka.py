"""Kafka as processes of this machine: one node, or a cluster whose nodes can be killed, restarted and paused."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kafka.admin import KafkaAdminClient
from kafka.errors import KafkaError

from shared.log import LogUnavailable
from shared.log.kafka_client import make_client
from shared.log.kafka_place import parse_place
from warledger.servers import NoServer
from warledger.servers.child import Child
from warledger.servers.jars import Report, kafka_jars
from warledger.servers.java import java
from warledger.servers.kafka_settings import (
    CHECKPOINT,
    JVM,
    NodePorts,
    format_storage,
    new_id,
    node_properties,
    write_properties,
)
from warledger.servers.ports import held_ports, listening

READY_WITHIN = 90.0
_ANSWER_MS = 5000
_STARTS = 5
_READY = "Kafka Server started"
_TAKEN = ("Address already in use", "Failed to bind")


class Node:
    """One node of a cluster, broker and controller in one."""

    def __init__(self, id: int, ports: NodePorts, child: Child) -> None:
        self.id = id
        self.ports = ports
        self.child = child

    @property
    def address(self) -> str:
        """HOST:PORT of the broker."""
        return f"127.0.0.1:{self.ports.broker}"

    def kill(self) -> None:
        """End it as kill -9 does."""
        self.child.kill()

    def stop(self) -> None:
        """End it as an operator does: it hands its partitions over first."""
        self.child.stop()

    def pause(self) -> None:
        """SIGSTOP."""
        self.child.pause()

    def resume(self) -> None:
        """SIGCONT."""
        self.child.resume()

    def start(self) -> None:
        """Start it on the same ports with what it stored; returns when it serves."""
        self.child.start()
        self.await_ready()

    def await_ready(self) -> None:
        """Wait until it says that it serves: whoever asks its port may meet another server there. Raises NoServer."""
        self.child.await_ready(lambda: self.child.said(_READY), READY_WITHIN)


class LocalKafka:
    """A cluster of `nodes` KRaft nodes in `folder`: three of them keep three copies of all, two of which must answer.

    `advertised` are ports of proxies, one a node: the brokers then have a second listener (`NodePorts.proxied`), and
    whoever comes through it is told these ports. `ports` are those of an earlier start. Storage that is there is used
    again. `settings` are properties of every broker, before those of kafka_settings.
    """

    way = "process"

    def __init__(
        self,
        folder: Path,
        *,
        nodes: int = 1,
        advertised: Sequence[int] = (),
        ports: Sequence[NodePorts] = (),
        settings: Mapping[str, str] | None = None,
        outlive: bool = False,
        report: Report = lambda line: None,
    ) -> None:
        if advertised and len(advertised) != nodes:
            raise ValueError(f"{nodes} nodes need {nodes} advertised ports, not {len(advertised)}")
        self.folder = folder
        self.nodes: list[Node] = []
        self._count = nodes
        self._advertised = advertised
        self._ports = list(ports)
        self._settings = dict(settings or {})
        self._outlive = outlive
        self._report = report

    @property
    def address(self) -> str:
        """HOST:PORT of all brokers, separated by commas."""
        return ",".join(node.address for node in self.nodes)

    @property
    def children(self) -> list[Child]:
        """The processes."""
        return [node.child for node in self.nodes]

    def start(self) -> None:
        """Start all nodes; returns when every broker takes part. Raises NoServer."""
        jars = kafka_jars(self._report)
        for attempt in range(1, _STARTS + 1):
            try:
                self._start_once(jars, self._ports if attempt == 1 else ())
                return
            except NoServer:
                taken = any(node.child.said(*_TAKEN) for node in self.nodes)
                self.stop()
                if not taken or attempt == _STARTS:
                    raise
                for node in self.nodes:
                    node.child.log.unlink()

    def stop(self) -> None:
        """End all nodes; data and logs stay in the folder."""
        for node in self.nodes:
            if node.child.running and self._count > 1:
                # Two controllers of three must be there for an orderly end: the last ones would wait for it in vain.
                node.kill()
            node.stop()

    def kill(self) -> None:
        """End all nodes as kill -9 does."""
        for node in self.nodes:
            node.kill()

    def restart(self) -> None:
        """Start all nodes again on their ports, with what they stored; returns when every broker takes part."""
        for node in self.nodes:
            node.child.start()
        for node in self.nodes:
            node.await_ready()
        self.await_brokers(self._count)

    def await_brokers(self, count: int, within: float = READY_WITHIN) -> None:
        """Wait until so many brokers take part in the cluster. Raises NoServer."""
        asked = next(node for node in self.nodes if node.child.running)
        asked.child.await_ready(lambda: brokers_in(asked.address) >= count, within)

    def _start_once(self, jars: Path, ports: Sequence[NodePorts]) -> None:
        found = list(ports) or self._free_ports()
        self.nodes = self._prepare(jars, found)
        self.restart()

    def _free_ports(self) -> list[NodePorts]:
        with held_ports(self._count * 3) as held:
            shares = list(zip(held[0::3], held[1::3], held[2::3], strict=True))
        if not self._advertised:
            return [NodePorts(broker, controller) for broker, controller, _ in shares]
        both = zip(shares, self._advertised, strict=True)
        return [NodePorts(broker, controller, proxied, own) for (broker, controller, proxied), own in both]

    def _prepare(self, jars: Path, ports: Sequence[NodePorts]) -> list[Node]:
        checkpoint, cluster = (jars / CHECKPOINT).read_bytes(), new_id()
        nodes = []
        for id, own in enumerate(ports, 1):
            data = self.folder / f"data-{id}"
            format_storage(data, cluster, id, checkpoint)
            properties = self.folder / f"node-{id}.properties"
            write_properties(properties, node_properties(id, ports, data) | self._settings)
            command = [str(java()), *JVM, "-cp", f"{jars}/*", "kafka.Kafka", str(properties)]
            child = Child(command, self.folder / f"kafka-{id}.log", outlive=self._outlive)
            nodes.append(Node(id, own, child))
        return nodes


def brokers_in(address: str) -> int:
    """How many brokers take part in the cluster that answers there; 0 while none answers. Raises ValueError."""
    place = parse_place(f"kafka://{address}")
    # A client tries again for seconds where nobody listens.
    if not any(_listens(broker) for broker in place.brokers):
        return 0
    try:
        admin = make_client(KafkaAdminClient, place, bootstrap_timeout_ms=_ANSWER_MS, request_timeout_ms=_ANSWER_MS)
        try:
            told: Any = admin.describe_cluster()
        finally:
            admin.close()
    except (LogUnavailable, KafkaError, OSError):
        return 0
    return sum(not broker.get("is_fenced") for broker in told["brokers"])


def _listens(broker: str) -> bool:
    host, _, port = broker.rpartition(":")
    return listening(int(port), host.strip("[]"))
