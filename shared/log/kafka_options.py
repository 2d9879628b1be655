"""What the clients that carry records are made with, and how an error of theirs is told."""

import logging
from collections.abc import Mapping
from typing import Any

CONNECT_SECONDS = 3.0
"""Time for the first answer of a broker: one that is away is told soon, and asked again by the next call."""

RECONNECTING: Mapping[str, Any] = {
    "bootstrap_timeout_ms": round(CONNECT_SECONDS * 1000),
    "reconnect_backoff_ms": 20,
    # An outage of minutes is over when the broker is back, not half a minute later.
    "reconnect_backoff_max_ms": 500,
}
CARRYING: Mapping[str, Any] = {**RECONNECTING, "metrics_enabled": False}

# What fails is raised, and told once by who asked; the library tells each attempt, several a second in an outage.
logging.getLogger("kafka").setLevel(logging.ERROR)
for _name in ("kafka.net", "kafka.cluster"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


def said(error: BaseException) -> str:
    """An error of kafka-python in one line."""
    name, text = type(error).__name__, str(error)
    told = text if name in text else f"{name} {text}".strip()
    return f"{told}; {_HINTS[name]}" if name in _HINTS else told


_HINTS: Mapping[str, str] = {
    "InvalidSessionTimeoutError": "group.min.session.timeout.ms of the brokers must be at most 6000",
    "InvalidTransactionTimeoutError": "transaction.max.timeout.ms of the brokers must be at least 60000",
}
"""Settings of brokers that an error speaks of without naming them."""
