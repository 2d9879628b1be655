"""A SOCKS5 proxy between clients and a broker that lets connections be cut, or fall silent, and come back.

Kafka's clients go to the address that a broker gives for itself, past any proxy that was named as a broker; through
SOCKS every connection is made by the proxy.
"""

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator

_REQUEST = struct.Struct("!BBBB")
_ANSWER = b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"


class SocksProxy:
    """Takes connections on a port of its own; each is carried by two threads until one side closes it."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._mode = "through"
        self._left: int | None = None
        self._then: str | None = None
        self.carried = 0
        """Bytes that went through."""
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"socks5://127.0.0.1:{self.port}"

    @contextlib.contextmanager
    def refusing(self) -> Iterator[None]:
        """Cut every connection, and each that is made, until the block ends."""
        with self._outage("refusing"):
            self.cut()
            yield

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        """Swallow every byte in both directions, as a network that died half-way; no connection survives it."""
        with self._outage("silent"):
            yield

    def cut_after(self, count: int) -> None:
        """End all connections once so many more bytes went through; new ones can be made."""
        with self._lock:
            self._left = count

    @contextlib.contextmanager
    def silent_after(self, count: int) -> Iterator[None]:
        """Like `silent`, once so many more bytes went through."""
        self._then = "silent"
        self.cut_after(count)
        try:
            with self._outage(self._mode):
                yield
        finally:
            self._then = self._left = None

    def cut(self) -> None:
        """End every connection that is open now."""
        with self._lock:
            ended = [*self._open]
        self._end(*ended)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)  # who waits for a connection hears nothing of a mere close
        self._listening.close()
        self.cut()

    @contextlib.contextmanager
    def _outage(self, mode: str) -> Iterator[None]:
        self._mode = mode
        try:
            yield
        finally:
            self.cut()
            self._mode = "through"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            if self._mode == "refusing":
                connection.close()
            else:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with self._lock:
            self._open.add(client)
        try:
            broker = self._connect(client)
        except OSError:
            self._end(client)
            return
        with self._lock:
            self._open.add(broker)
        threading.Thread(target=self._carry, args=(broker, client), daemon=True).start()
        self._carry(client, broker)

    def _connect(self, client: socket.socket) -> socket.socket:
        """The handshake (RFC 1928) of a client that names no user."""
        methods = _exactly(client, 2)[1]
        _exactly(client, methods)
        client.sendall(b"\x05\x00")
        kind = _REQUEST.unpack(_exactly(client, 4))[3]
        host = socket.inet_ntoa(_exactly(client, 4)) if kind == 1 else _exactly(client, _exactly(client, 1)[0]).decode()
        port = int.from_bytes(_exactly(client, 2), "big")
        client.sendall(_ANSWER)
        broker = socket.create_connection((host, port), 5)
        broker.settimeout(None)
        broker.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return broker

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if self._mode != "through":
                    continue
                with self._lock:
                    blown = self._left is not None and len(data) >= self._left
                    data = data[: self._left]
                    self._left = None if self._left is None or blown else self._left - len(data)
                    self.carried += len(data)
                    if blown and self._then is not None:
                        self._mode = self._then
                target.sendall(data)
                if blown and self._mode == "through":
                    self.cut()
        self._end(source, target)

    def _end(self, *connections: socket.socket) -> None:
        with self._lock:
            self._open.difference_update(connections)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise ConnectionResetError
        data += more
    return data
