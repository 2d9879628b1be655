"""Looking for a broker that is away leaves nothing open, however long it is away."""

import contextlib
import gc
import os
import selectors
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.net.transport import KafkaTCPTransport

from shared.log import LogUnavailable, kafka_sockets
from shared.log.kafka_client import make_client
from shared.log.kafka_place import KafkaPlace, parse_place


@pytest.fixture
def nowhere() -> Iterator[KafkaPlace]:
    """An address that nobody listens on, and that nobody gets while it is used."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield parse_place(f"kafka://127.0.0.1:{held.getsockname()[1]}")


def held_open() -> tuple[int, set[threading.Thread]]:
    return len(os.listdir("/proc/self/fd")), set(threading.enumerate())


def nothing_is_left(before: tuple[int, set[threading.Thread]]) -> bool:
    """Whether no file and no thread is there that was not before; what other tests left may end meanwhile."""
    deadline = time.monotonic() + 60
    while True:
        files, threads = held_open()
        if files <= before[0] and threads <= before[1]:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("proxied", [False, True])
@pytest.mark.parametrize("kind", [KafkaAdminClient, KafkaConsumer, KafkaProducer])
def test_a_client_that_finds_no_broker_leaves_no_file_and_no_thread(
    nowhere: KafkaPlace, kind: type[object], proxied: bool
) -> None:
    place = KafkaPlace(nowhere.brokers, "", {"proxy_url": f"socks5://{nowhere.brokers[0]}"} if proxied else {})
    gc.collect()
    gc.disable()
    try:
        before = held_open()
        with pytest.raises(LogUnavailable, match=nowhere.brokers[0]):
            make_client(kind, place, bootstrap_timeout_ms=300, reconnect_backoff_ms=10)
        assert nothing_is_left(before)
    finally:
        gc.enable()


@pytest.fixture(params=["silent", "closing"])
def stranger(request: pytest.FixtureRequest) -> Iterator[KafkaPlace]:
    """Takes connections; says nothing then, or closes them."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        ended = threading.Event()

        def close_all() -> None:
            while not ended.is_set():
                listening.accept()[0].close()

        if request.param == "closing":
            threading.Thread(target=close_all, daemon=True).start()
        yield parse_place(f"kafka://127.0.0.1:{listening.getsockname()[1]}")
        ended.set()
        socket.create_connection(listening.getsockname(), 1).close()


def test_a_loop_that_ends_closes_what_something_still_waits_for() -> None:
    loop = kafka_sockets.ClosingLoop()
    (sending, silent), (waiting, other) = socket.socketpair(), socket.socketpair()
    with silent, other:
        for each in (sending, waiting):
            each.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:  # until nothing more leaves
                sending.send(b"x" * 65_536)
        transport = KafkaTCPTransport(loop, sending)
        transport.write(b"last words")
        transport.close()
        loop.call_soon(lambda: loop.wait_read(waiting))
        loop.poll(timeout_ms=0)
        assert -1 not in (sending.fileno(), waiting.fileno())
        loop.close()
        assert (sending.fileno(), waiting.fileno()) == (-1, -1)
        loop.close()


@pytest.mark.slow
@pytest.mark.parametrize("certificates", [None, "/nowhere.pem"])
def test_a_broker_that_does_not_answer_in_tls_holds_nobody_up_and_leaves_nothing(
    stranger: KafkaPlace, certificates: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_sockets, "HANDSHAKE_SECONDS", 0.1)
    place = KafkaPlace(stranger.brokers, "", {"security_protocol": "SSL", "ssl_cafile": certificates})
    gc.collect()
    gc.disable()
    try:
        before = held_open()
        started = time.monotonic()
        with pytest.raises(LogUnavailable, match=stranger.brokers[0]):
            make_client(KafkaProducer, place, bootstrap_timeout_ms=300, reconnect_backoff_ms=10)
        assert time.monotonic() - started < 20
        assert nothing_is_left(before)
    finally:
        gc.enable()


def test_a_selector_says_of_a_socket_that_it_does_not_watch_it_and_finds_one_that_was_closed() -> None:
    with kafka_sockets.TerseSelector() as selector:
        watched, other = socket.socketpair()
        with watched, other:
            key = selector.register(watched, selectors.EVENT_READ, "read")
            assert selector.get_key(watched) == selector.get_key(watched.fileno()) == key
            with pytest.raises(KeyError, match=str(other.fileno())):
                selector.get_key(other)
        assert selector.get_key(watched) == key
        selector.unregister(watched)
        with pytest.raises((KeyError, ValueError)):
            selector.get_key(watched)
