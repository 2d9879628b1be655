"""A gunicorn worker whose threads never wait for a client.

The event loop reads a request until it is whole, hands it to a thread, and sends what the client does not take at
once. A client that is slow to send or to read holds memory for a bounded time, no thread. When there are too many
connections or too many bytes, the oldest of those that nobody works on make room.
"""

import errno
import selectors
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, cast

from gunicorn.workers.gthread import ThreadWorker

from shared.metrics import CONNECTIONS_ENDED
from shared.server.connection import Connection, State
from shared.server.exchange import Exchange, answer_alone, answer_one, answer_together, parsed, together
from shared.server.framing import Framing, Need
from shared.server.groups import Group, Groups
from shared.server.refusals import refusal
from shared.server.threads import Calls, Settings, Threads

HEAD_SECONDS = 10.0
"""From the first byte of a request, or from the beginning of a connection, to the end of its headers."""
BODY_SECONDS = 60.0
SEND_SECONDS = 60.0
LINGER_SECONDS = 2.0
STOP_SECONDS = 1.0
MOST_HEAD = 32_768
MOST_HELD = 128 * 1024 * 1024
"""Bytes of unfinished requests and unread answers in a process."""
MOST_DISCARDED = 16 * 1024 * 1024

_READ = 65_536
_ACCEPTS_AT_ONCE = 64
_NO_MORE_FILES = (errno.EMFILE, errno.ENFILE)
_LOOK_AFTER_EVERY = 0.25
_FIRST_TO_GO = {State.LINGERING: 0.0, State.KEPT: 0.0, State.NEW: 1.0, State.RECEIVING: 1.0, State.SENDING: 1.0}
"""Which connections make room for others, the first first, and the seconds that each is left in peace."""
_TOO_MUCH = {Need.SHORTER_HEAD: "headers_too_large", Need.SMALLER_BODY: "too_large"}


