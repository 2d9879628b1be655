"""POST /games/{game}/commands as plain WSGI (shared/lean.py): the route of nearly all writes.

Only what can be handed to an intake at once is taken here. The route of the same address answers everything else, and
a test holds that both answer alike.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

import orjson

from services.gateway.answers import away, idempotency_key, respond_async
from services.gateway.context import Context
from services.gateway.forwarding import LONGEST_TOGETHER, Handover, chosen
from services.gateway.identity import bearer, bearer_at_hand
from services.gateway.lean_quotes import LeanQuotes
from services.gateway.schemas.reading import read
from services.gateway.schemas.writes import NewCommand
from services.gateway.tokens import Identity
from services.gateway.writes import Submission, WriteAnswer, headers_of, input_of
from shared.calls import Caller
from shared.canonical import NotCanonical, parse_strictly
from shared.commands import CREATE_GAME, Ruleset
from shared.documents import DocumentsUnavailable
from shared.errors import Problem
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
from shared.tracing import traceparent_of
from shared.web import count_answer, fault_of, said, say_written

ROUTE = "/games/<game>/commands"
_PATH = re.compile(r"/games/([A-Za-z0-9_-]{1,64})/commands\Z")
_JOINT = re.compile(
    rb"POST /games/[A-Za-z0-9_-]+/commands HTTP/1\.1\r\n(?:[^\r\n]+\r\n)*?Prefer: *respond-async\r\n", re.IGNORECASE
)
_INTAKE = "orders"
"""The intake of nearly all commands. Those of the others go alone: one that is stuck would delay all beside its own."""
_JOINED = "warledger.joined"
"""Key of the WSGI environ: what was read of a request that goes with others, and when that began."""


class LeanCommands:
    """In front of the gateway's app.

    Commands whose judgement nobody waits for go together if they are there at the same time: one thread reads them,
    hands them to the intake in one request, and answers them.
    """

    most_groups = 1
    """What comes while the intake has a group goes with the next, which is larger and costs less of each."""
    patience = 1.0
    """Less than the breaker has (breaker.py): an intake that is stuck holds few threads until others are refused."""

    def __init__(self, service: str, context: Context, app: Application) -> None:
        self._service = service
        self._context = context
        self._app = app
        self.lines = (self, LeanQuotes(service, context))
        """What is answered together (shared/server/exchange.py)."""

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        started = time.perf_counter()
        given = self._taken(environ, self._context.max_body_bytes, self._submission)
        if given is None:
            return self._app(environ, start_response)
        return self._sent(given, self._written(given), started, start_response)

    def may_join(self, data: bytes) -> bool:
        """A command with `Prefer: respond-async`, if it is written as nearly everybody writes it."""
        return _JOINT.match(data) is not None

    def joins(self, environ: Environ) -> bool:
        """Whether it is in order and short, by what this process knows without asking the store."""
        started = time.perf_counter()
        given = self._taken(environ, LONGEST_TOGETHER, self._submission_at_hand)
        environ[_JOINED] = (given, started)
        return given is not None

    def answer_together(self, requests: Sequence[tuple[Environ, StartResponse]]) -> list[Iterable[bytes] | Exception]:
        """An answer for each of those that join, as alone, or what it would raise."""
        joined: list[tuple[Submission, float]] = [environ[_JOINED] for environ, _ in requests]
        written = self._all_written([given for given, _ in joined])
        return [
            caught(self._sent, given, found, started, start_response)
            for (given, started), found, (_, start_response) in zip(joined, written, requests, strict=True)
        ]

    def _taken(
        self, environ: Environ, most: int, read_submission: Callable[[str, Environ, bytes], Submission | None]
    ) -> Submission | None:
        """What a request asks for; None, its body put back, for what the route must answer."""
        path = _PATH.match(environ["PATH_INFO"])
        length = body_length(environ, most) if path else None
        if path is None or length is None:
            return None
        data = environ["wsgi.input"].read(length)
        try:
            given = read_submission(path[1], environ, data)
        except (Problem, NotCanonical, DocumentsUnavailable):
            given = None
        if given is None:
            put_back(environ, data)
        return given

    def _submission(self, game: str, environ: Environ, data: bytes) -> Submission | None:
        """What is to be handed over; None, or an exception, for what the route refuses. It has no effect."""
        identity = bearer(self._context.tokens, environ.get("HTTP_AUTHORIZATION"))
        if identity is None or not identity.may("play"):
            return None
        return _read(identity, game, lambda: self._context.reads.rulesets.of(game), environ, data)

    def _submission_at_hand(self, game: str, environ: Environ, data: bytes) -> Submission | None:
        """The same for a command that goes with others; None, too, where the store would have to be asked."""
        identity = bearer_at_hand(self._context.tokens, environ.get("HTTP_AUTHORIZATION"))
        ruleset = self._context.reads.rulesets.at_hand(game)
        if identity is None or not identity.may("play") or ruleset is None:
            return None
        given = _read(identity, game, lambda: ruleset, environ, data)
        return given if given is not None and given.respond_async and given.handover.service == _INTAKE else None

    def _written(self, given: Submission) -> WriteAnswer | Exception:
        try:
            return self._context.writes.submit(given)
        except Exception as error:  # answered as a fault of ours, and logged, like one of a route
            return error

    def _all_written(self, given: Sequence[Submission]) -> Sequence[WriteAnswer | Exception]:
        try:
            return self._context.writes.submit_all(_INTAKE, given)
        except Exception as error:  # as above, to each of them
            return [error] * len(given)

    def _sent(
        self, given: Submission, written: WriteAnswer | Exception, started: float, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Send the answer, count it, and say its log line."""
        answer, about = _answer(given, written)
        seconds = time.perf_counter() - started
        count_answer(self._service, "POST", ROUTE, answer.status, seconds)
        say_written(answer.status, seconds, said("POST", ROUTE, given.handover.traceparent, about))
        return send(answer, given.handover.traceparent, start_response)


def _read(
    identity: Identity, game: str, ruleset_of: Callable[[], Ruleset], environ: Environ, data: bytes
) -> Submission | None:
    """The command in a body. Raises Problem or NotCanonical for what is not in order."""
    body = parse_strictly(data)
    if not isinstance(body, dict):
        return None
    body = read(NewCommand, body)
    if body["type"] == CREATE_GAME:
        return None
    ruleset, command = chosen(ruleset_of(), body["type"])
    handover = Handover(
        Caller(identity.account, identity.role),
        game,
        ruleset,
        command,
        body["payload"],
        idempotency_key(environ),
        traceparent_of(environ.get("HTTP_TRACEPARENT")),
    )
    return Submission(handover, respond_async(environ))


def _answer(given: Submission, written: WriteAnswer | Exception) -> tuple[Answer, Mapping[str, str]]:
    """The answer, and what its log line is about."""
    about = {"game": given.handover.game}
    if isinstance(written, WriteAnswer):
        about["input"] = written.body["id"]
        return json_answer(written.status, orjson.dumps(written.body), headers_of(written)), about
    if isinstance(written, Problem):
        if id := input_of(written):
            about["input"] = id
        return refusal(written), about
    told = said("POST", ROUTE, given.handover.traceparent, about)
    problem = away(written, told) if isinstance(written, DocumentsUnavailable) else fault_of(written, told)
    return refusal(problem), about
