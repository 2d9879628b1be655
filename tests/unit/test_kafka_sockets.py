"""Looking for a broker that is away leaves nothing open, however long it is away."""

import gc
import os
import socket
import threading
from collections.abc import Iterator

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer

from shared.log import LogUnavailable
from shared.log.kafka_client import make_client
from shared.log.kafka_place import KafkaPlace, parse_place


@pytest.fixture
def nowhere() -> Iterator[KafkaPlace]:
    """An address that nobody listens on, and that nobody gets while it is used."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield parse_place(f"kafka://127.0.0.1:{held.getsockname()[1]}")


def left_open() -> tuple[int, list[str]]:
    return len(os.listdir("/proc/self/fd")), [thread.name for thread in threading.enumerate()]


@pytest.mark.parametrize("proxied", [False, True])
@pytest.mark.parametrize("kind", [KafkaAdminClient, KafkaConsumer, KafkaProducer])
def test_a_client_that_finds_no_broker_leaves_no_file_and_no_thread(
    nowhere: KafkaPlace, kind: type[object], proxied: bool
) -> None:
    place = KafkaPlace(nowhere.brokers, "", {"proxy_url": f"socks5://{nowhere.brokers[0]}"} if proxied else {})
    gc.collect()
    gc.disable()
    try:
        before = left_open()
        with pytest.raises(LogUnavailable, match=nowhere.brokers[0]):
            make_client(kind, place, bootstrap_timeout_ms=300, reconnect_backoff_ms=10)
        assert left_open() == before
    finally:
        gc.enable()
