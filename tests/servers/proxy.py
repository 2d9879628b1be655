"""A TCP proxy that a test puts between a client and a server: it passes, delays, cuts, holds back or refuses.

What it does can be changed at any time, for open connections too. It knows nothing of what it passes.
"""

import asyncio
import contextlib
import math
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, cast

from warledger.servers.ports import free_ports

_PIECE = 65_536
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)
_TRIES = 5
_BACKLOG = 128


@dataclass(frozen=True, slots=True)
class _Mode:
    delay: float = 0.0
    cut_after: float = math.inf
    holding: bool = False
    refusing: bool = False


@dataclass(eq=False, slots=True)
class _Link:
    """One client with its connection to the server."""

    left: float
    """Bytes that may still pass, both ways together."""
    serving: asyncio.Task[None]
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    def abort(self) -> None:
        """Reset both connections: what is under way is lost."""
        for writer in self.writers:
            connection = writer.get_extra_info("socket")
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
            writer.transport.abort()


class Proxy:
    """Listens on `port` of 127.0.0.1 and connects each client to `target`, a port of 127.0.0.1; a context manager."""

    def __init__(self, target: int = 0, port: int = 0) -> None:
        self.target = target
        self.port = port
        self.accepted = 0
        """Connections taken so far."""
        self.passed = 0
        """Bytes passed so far, both ways together."""
        self._mode = _Mode()
        self._flowing = asyncio.Event()
        self._links: set[_Link] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening: socket.socket | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)

    @property
    def open(self) -> int:
        """Connections that are open now."""
        return len(self._links)

    def passing(self) -> None:
        """Pass everything at once; what was held back goes on."""
        self._switch(_Mode())

    def delaying(self, seconds: float) -> None:
        """Each piece waits so long before it is passed on, either way; a piece is what arrives together."""
        self._switch(_Mode(delay=seconds))

    def cutting(self, after: int) -> None:
        """Each connection, open or new, is reset when so many more bytes have passed, both ways together."""
        self._switch(_Mode(cut_after=after))

    def holding(self) -> None:
        """A black hole: connections are taken and stay open, nothing passes."""
        self._switch(_Mode(holding=True))

    def refusing(self) -> None:
        """Reset all connections and refuse new ones."""
        self._switch(_Mode(refusing=True))

    def reset(self) -> None:
        """Reset the connections that are open now."""
        self._call(self._abort_all)

    def __enter__(self) -> Self:
        self._thread.start()
        self.passing()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _switch(self, mode: _Mode) -> None:
        self._run(self._apply(mode))

    async def _apply(self, mode: _Mode) -> None:
        self._mode = mode
        for link in self._links:
            link.left = mode.cut_after
        if mode.holding:
            self._flowing.clear()
        else:
            self._flowing.set()
        if mode.refusing:
            self._stop_listening()
            self._abort_all()
        elif self._listening is None:
            self._listen()

    def _listen(self) -> None:
        """Listen; on the same port as before, if there was one."""
        for attempt in range(1, _TRIES + 1):
            port = self.port or free_ports(1)[0]
            try:
                listening = socket.create_server(("127.0.0.1", port), backlog=_BACKLOG)
            except OSError:
                if self.port or attempt == _TRIES:
                    raise
            else:
                listening.setblocking(False)
                self._loop.add_reader(listening, self._accept, listening)
                self._listening = listening
                self.port = port
                return

    def _accept(self, listening: socket.socket) -> None:
        """Take a client. asyncio's own server leaves one open that it takes while it is closed."""
        with contextlib.suppress(BlockingIOError, ConnectionAbortedError):
            connection, _ = listening.accept()
            self.accepted += 1
            task = self._loop.create_task(self._serve(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _stop_listening(self) -> None:
        if self._listening is not None:
            self._loop.remove_reader(self._listening)
            self._listening.close()
            self._listening = None

    async def _close(self) -> None:
        """End everything. A connection that was taken only now is served first: cancelled before, it would stay open
        until the collector comes upon it."""
        self._stop_listening()
        while asyncio.all_tasks() - {asyncio.current_task()}:
            for link in self._links:
                link.serving.cancel()
            await asyncio.sleep(0)

    def _abort_all(self) -> None:
        for link in self._links:
            link.abort()

    async def _serve(self, connection: socket.socket) -> None:
        link = _Link(self._mode.cut_after, cast("asyncio.Task[None]", asyncio.current_task()))
        self._links.add(link)
        try:
            reader, writer = await asyncio.open_connection(sock=connection)
            link.writers.append(writer)
            if self._mode.refusing:  # taken before it was said, and begun only now
                raise ConnectionRefusedError
            there, onward = await asyncio.open_connection("127.0.0.1", self.target)
            link.writers.append(onward)
            await self._pass_both_ways(link, reader, there)
            for each in link.writers:
                each.close()
                await each.wait_closed()
        except (OSError, asyncio.CancelledError):
            link.abort()
        finally:
            self._links.discard(link)

    async def _pass_both_ways(self, link: _Link, client: asyncio.StreamReader, server: asyncio.StreamReader) -> None:
        to_client, to_server = link.writers
        ways = [asyncio.ensure_future(self._pump(link, *way)) for way in ((client, to_server), (server, to_client))]
        try:
            await asyncio.gather(*ways)
        finally:
            for way in ways:
                way.cancel()

    async def _pump(self, link: _Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass what comes until there is no more, then say so to the other side."""
        while True:
            # Not even read while nothing passes: a peer that sends on must come to notice it.
            await self._flowing.wait()
            piece = await reader.read(_PIECE)
            await asyncio.sleep(self._mode.delay)
            await self._flowing.wait()
            if not piece:
                break
            await self._pass(link, writer, piece)
        if writer.can_write_eof() and not writer.is_closing():
            writer.write_eof()

    async def _pass(self, link: _Link, writer: asyncio.StreamWriter, piece: bytes) -> None:
        if len(piece) >= link.left:
            piece = piece[: int(link.left)]
            link.left = 0
        else:
            link.left -= len(piece)
        writer.write(piece)
        self.passed += len(piece)
        await writer.drain()
        if link.left == 0:
            raise ConnectionResetError("cut here, as the test wants it")

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=60)

    def _call(self, work: Callable[[], None]) -> None:
        async def call() -> None:
            work()

        self._run(call())
