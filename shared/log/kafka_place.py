"""Where an installation's event log stands in Kafka: the brokers, and the names of topics, groups and transactions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

_EXPECTED = "expected kafka://HOST:PORT[,HOST:PORT ...][/PREFIX], the prefix of 1 to 40 of a-z, 0-9 and -"
_PREFIX_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


@dataclass(frozen=True, slots=True)
class KafkaPlace:
    """A Kafka cluster, and the share of it that one installation has."""

    brokers: tuple[str, ...]
    """HOST:PORT of the brokers that are asked first."""
    prefix: str = ""
    """Begins every name of this installation, followed by a dot; empty if the cluster is its own."""
    security: Mapping[str, Any] = field(default_factory=dict)
    """Options of kafka-python for TLS and SASL, the same for every client."""

    def name(self, name: str) -> str:
        """A topic, group or transactional id as the cluster knows it."""
        return f"{self.prefix}.{name}" if self.prefix else name

    def options(self) -> dict[str, Any]:
        """What every client of kafka-python is made with."""
        return {"bootstrap_servers": list(self.brokers), **self.security}


def parse_place(url: str, security: Mapping[str, Any] | None = None) -> KafkaPlace:
    """Read a kafka:// URL. Raises ValueError that says what was expected."""
    parts = urlsplit(url)
    prefix = parts.path.strip("/")
    brokers = tuple(parts.netloc.split(","))
    if parts.scheme != "kafka" or parts.query or parts.fragment or not all(map(_is_address, brokers)):
        raise ValueError(_EXPECTED)
    if len(prefix) > 40 or not _PREFIX_LETTERS.issuperset(prefix):
        raise ValueError(_EXPECTED)
    return KafkaPlace(brokers, prefix, dict(security or {}))


def _is_address(text: str) -> bool:
    host, _, port = text.rpartition(":")
    return bool(host) and "@" not in host and port.isascii() and port.isdigit() and 0 < int(port) < 65536
