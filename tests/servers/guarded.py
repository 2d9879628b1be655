"""A broker that asks who somebody is and refuses what was not granted: one node of its own, with SCRAM log-ins."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kafka.admin import KafkaAdminClient, ScramMechanism, UserScramCredentialUpsertion

from warledger.servers.child import Child
from warledger.servers.jars import kafka_jars
from warledger.servers.java import java
from warledger.servers.kafka import READY_WITHIN
from warledger.servers.kafka_settings import (
    CHECKPOINT,
    JVM,
    NodePorts,
    format_storage,
    new_id,
    node_properties,
    write_properties,
)
from warledger.servers.ports import free_ports

_READY = "Kafka Server started"


@dataclass(frozen=True, slots=True)
class GuardedKafka:
    """A running broker with two doors. Through the open one comes the administrator, who may do everything."""

    open: str
    guarded: str
    """HOST:PORT where everybody logs in (SASL_PLAINTEXT, SCRAM-SHA-512)."""
    folder: Path

    def add_users(self, names: Iterable[str]) -> None:
        """Make log-ins; the password of each is `password of NAME`."""
        admin: Any = KafkaAdminClient(bootstrap_servers=self.open)
        try:
            mechanism = ScramMechanism.SCRAM_SHA_512
            users = [UserScramCredentialUpsertion(name, mechanism, f"password of {name}") for name in names]
            faults = admin.alter_user_scram_credentials(users)
            assert not any(faults.values()), faults
        finally:
            admin.close()

    def log_in(self, name: str) -> dict[str, str]:
        """Options of kafka-python for a user."""
        return {
            "security_protocol": "SASL_PLAINTEXT",
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_plain_username": name,
            "sasl_plain_password": f"password of {name}",
        }

    def environment(self, name: str) -> dict[str, str]:
        """Variables of a process that logs in as a user."""
        file = self.folder / f"{name}.password"
        file.touch(mode=0o600)
        file.write_text(f"password of {name}\n")
        return {
            "WARLEDGER_KAFKA_SECURITY": "SASL_PLAINTEXT",
            "WARLEDGER_KAFKA_USER": name,
            "WARLEDGER_KAFKA_PASSWORD_FILE": str(file),
        }


@contextmanager
def guarded_kafka(folder: Path) -> Iterator[GuardedKafka]:
    """Start the broker in a folder; end it afterwards. Raises NoServer."""
    jars = kafka_jars(lambda line: None)
    broker, controller, guarded = free_ports(3)
    ports = [NodePorts(broker, controller, guarded, guarded)]
    protocols = "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,PROXIED:SASL_PLAINTEXT"
    properties = {
        **node_properties(1, ports, folder / "data"),
        "listener.security.protocol.map": protocols,
        "sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "listener.name.proxied.scram-sha-512.sasl.jaas.config": (
            "org.apache.kafka.common.security.scram.ScramLoginModule required;"
        ),
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "allow.everyone.if.no.acl.found": "false",
        "super.users": "User:ANONYMOUS",
    }
    format_storage(folder / "data", new_id(), 1, (jars / CHECKPOINT).read_bytes())
    write_properties(folder / "node.properties", properties)
    command = [str(java()), *JVM, "-cp", f"{jars}/*", "kafka.Kafka", str(folder / "node.properties")]
    child = Child(command, folder / "kafka.log")
    child.start()
    try:
        child.await_ready(lambda: child.said(_READY), READY_WITHIN)
        yield GuardedKafka(f"127.0.0.1:{broker}", f"127.0.0.1:{guarded}", folder)
    finally:
        child.stop()
