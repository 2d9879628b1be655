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
    text = str(error)
    return text if type(error).__name__ in text else f"{type(error).__name__} {text}".strip()
