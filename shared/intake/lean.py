"""What the gateway sends, as plain WSGI: the contexts of Flask would take a quarter of the time of an intake.

- POST /commands: one command, signed for its actor; answered with the receipt or a problem.
- POST /batches: commands that were under way at the same time, each with its actor; answered with a list, see `Batch`.

Only signed JSON objects with their length are taken here. Everything else goes on to the app, whose routes say what is
wrong with it.
"""

import time
from collections.abc import Iterable
from typing import Any

import orjson
import structlog

from shared.calls import read_call
from shared.canonical import NotCanonical, parse
from shared.errors import Problem
from shared.intake.admission import Admission, Call, Receipt
from shared.intake.batch import BATCHES, answers_body, read_calls
from shared.lean import Answer, Application, Environ, StartResponse, body_length, json_answer, pass_on, refusal, send
from shared.tracing import trace_id, traceparent_of
from shared.web import count_answer

COMMANDS = "/commands"
log = structlog.get_logger()


class _Headers:
    """The headers of a request as WSGI has them."""

    def __init__(self, environ: Environ) -> None:
        self._environ = environ

    def get(self, name: str, default: str, /) -> str:
        return str(self._environ.get("HTTP_" + name.upper().replace("-", "_"), default))


class Lean:
    """In front of an intake's app."""

    def __init__(
        self, service: str, admission: Admission, app: Application, *, call_key: bytes, max_body_bytes: int
    ) -> None:
        self._service = service
        self._admission = admission
        self._app = app
        self._key = call_key
        self._most = max_body_bytes

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        started = time.perf_counter()
        route = environ["PATH_INFO"]
        length = body_length(environ, self._most) if route in (COMMANDS, BATCHES) else None
        if length is None:
            return self._app(environ, start_response)
        data = environ["wsgi.input"].read(length)
        caller = read_call(self._key, _Headers(environ), data, self._admission.clock.now())
        body = None if caller is None else _object(data)
        if caller is None or body is None:
            return pass_on(self._app, environ, start_response, data)
        traceparent = traceparent_of(environ.get("HTTP_TRACEPARENT"))
        answer = self._one(Call(caller, body, traceparent)) if route == COMMANDS else self._many(body)
        count_answer(self._service, "POST", route, answer.status, time.perf_counter() - started)
        return send(answer, traceparent, start_response)

    def _one(self, call: Call) -> Answer:
        answer = self._alone(call)
        if isinstance(answer, Receipt):
            return json_answer(202, orjson.dumps(answer.body()), {})
        return _refusal(answer)

    def _many(self, body: dict[str, Any]) -> Answer:
        calls = read_calls(body)
        if calls is None:
            return _refusal(Problem("malformed", "a batch has commands, each with actor, role, body and traceparent"))
        try:
            answers = self._admission.admit_all(calls)
        except Exception:
            answers = [self._alone(call) for call in calls]  # a fault that one of them meets is not for all
        return json_answer(200, answers_body(answers), {})

    def _alone(self, call: Call) -> Receipt | Problem:
        try:
            return self._admission.admit(*call)
        except Problem as problem:
            return problem
        except Exception as error:
            log.error("request_failed", method="POST", route=COMMANDS, trace=trace_id(call.traceparent), exc_info=error)
            return Problem("internal", "the server failed; the trace id names the log line")


def _refusal(problem: Problem) -> Answer:
    if problem.status >= 500:
        log.warning("request_not_served", status=problem.status, method="POST", route=COMMANDS)
    return refusal(problem)


def _object(data: bytes) -> dict[str, Any] | None:
    """The body; the gateway signs canonical JSON, in which no key is there twice."""
    try:
        value = parse(data)
    except NotCanonical:
        return None
    return value if isinstance(value, dict) else None
