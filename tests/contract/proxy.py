"""A TCP proxy in front of a server, whose connections a test cuts or holds up."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_BYTES = 65_536


class Proxy:
    """Forwards connections from `address` to a server on this machine. Used as a context manager."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._refusing = False
        self._flowing = threading.Event()
        self._flowing.set()

    def __enter__(self) -> "Proxy":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._flowing.set()
        self._refusing = True
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Reset every open connection; new ones come through."""
        with self._lock:
            ended, self._open = self._open, set()
        for end in ended:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    @contextmanager
    def away(self) -> Iterator[None]:
        """No connection is open, none is taken."""
        self._refusing = True
        self.cut()
        try:
            yield
        finally:
            self._refusing = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Connections are taken and stay open, but nothing comes through."""
        self._flowing.clear()
        try:
            yield
        finally:
            self._flowing.set()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._refusing:
                client.close()
                continue
            try:
                server = socket.create_connection(self._target)
            except OSError:
                client.close()
                continue
            with self._lock:
                self._open |= {client, server}
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._forward, args=(source, sink), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(_BYTES):
                self._flowing.wait()
                sink.sendall(data)
        except OSError:
            pass
        with self._lock:
            self._open -= {source, sink}
        source.close()
        sink.close()