class BufferingWorker(ThreadWorker):
    """The worker; gunicorn makes one a process. serve() sets `most_body` in a subclass."""

    most_body = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections: dict[Connection, None] = {}
        """In the order in which they began to wait for their present request."""
        self._held = 0
        self._looked_after_at = 0.0
        self.method_queue: Any = Calls()
        self._settings: Any = Settings(self.cfg)
        self._lines: list[Groups] = []
        """Requests that are answered together, if the app can, those of each kind by themselves."""

    def get_thread_pool(self) -> Any:
        """The threads that work on requests."""
        return Threads(self.cfg.threads)

    def run(self) -> None:
        """Serve until SIGTERM; then finish what is being worked on."""
        self._lines = [Groups(line) for line in together(self.wsgi)]
        self.poller.register(
            cast(int, self.method_queue.fileno()), selectors.EVENT_READ, self.method_queue.run_callbacks
        )
        while self.alive:
            self._turn(accepting=len(self._connections) < self.worker_connections or self._next_to_go() is not None)
        end = time.monotonic() + self.cfg.graceful_timeout
        for connection in self._connections:
            if connection.state in (State.NEW, State.KEPT):
                connection.deadline = min(connection.deadline, time.monotonic() + STOP_SECONDS)
        while self._connections and time.monotonic() < end:
            self._turn(accepting=False)
        self.tpool.shutdown(wait=False)
        for connection in list(self._connections):
            self._drop(connection)
        self.poller.close()
        self.method_queue.close()
        for listener in self.sockets:
            listener.close()

    def _turn(self, *, accepting: bool) -> None:
        self.set_accept_enabled(accepting)
        self.wait_for_and_dispatch_events(timeout=_LOOK_AFTER_EVERY)
        self._hand_over_together()
        now = time.monotonic()
        if now - self._looked_after_at >= _LOOK_AFTER_EVERY:
            self._looked_after_at = now
            self._look_after(now)

    def _look_after(self, now: float) -> None:
        """What need not be done in every turn."""
        self.notify()
        if not self.is_parent_alive():
            self.alive = False  # never set to what was read before: a signal may come in between
        for connection in [item for item in self._connections if item.deadline < now]:
            self._expire(connection)

    def _expire(self, connection: Connection) -> None:
        if connection.state is State.RECEIVING:
            self._refuse(connection, "request_timeout")
        else:
            self._drop(connection)

    def accept(self, listener: Any) -> None:
        """Take new connections, making room for them if need be."""
        for _ in range(_ACCEPTS_AT_ONCE):
            if len(self._connections) >= self.worker_connections and not self._make_room():
                return
            try:
                sock, client = listener.accept()
            except OSError as error:
                if error.errno in _NO_MORE_FILES and self._make_room():
                    continue
                if error.errno in (errno.EAGAIN, errno.ECONNABORTED, *_NO_MORE_FILES):
                    return
                raise
            connection = Connection(sock, client, listener.getsockname())
            self._connections[connection] = None
            self._await_request(connection, State.NEW, HEAD_SECONDS)

    def _await_request(self, connection: Connection, state: State, seconds: float) -> None:
        """Wait for the next request, some of which may be there already."""
        connection.await_request(Framing(MOST_HEAD, self.most_body), state, seconds)
        self._connections.pop(connection)
        self._connections[connection] = None
        self._watch(connection, selectors.EVENT_READ)
        if connection.received:
            self._received(connection)

    def _event(self, connection: Connection, _sock: socket.socket) -> None:
        if connection.state is State.SENDING:
            self._send(connection)
            return
        try:
            data = connection.sock.recv(_READ)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if connection.state is State.WORKING:
            self._read_ahead(connection, data)
        elif not data:
            self._drop(connection)
        elif connection.state is State.LINGERING:
            connection.discarded += len(data)
            if connection.discarded > MOST_DISCARDED:
                self._drop(connection)
        else:
            connection.received += data
            self._account(connection)
            self._received(connection)

    def _read_ahead(self, connection: Connection, data: bytes) -> None:
        """Keep what comes before the answer is out; of more, and of the end, the event loop hears again after it."""
        connection.received += data
        if not data or len(connection.received) > MOST_HEAD:
            self._unwatch(connection)

    def _received(self, connection: Connection) -> None:
        if connection.state is not State.RECEIVING:
            connection.enter(State.RECEIVING, HEAD_SECONDS)
        need = connection.framing.look(connection.received)
        if need is Need.NOTHING:
            connection.enter(State.WORKING, inf)
            self._hand_over(connection, connection.take())
        elif need in _TOO_MUCH:
            self._refuse(connection, _TOO_MUCH[need])
        elif need is Need.BODY and not connection.head_seen:
            connection.head_seen, connection.deadline = True, time.monotonic() + BODY_SECONDS
            if connection.framing.expects_continue:
                with suppress(OSError):
                    connection.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        if self._held > MOST_HELD:
            self._relieve()

    def _hand_over(self, connection: Connection, data: bytes) -> None:
        """Give a whole request to a thread; one that may go with others, at the end of the event loop's turn."""
        if not any(groups.takes(connection, data) for groups in self._lines):
            self.tpool.submit(self._work, connection, data)

    def _hand_over_together(self) -> None:
        """Give a thread all that came in this turn, and since threads enough are at it: one switch of threads and one
        append instead of one each."""
        for groups in self._lines:
            while group := groups.next():
                self.tpool.submit(self._work_together, groups, group)

    def _work(self, connection: Connection, data: bytes) -> None:
        """Answer a whole request, in a thread."""
        try:
            answer_one(cast(Any, self.wsgi), self._settings, connection, data, alive=self.alive)
        finally:
            self.method_queue.defer(self._finished, connection)

    def _work_together(self, groups: Groups, group: Group) -> None:
        """Answer several, in a thread; those that do not join go to threads of their own.

        Whatever happens, the group is done: else those that wait behind it would never be answered.
        """
        parted: set[Connection] = set()
        try:
            joint, alone = parsed(groups.app, self._settings, group.requests, alive=self.alive)
            if alone:
                parted = {exchange.connection for exchange in alone}
                self.method_queue.defer(self._hand_over_alone, alone)
            answer_together(groups.app, joint)
        finally:
            done = [connection for connection, _ in group.requests if connection not in parted]
            self.method_queue.defer(self._finished_together, groups, group, done)

    def _hand_over_alone(self, exchanges: Sequence[Exchange]) -> None:
        for exchange in exchanges:
            self.tpool.submit(self._work_alone, exchange)

    def _work_alone(self, exchange: Exchange) -> None:
        """Answer a request that is parsed, in a thread."""
        try:
            answer_alone(cast(Any, self.wsgi), exchange)
        finally:
            self.method_queue.defer(self._finished, exchange.connection)

    def _finished_together(self, groups: Groups, group: Group, done: Sequence[Connection]) -> None:
        groups.done(group)
        for connection in done:
            self._finished(connection)

    def _finished(self, connection: Connection) -> None:
        """Back in the event loop: send what is left, then wait for the next request or close."""
        self._account(connection)
        connection.enter(State.SENDING, SEND_SECONDS)
        self._send(connection)

    def _send(self, connection: Connection) -> None:
        try:
            done = connection.outlet.flush()
        except OSError:
            self._drop(connection)
            return
        self._account(connection)
        if not done:
            self._watch(connection, selectors.EVENT_WRITE)
        elif not connection.keep:
            self._linger(connection)
        else:
            self._await_request(connection, State.KEPT, self._settings.keepalive if self.alive else STOP_SECONDS)

    def _refuse(self, connection: Connection, code: str) -> None:
        CONNECTIONS_ENDED.labels(code).inc()
        self._unwatch(connection)
        connection.received.clear()
        connection.outlet.left += refusal(code)
        connection.keep = False
        connection.enter(State.SENDING, LINGER_SECONDS)
        self._send(connection)

    def _linger(self, connection: Connection) -> None:
        """Say the end and let the client read it: closing over unread bytes would take the answer away from it."""
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_WR)
        connection.received.clear()
        connection.enter(State.LINGERING, LINGER_SECONDS)
        self._account(connection)
        self._watch(connection, selectors.EVENT_READ)

    def _account(self, connection: Connection) -> None:
        held = connection.held()
        self._held += held - connection.accounted
        connection.accounted = held

    def _next_to_go(self) -> Connection | None:
        now = time.monotonic()
        for state, peace in _FIRST_TO_GO.items():
            for connection in self._connections:
                if connection.state is state and now - connection.since >= peace:
                    return connection
        return None

    def _make_room(self) -> bool:
        """Drop the connection that can go first; False if all are being worked on."""
        connection = self._next_to_go()
        if connection is None:
            return False
        CONNECTIONS_ENDED.labels("made_room").inc()
        self._drop(connection)
        return True

    def _relieve(self) -> None:
        """Drop the connection that holds the most memory of those that nobody works on."""
        waiting = [item for item in self._connections if item.state in (State.RECEIVING, State.SENDING)]
        if waiting:
            CONNECTIONS_ENDED.labels("made_room").inc()
            self._drop(max(waiting, key=Connection.held))

    def _drop(self, connection: Connection) -> None:
        self._unwatch(connection)
        self._connections.pop(connection, None)
        self._held -= connection.accounted
        connection.accounted = 0
        connection.sock.close()

    def _watch(self, connection: Connection, events: int) -> None:
        """Wait for these events. A connection stays watched while a thread works on it, which saves two system calls a
        request."""
        if connection.watched == events:
            return
        change = self.poller.modify if connection.watched else self.poller.register
        change(connection.sock, events, partial(self._event, connection))
        connection.watched = events

    def _unwatch(self, connection: Connection) -> None:
        if connection.watched:
            self.poller.unregister(connection.sock)
            connection.watched = 0
