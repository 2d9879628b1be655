"""What the gateway sends, as plain WSGI: the contexts of Flask would take a quarter of the time of an intake.

- POST /commands: one command, signed for its actor; answered with the receipt or a problem.
- POST /batches: commands that were under way at the same time, each with its actor; answered with a list, see `Batch`.

Only signed JSON objects with their length are taken here. Everything else goes on to the app, whose routes say what is
wrong with it. Requests that are there at the same time are answered together, with one append.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from math import inf
from typing import Any, NamedTuple

import orjson
import structlog

from shared.calls import read_call
from shared.canonical import NotCanonical, parse
from shared.errors import Problem
from shared.intake.admission import Admission, Call, Receipt
from shared.intake.batch import BATCHES, COMMANDS, LEVELS, answers_body, read_calls
from shared.lean import (
    Answer,
    Application,
    Environ,
    StartResponse,
    body_length,
    caught,
    json_answer,
    put_back,
    refusal,
    send,
)
from shared.tracing import trace_id, traceparent_of
from shared.web import count_answer

_JOINT = (f"POST {COMMANDS} ".encode(), f"POST {BATCHES} ".encode())
log = structlog.get_logger()


class _Headers:
    """The headers of a request as WSGI has them."""

    def __init__(self, environ: Environ) -> None:
        self._environ = environ

    def get(self, name: str, default: str, /) -> str:
        return str(self._environ.get("HTTP_" + name.upper().replace("-", "_"), default))


class _Asked(NamedTuple):
    """What a request asks for: one command, or those of a batch; or why it is refused as a whole."""

    route: str
    calls: Sequence[Call]
    refused: Problem | None
    traceparent: str


class Lean:
    """In front of an intake's app."""

    most_groups = 2
    """Threads that work on requests that go together (shared/server/worker.py): one waits for the disk while the other
    reads the next ones."""
    patience = inf
    """Who comes meanwhile could only wait for the same disk, and would take a thread for it."""

    def __init__(
        self, service: str, admission: Admission, app: Application, *, call_key: bytes, max_body_bytes: int
    ) -> None:
        self._service = service
        self._admission = admission
        self._app = app
        self._key = call_key
        self._most = max_body_bytes

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        [answer] = self.answer_together([(environ, start_response)])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def may_join(self, data: bytes) -> bool:
        """Commands and batches do."""
        return data.startswith(_JOINT)

    def joins(self, environ: Environ) -> bool:
        """All of them do."""
        return True

    def answer_together(self, requests: Sequence[tuple[Environ, StartResponse]]) -> list[Iterable[bytes] | Exception]:
        """An answer for each, as alone, or what it would raise; what they bring is appended at once."""
        started = time.perf_counter()
        asked = [caught(self._asked, environ) for environ, _ in requests]
        admitted = iter(self._admitted([call for item in asked if isinstance(item, _Asked) for call in item.calls]))
        return [
            caught(self._answered, item, admitted, request, started)
            for item, request in zip(asked, requests, strict=True)
        ]

    def _answered(
        self,
        asked: _Asked | Exception | None,
        admitted: Iterator[Receipt | Problem],
        request: tuple[Environ, StartResponse],
        started: float,
    ) -> Iterable[bytes]:
        """Send what a request gets; of `admitted` the next ones are its own."""
        environ, start_response = request
        if isinstance(asked, Exception):
            raise asked
        if asked is None:
            return self._app(environ, start_response)
        answer = _answer(asked, list(islice(admitted, len(asked.calls))))
        count_answer(self._service, "POST", asked.route, answer.status, time.perf_counter() - started)
        return send(answer, asked.traceparent, start_response)

    def _asked(self, environ: Environ) -> _Asked | None:
        """What a request asks for; None for what the app must answer."""
        route = environ["PATH_INFO"]
        length = body_length(environ, self._most) if route in (COMMANDS, BATCHES) else None
        if length is None:
            return None
        data = environ["wsgi.input"].read(length)
        caller = read_call(self._key, _Headers(environ), route, data, self._admission.clock.now())
        body = None if caller is None else _object(data, LEVELS if route == BATCHES else 0)
        if caller is None or body is None:
            put_back(environ, data)
            return None
        traceparent = traceparent_of(environ.get("HTTP_TRACEPARENT"))
        calls = [Call(caller, body, traceparent)] if route == COMMANDS else read_calls(caller, body)
        if isinstance(calls, Problem):
            return _Asked(route, (), calls, traceparent)
        return _Asked(route, calls, None, traceparent)

    def _admitted(self, calls: Sequence[Call]) -> list[Receipt | Problem]:
        if len(calls) > 1:
            with suppress(Exception):  # a fault that one of them meets is not for all
                return self._admission.admit_all(calls)
        return [self._alone(call) for call in calls]

    def _alone(self, call: Call) -> Receipt | Problem:
        try:
            return self._admission.admit(*call)
        except Problem as problem:
            return problem
        except Exception as error:
            log.error("request_failed", method="POST", route=COMMANDS, trace=trace_id(call.traceparent), exc_info=error)
            return Problem("internal", "the server failed; the trace id names the log line")


def _answer(asked: _Asked, answers: list[Receipt | Problem]) -> Answer:
    if asked.refused is not None:
        return _refusal(asked.refused)
    if asked.route == BATCHES:
        return json_answer(200, answers_body(answers), {})
    [answer] = answers
    return _refusal(answer) if isinstance(answer, Problem) else json_answer(202, orjson.dumps(answer.body()), {})


def _refusal(problem: Problem) -> Answer:
    if problem.status >= 500:
        log.warning("request_not_served", status=problem.status, method="POST", route=COMMANDS)
    return refusal(problem)


def _object(data: bytes, around: int) -> dict[str, Any] | None:
    """The body; the gateway signs canonical JSON, in which no key is there twice."""
    try:
        value = parse(data, around)
    except NotCanonical:
        return None
    return value if isinstance(value, dict) else None
