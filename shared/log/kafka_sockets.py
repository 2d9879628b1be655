"""Sockets of Kafka's clients that are closed when connecting fails and when a client is closed, with an end to each
wait for a broker's TLS.

kafka-python (3.0) leaves them to the garbage collector. A process with much in memory collects rarely, and one that
looks for a broker for minutes would have no files left. It takes classes of sockets by the scheme of `proxy_url`.
A handshake has no time-out there: a broker that is stopped, or a network that is cut, would hold a process up for ever.
"""

import selectors
import socket
import ssl
import time
from typing import Any

from kafka.net import compat, manager
from kafka.net.inet import KafkaNetSocket
from kafka.net.selector import NetworkSelector
from kafka.net.socks5 import Socks5Proxy
from kafka.net.transport import KafkaSSLTransport

DIRECT = "direct://"
"""The `proxy_url` of a client that uses no proxy."""

HANDSHAKE_SECONDS = 3.0


class _Closing:
    _made: Any = None

    def socket(self, *options: Any, **named: Any) -> Any:
        self._made = super().socket(*options, **named)  # type: ignore[misc]
        return self._made

    async def connect(self, *target: Any, **named: Any) -> Any:
        try:
            return await super().connect(*target, **named)  # type: ignore[misc]
        except BaseException:
            if self._made is not None:
                self._made.close()
            raise


class DirectSocket(_Closing, KafkaNetSocket):  # type: ignore[misc]
    """A connection to the broker itself."""

    SCHEMES = ("direct",)


class SocksSocket(_Closing, Socks5Proxy):  # type: ignore[misc]
    """A connection through a SOCKS5 proxy, in place of the library's own."""

    SCHEMES = Socks5Proxy.SCHEMES


class BoundedTls(KafkaSSLTransport):  # type: ignore[misc]
    """TLS whose handshake ends in time, and whose socket is closed when it fails."""

    def __init__(self, net: Any, sock: Any, **options: Any) -> None:
        try:
            super().__init__(net, sock, **options)
        except BaseException:  # a file of certificates that cannot be read
            sock.close()
            raise

    async def handshake(self) -> None:
        until = time.monotonic() + HANDSHAKE_SECONDS
        try:
            while (wait := self._step()) is not None:
                await wait(self._sock, timeout_at=until)
        except BaseException:
            self._sock.close()
            raise

    def _step(self) -> Any:
        """Go on with the handshake; returns what waits for the next step, None when it is done."""
        try:
            self._sock.do_handshake()
        except ssl.SSLWantReadError:
            return self._net.wait_read
        except ssl.SSLWantWriteError:
            return self._net.wait_write
        return None


class ClosingLoop(NetworkSelector):  # type: ignore[misc]
    """An event loop that closes at its end the sockets that something still waits for.

    The library's own cancels what waits and forgets its sockets: those that connect just then, and those whose last
    bytes have not left.
    """

    def close(self) -> None:
        self._waiting: list[Any] = []
        super().close()
        for left in self._waiting:
            if isinstance(left, socket.socket):
                left.close()

    def drain(self, scheduled: bool = False) -> None:
        super().drain(scheduled)
        if self._closed:  # what is ready has been done, and nothing that waits has been cancelled
            self._waiting = [key.fileobj for key in self._selector.get_map().values()]


class TerseSelector(selectors.DefaultSelector):
    """A selector that says of a socket it does not watch just that, the `selector` of a client.

    Before each wait the library asks for a socket that is not watched then; Python's own selector describes it in the
    error, which asks the system for both of its addresses: a fifth of the time of a transaction.
    """

    def get_key(self, fileobj: Any) -> selectors.SelectorKey:
        number = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        if number < 0:  # closed meanwhile: it is looked for by itself
            return super().get_key(fileobj)
        found: selectors.SelectorKey | None = self._fd_to_key.get(number)  # type: ignore[attr-defined]
        if found is None:
            raise KeyError(number)
        return found


manager.KafkaSSLTransport = BoundedTls
compat.NetworkSelector = ClosingLoop
