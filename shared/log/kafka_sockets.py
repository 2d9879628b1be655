"""Sockets of Kafka's clients that are closed when connecting fails.

kafka-python (3.0) leaves them to the garbage collector. A process with much in memory collects rarely, and one that
looks for a broker for minutes would have no files left. It takes classes of sockets by the scheme of `proxy_url`.
"""

from typing import Any

from kafka.net.inet import KafkaNetSocket
from kafka.net.socks5 import Socks5Proxy

DIRECT = "direct://"
"""The `proxy_url` of a client that uses no proxy."""


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
