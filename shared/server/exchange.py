"""One request and its answer, in a thread: gunicorn's parser and WSGI adapter over bytes that are there."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Any, Protocol, cast

import structlog
from gunicorn.http import wsgi
from gunicorn.http.parser import RequestParser

from shared.metrics import CONNECTIONS_ENDED
from shared.server import HUNG_UP
from shared.server.connection import Connection
from shared.server.refusals import code_of, refusal

log = structlog.get_logger()

Request = tuple[dict[str, Any], Callable[..., Any]]
"""What a WSGI application is called with: environ and start_response."""


class Together(Protocol):
    """An application that answers several requests as one piece of work."""

    @property
    def most_groups(self) -> int:
        """So many threads work on requests that go together."""
        ...

    @property
    def patience(self) -> float:
        """Seconds after which a group that has no answer yet counts no more, so that others do not wait behind it."""
        ...

    def may_join(self, data: bytes) -> bool:
        """Whether a whole request may go with others, by a look at its bytes."""
        ...

    def joins(self, environ: dict[str, Any]) -> bool:
        """Whether it does, once it is parsed; if not, a thread of its own answers it. Waits for nothing."""
        ...

    def answer_together(self, requests: Sequence[Request]) -> list[Iterable[bytes] | Exception]:
        """What it would answer to each of those that join, or the exception that it would raise."""
        ...


def together(app: Any) -> Sequence[Together]:
    """What of the application, or of what stands in front of a Flask app, answers several requests at once: its
    `lines`, each of which has requests of its own, or itself."""
    found = getattr(app, "wsgi_app", app)
    if hasattr(found, "lines"):
        return cast(Sequence[Together], found.lines)
    return (cast(Together, found),) if hasattr(found, "answer_together") else ()


class Exchange:
    """A whole request; raises what gunicorn's parser raises for one that is malformed."""

    def __init__(self, settings: Any, connection: Connection, data: bytes, *, alive: bool) -> None:
        self.connection = connection
        self._parsed = cast(Any, next(RequestParser(settings, [data], connection.client)))
        self._parsed._expected_100_continue = False  # the event loop has said it where it was needed
        outlet = cast(Any, connection.outlet)
        self._response, environ = wsgi.create(self._parsed, outlet, connection.client, connection.server, settings)
        self.environ = cast(dict[str, Any], environ)
        if "HTTP_TRANSFER_ENCODING" in self.environ:  # decoded here, so that a malformed one never reaches the app
            self.environ["wsgi.input"] = BytesIO(self._parsed.body.read())
        self.environ["wsgi.multithread"] = True
        self.environ[HUNG_UP] = connection.hung_up
        if not alive:
            self._response.force_close()
        self.start_response = self._response.start_response

    @property
    def request(self) -> Request:
        """What the application is called with."""
        return self.environ, self.start_response

    def answer(self, parts: Iterable[bytes]) -> None:
        """Send what the application returned; notes whether the connection can be kept."""
        outlet, response = self.connection.outlet, self._response
        outlet.streaming = response.response_length is None and self._parsed.method != "HEAD"
        try:
            for part in parts:
                response.write(part)
            response.close()
        finally:
            if hasattr(parts, "close"):
                parts.close()
        outlet.flush()
        self.connection.keep = not response.should_close()


def answer_one(
    app: Callable[..., Iterable[bytes]], settings: Any, connection: Connection, data: bytes, *, alive: bool
) -> None:
    """Answer a whole request. Raises nothing."""
    with _failing(connection):
        exchange = Exchange(settings, connection, data, alive=alive)
        exchange.answer(app(*exchange.request))


def answer_alone(app: Callable[..., Iterable[bytes]], exchange: Exchange) -> None:
    """Answer a request that is parsed and does not go with others. Raises nothing."""
    with _failing(exchange.connection):
        exchange.answer(app(*exchange.request))


def parsed(
    app: Together, settings: Any, group: Sequence[tuple[Connection, bytes]], *, alive: bool
) -> tuple[list[Exchange], list[Exchange]]:
    """Of several whole requests those that go together, and those that do not; what is malformed is answered."""
    joint: list[Exchange] = []
    alone: list[Exchange] = []
    for connection, data in group:
        with _failing(connection):
            exchange = Exchange(settings, connection, data, alive=alive)
            (joint if app.joins(exchange.environ) else alone).append(exchange)
    return joint, alone


def answer_together(app: Together, exchanges: Sequence[Exchange]) -> None:
    """Answer requests that go together. Raises nothing."""
    answered: list[tuple[Exchange, Iterable[bytes] | Exception]] = []
    with _failing(*(exchange.connection for exchange in exchanges)):
        if exchanges:
            answers = app.answer_together([exchange.request for exchange in exchanges])
            answered = list(zip(exchanges, answers, strict=True))
    for exchange, answer in answered:
        with _failing(exchange.connection):
            if isinstance(answer, Exception):
                raise answer
            exchange.answer(answer)


@contextmanager
def _failing(*connections: Connection) -> Iterator[None]:
    """Whatever is raised in the block is answered to all of these, and goes no further: a thread has other work."""
    try:
        yield
    except BaseException as error:
        code = code_of(error)
        for connection in connections:
            _refuse(connection, code)
        if code == "internal":
            with suppress(Exception):
                log.error("answer_failed", requests=len(connections), exc_info=error)


def _refuse(connection: Connection, code: str | None) -> None:
    """What the client gets instead of an answer; nothing if it is gone or has had part of one."""
    outlet = connection.outlet
    connection.keep = False
    outlet.left.clear()
    if code is not None and not outlet.streaming:
        outlet.left += refusal(code)
        CONNECTIONS_ENDED.labels(code).inc()
