"""One client's connection: what it has sent, and what is still to be sent to it."""

import select
import socket
import time
from enum import Enum

from shared.server.framing import Framing

STREAM_SEND_SECONDS = 10.0
"""How long a stream waits for a client that does not read."""


class State(Enum):
    """What a connection is doing: NEW and KEPT wait for the first byte of a request, its first or a later one.

    It is with a thread while WORKING, with the event loop in every other state.
    """

    NEW = "new"
    KEPT = "kept"
    RECEIVING = "receiving"
    WORKING = "working"
    SENDING = "sending"
    LINGERING = "lingering"


class Outlet:
    """What a response is written to. An answer is collected and sent as far as it goes without waiting; a stream is
    sent piece by piece, and given up when its client does not read for STREAM_SEND_SECONDS."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self.left = bytearray()
        self.streaming = False

    def sendall(self, data: bytes) -> None:
        """Take bytes. Raises TimeoutError in a stream that is not read, OSError when the client is gone."""
        self.left += data
        if self.streaming:
            self._send_within(STREAM_SEND_SECONDS)

    send = sendall

    def flush(self) -> bool:
        """Send what can be sent without waiting; returns whether nothing is left."""
        while self.left:
            try:
                del self.left[: self._sock.send(self.left)]
            except BlockingIOError:
                return False
        return True

    def _send_within(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self.flush():
            writable = select.poll()
            writable.register(self._sock, select.POLLOUT)
            if not writable.poll(max(0, int((end - time.monotonic()) * 1000))):
                raise TimeoutError("the client does not read its stream")


class Connection:
    """A connection and its state; only the event loop changes it, but for the outlet while a thread works."""

    def __init__(self, sock: socket.socket, client: tuple[str, int], server: tuple[str, int]) -> None:
        sock.setblocking(False)
        self.sock = sock
        self.client = client
        self.server = server
        self.received = bytearray()
        self.outlet = Outlet(sock)
        self.since = 0.0
        self.keep = True
        """Whether another request may follow."""
        self.watched = 0
        """The events that the event loop waits for."""
        self.discarded = 0
        self.accounted = 0
        """Bytes of held() that the event loop has counted."""

    def await_request(self, framing: Framing, state: State, seconds: float) -> None:
        """Wait so long for a request."""
        self.framing = framing
        self.head_seen = False
        self.outlet.streaming = False
        self.enter(state, seconds)

    def enter(self, state: State, seconds: float) -> None:
        """Go over to a state that lasts so long at most."""
        self.since = time.monotonic()
        self.state, self.deadline = state, self.since + seconds

    def take(self) -> bytes:
        """The bytes of the whole request; what follows them stays for the next."""
        request = bytes(self.received[: self.framing.end])
        del self.received[: self.framing.end]
        return request

    def held(self) -> int:
        """Bytes of memory that the client makes the server hold."""
        return len(self.received) + len(self.outlet.left)

    def hung_up(self) -> bool:
        """Whether the client has closed the connection; for a thread that streams to it."""
        try:
            return self.sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True
