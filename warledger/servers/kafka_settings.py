"""How a broker of tests and trials is set up: a KRaft node that is broker and controller, small, quick to start."""

import base64
import subprocess
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from warledger.servers import NoServer
from warledger.servers.java import java

KAFKA = "4.3.1"
CHECKPOINT = "bootstrap.checkpoint"
_META = "meta.properties"

JVM = ("-Xms64m", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true")
"""A broker on one machine starts in two thirds of the time without the second compiler and the parallel collector."""


@dataclass(frozen=True, slots=True)
class NodePorts:
    """Ports of one node on 127.0.0.1."""

    broker: int
    controller: int
    proxied: int = 0
    """Where a proxy connects to; 0: there is none."""
    advertised: int = 0
    """The proxy's own port, which the broker tells to clients that came through it."""


def cluster_properties(nodes: int) -> dict[str, str]:
    """What all brokers of a cluster of so many nodes have in common; the container's broker too."""
    copies, least = str(min(nodes, 3)), str(min(nodes, 2))
    return {
        "process.roles": "broker,controller",
        "controller.listener.names": "CONTROLLER",
        "inter.broker.listener.name": "PLAINTEXT",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,PROXIED:PLAINTEXT",
        "default.replication.factor": copies,
        "min.insync.replicas": least,
        "offsets.topic.replication.factor": copies,
        "transaction.state.log.replication.factor": copies,
        "transaction.state.log.min.isr": least,
        "offsets.topic.num.partitions": "4",
        "transaction.state.log.num.partitions": "4",
        "share.coordinator.state.topic.num.partitions": "1",
        "share.coordinator.state.topic.replication.factor": copies,
        "share.coordinator.state.topic.min.isr": least,
        "group.initial.rebalance.delay.ms": "0",
        "auto.create.topics.enable": "false",
        "message.timestamp.type": "LogAppendTime",
        "log.retention.ms": "-1",
        # A partition maps two index files into memory; tests make many partitions of few records.
        "log.index.size.max.bytes": "65536",
        # The cleaner's default buffer of 128 MB is a third of the whole process.
        "log.cleaner.dedupe.buffer.size": "4194304",
    }


def node_properties(node: int, ports: Sequence[NodePorts], data: Path) -> dict[str, str]:
    """All properties of node `node` (from 1 on) of a cluster with these ports."""
    own = ports[node - 1]
    listeners = {"PLAINTEXT": own.broker, "CONTROLLER": own.controller}
    advertised = {"PLAINTEXT": own.broker}
    if own.proxied:
        listeners["PROXIED"] = own.proxied
        advertised["PROXIED"] = own.advertised
    voters = (f"{number}@127.0.0.1:{each.controller}" for number, each in enumerate(ports, 1))
    return {
        **cluster_properties(len(ports)),
        "node.id": str(node),
        "controller.quorum.voters": ",".join(voters),
        "listeners": _listed(listeners),
        "advertised.listeners": _listed(advertised),
        "log.dirs": str(data),
    }


def write_properties(path: Path, properties: dict[str, str]) -> None:
    """Write a file as Java's Properties reads it."""
    lines = (f"{key}={value}".replace("\\", "\\\\") for key, value in sorted(properties.items()))
    path.write_text("\n".join(lines) + "\n")


def format_storage(data: Path, cluster: str, node: int, checkpoint: bytes) -> None:
    """Make a folder of a node's storage as `kafka-storage format` would; one that was made before stays."""
    if (data / _META).exists():
        return
    data.mkdir(parents=True, exist_ok=True)
    (data / CHECKPOINT).write_bytes(checkpoint)
    meta = {"version": "1", "cluster.id": cluster, "node.id": str(node), "directory.id": new_id()}
    write_properties(data / _META, meta)


def format_checkpoint(jars: Path, folder: Path) -> bytes:
    """What Kafka's own tool writes into every new storage: the levels of its features, the same for each.

    Made once for all clusters, for the tool starts as slowly as a broker. Raises NoServer if it fails.
    """
    properties, data = folder / "format.properties", folder / "formatted"
    write_properties(properties, node_properties(1, [NodePorts(9092, 9093)], data))
    tool = [str(java()), *JVM, "-cp", f"{jars}/*", "kafka.tools.StorageTool", "format", "-t", new_id()]
    done = subprocess.run([*tool, "-c", str(properties)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoServer(f"Kafka's storage tool failed: {(done.stderr or done.stdout).strip()[-300:]}")
    return (data / CHECKPOINT).read_bytes()


def new_id() -> str:
    """An id of a cluster or of a folder, in Kafka's own form."""
    while (made := base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")).startswith("-"):
        pass
    return made


def _listed(ports: dict[str, int]) -> str:
    return ",".join(f"{name}://127.0.0.1:{port}" for name, port in ports.items())
