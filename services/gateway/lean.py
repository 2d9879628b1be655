"""POST /games/{game}/commands as plain WSGI (shared/lean.py): the route of nearly all writes.

Only what can be handed to an intake at once is taken here. The route of the same address answers everything else, and
a test holds that both answer alike.
"""

import re
import time
from collections.abc import Iterable, Mapping

import orjson

from services.gateway.answers import away, idempotency_key, respond_async
from services.gateway.context import Context
from services.gateway.forwarding import chosen
from services.gateway.identity import bearer
from services.gateway.schemas.reading import read
from services.gateway.schemas.writes import NewCommand
from services.gateway.writes import Submission, headers_of, input_of
from shared.calls import Caller
from shared.canonical import NotCanonical, parse_strictly
from shared.commands import CREATE_GAME
from shared.documents import DocumentsUnavailable
from shared.errors import Problem
from shared.lean import Answer, Application, Environ, StartResponse, body_length, json_answer, put_back, refusal, send
from shared.tracing import traceparent_of
from shared.web import count_answer, fault_of, said, say_written

ROUTE = "/games/<game>/commands"
_PATH = re.compile(r"/games/([A-Za-z0-9_-]{1,64})/commands\Z")


class LeanCommands:
    """In front of the gateway's app."""

    def __init__(self, service: str, context: Context, app: Application) -> None:
        self._service = service
        self._context = context
        self._app = app

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        started = time.perf_counter()
        path = _PATH.match(environ["PATH_INFO"])
        length = body_length(environ, self._context.max_body_bytes) if path else None
        if path is None or length is None:
            return self._app(environ, start_response)
        data = environ["wsgi.input"].read(length)
        try:
            given = self._submission(path[1], environ, data)
        except (Problem, NotCanonical, DocumentsUnavailable):
            given = None
        if given is None:
            put_back(environ, data)
            return self._app(environ, start_response)
        answer, about = self._written(given)
        seconds = time.perf_counter() - started
        count_answer(self._service, "POST", ROUTE, answer.status, seconds)
        say_written(answer.status, seconds, said("POST", ROUTE, given.traceparent, about))
        return send(answer, given.traceparent, start_response)

    def _submission(self, game: str, environ: Environ, data: bytes) -> Submission | None:
        """What is to be handed over; None, or an exception, for what the route refuses. It has no effect."""
        identity = bearer(self._context.tokens, environ.get("HTTP_AUTHORIZATION"))
        body = parse_strictly(data)
        if identity is None or not identity.may("play") or not isinstance(body, dict):
            return None
        body = read(NewCommand, body)
        if body["type"] == CREATE_GAME:
            return None
        ruleset, command = chosen(self._context.reads.ruleset_of(game), body["type"])
        return Submission(
            Caller(identity.account, identity.role),
            game,
            ruleset,
            command,
            body["payload"],
            idempotency_key(environ),
            respond_async(environ),
            traceparent_of(environ.get("HTTP_TRACEPARENT")),
        )

    def _written(self, given: Submission) -> tuple[Answer, Mapping[str, str]]:
        """The answer, and what its log line is about."""
        about = {"game": given.game}
        try:
            written = self._context.writes.submit(given)
        except Problem as problem:
            if id := input_of(problem):
                about["input"] = id
            return refusal(problem), about
        except DocumentsUnavailable as error:
            return refusal(away(error, said("POST", ROUTE, given.traceparent, about))), about
        except Exception as error:
            return refusal(fault_of(error, said("POST", ROUTE, given.traceparent, about))), about
        about["input"] = written.body["id"]
        return json_answer(written.status, orjson.dumps(written.body), headers_of(written)), about
