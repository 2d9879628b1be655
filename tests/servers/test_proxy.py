"""The proxy of the fault tests does what it says, to open connections and to new ones."""

import asyncio
import contextlib
import gc
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tests.servers.proxy import Proxy

PATIENCE = 60.0


@contextlib.contextmanager
def echo() -> Iterator[int]:
    """A server that sends back what it gets; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_accept, args=(server,), daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE)


def _accept(server: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection, _ = server.accept()
            threading.Thread(target=_echo, args=(connection,), daemon=True).start()


def _echo(connection: socket.socket) -> None:
    with connection, contextlib.suppress(OSError):
        while piece := connection.recv(65536):
            connection.sendall(piece)


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    """A proxy before an echo."""
    with echo() as port, Proxy(port) as made:
        yield made


def client(proxy: Proxy) -> socket.socket:
    """A connection through the proxy."""
    return socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE)


def ask(connection: socket.socket, what: bytes) -> bytes:
    """Send and read as much back."""
    connection.sendall(what)
    return read(connection, len(what))


def read(connection: socket.socket, size: int) -> bytes:
    """Read so many bytes, fewer only if the connection ends."""
    found = b""
    while len(found) < size and (piece := connection.recv(size - len(found))):
        found += piece
    return found


def silent(connection: socket.socket, seconds: float) -> bool:
    """Whether nothing comes for so long, and the connection stays."""
    connection.settimeout(seconds)
    try:
        connection.recv(1)
    except TimeoutError:
        return True
    finally:
        connection.settimeout(PATIENCE)
    return False


def test_what_passes_is_whole_and_so_is_its_end(proxy: Proxy) -> None:
    much = bytes(range(256)) * 4000
    with client(proxy) as connection:
        threading.Thread(target=connection.sendall, args=(much,), daemon=True).start()
        assert read(connection, len(much)) == much
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1) == b""
    assert (proxy.accepted, proxy.passed) == (1, 2 * len(much))


def test_a_delay_holds_both_ways_for_open_connections(proxy: Proxy) -> None:
    with client(proxy) as connection:
        assert ask(connection, b"first") == b"first"
        proxy.delaying(0.1)
        started = time.monotonic()
        assert ask(connection, b"second") == b"second"
        assert time.monotonic() - started >= 0.2


def test_a_connection_is_cut_at_the_byte(proxy: Proxy) -> None:
    with client(proxy) as connection:
        assert ask(connection, b"before") == b"before"
        proxy.cutting(after=15)
        connection.sendall(b"0123456789")
        with pytest.raises(ConnectionResetError):
            read(connection, 10)
    assert proxy.passed == 2 * len(b"before") + 15


def test_after_a_cut_new_connections_are_cut_as_well_until_it_passes_again(proxy: Proxy) -> None:
    proxy.cutting(after=0)
    with client(proxy) as connection, pytest.raises(ConnectionResetError):
        ask(connection, b"anything")
    proxy.passing()
    with client(proxy) as connection:
        assert ask(connection, b"again") == b"again"


def test_a_black_hole_keeps_what_it_swallows_until_it_passes_again(proxy: Proxy) -> None:
    with client(proxy) as early:
        assert ask(early, b"early") == b"early"
        proxy.holding()
        early.sendall(b"held")
        with client(proxy) as late:
            late.sendall(b"late")
            assert silent(early, 0.1)
            assert silent(late, 0.1)
            proxy.passing()
            assert read(early, 4) == b"held"
            assert read(late, 4) == b"late"


def test_refusing_resets_what_is_open_and_takes_nothing_new(proxy: Proxy) -> None:
    with client(proxy) as connection:
        assert ask(connection, b"first") == b"first"
        proxy.refusing()
        with pytest.raises(ConnectionResetError):
            connection.recv(1)
        with pytest.raises(ConnectionRefusedError):
            client(proxy)
    proxy.passing()
    with client(proxy) as connection:
        assert ask(connection, b"again") == b"again"


def test_a_server_that_is_away_ends_the_client_s_connection(proxy: Proxy) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        proxy.target = held.getsockname()[1]
        # It may end before the client knows that it began.
        with pytest.raises(ConnectionResetError), client(proxy) as connection:
            connection.recv(1)


@pytest.mark.parametrize("turns", range(6))
def test_a_connection_that_was_taken_only_just_now_is_closed_at_the_end_too(turns: int) -> None:
    with echo() as port:
        proxy = Proxy(port)
        with proxy:
            ended = asyncio.run_coroutine_threadsafe(_end_soon_after_a_client(proxy, turns), proxy._loop)
            with ended.result(PATIENCE) as connection, contextlib.suppress(ConnectionResetError):
                assert connection.recv(1) == b""
        del proxy
        gc.collect()  # what is left open is found here, and is an error


async def _end_soon_after_a_client(proxy: Proxy, turns: int) -> socket.socket:
    """A client connects; so many turns of the event loop later the proxy ends."""
    connection = client(proxy)
    for _ in range(turns):
        await asyncio.sleep(0)
    await proxy._close()
    return connection


def test_reset_ends_what_is_open_and_takes_new_connections(proxy: Proxy) -> None:
    with client(proxy) as connection:
        assert ask(connection, b"first") == b"first"
        assert proxy.open == 1
        proxy.reset()
        with pytest.raises(ConnectionResetError):
            connection.recv(1)
    with client(proxy) as connection:
        assert ask(connection, b"again") == b"again"
