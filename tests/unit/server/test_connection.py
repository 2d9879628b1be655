"""What is sent to clients that read slowly or not at all."""

import socket
from collections.abc import Iterator

import pytest

from shared.server import connection
from shared.server.connection import Connection, Outlet


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """A non-blocking end of the server, and its client's."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.settimeout(60)
    with ours, theirs:
        yield ours, theirs


def test_an_answer_is_kept_as_far_as_the_client_does_not_take_it(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    outlet, sent = Outlet(ours), b"x" * 3_000_000
    outlet.sendall(sent)
    assert not outlet.flush()
    got = bytearray()
    while len(got) < len(sent):
        got += theirs.recv(65_536)
        outlet.flush()
    assert bytes(got) == sent
    assert outlet.flush()


def test_a_stream_is_sent_at_once(pair: tuple[socket.socket, socket.socket]) -> None:
    outlet = Outlet(pair[0])
    outlet.streaming = True
    outlet.sendall(b"event")
    assert pair[1].recv(10) == b"event"


def test_a_stream_that_is_not_read_is_given_up(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "STREAM_SEND_SECONDS", 0.1)
    outlet = Outlet(pair[0])
    outlet.streaming = True
    with pytest.raises(TimeoutError):
        outlet.sendall(b"x" * 3_000_000)


def test_it_is_known_when_a_client_has_hung_up(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    served = Connection(ours, ("127.0.0.1", 1), ("127.0.0.1", 2))
    assert not served.hung_up()
    theirs.send(b"GET")
    assert not served.hung_up()
    assert ours.recv(3) == b"GET"
    theirs.close()
    assert served.hung_up()
