"""GET /games/{game}/quotes as plain WSGI (shared/lean.py): questions that are there at the same time go together.

Only what is in order and short, of somebody whom this process knows from a moment ago, is taken here. The route of the
same address answers everything else, and a test holds that both answer alike.
"""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl

import orjson
import structlog

from services.gateway.context import Context
from services.gateway.identity import bearer_at_hand
from services.gateway.routes_quotes import HEADERS
from shared.errors import Problem
from shared.lean import Answer, Environ, StartResponse, json_answer, refusal, send
from shared.quotes import LONGEST_TOGETHER, Asked
from shared.tracing import traceparent_of
from shared.web import count_answer, said, say_written

ROUTE = "/games/<game>/quotes"
_PATH = re.compile(r"/games/([A-Za-z0-9_-]{1,64})/quotes\Z")
_JOINT = re.compile(rb"GET /games/[A-Za-z0-9_-]{1,64}/quotes[? ]")
_JOINED = "warledger.quote"
"""Key of the WSGI environ: what was read of a request that goes with others."""
log = structlog.get_logger()


class _Given(NamedTuple):
    """A question, its trace, and when it was read."""

    asked: Asked
    traceparent: str
    started: float


class LeanQuotes:
    """One thread reads the questions that are there, asks the economy service once, and answers all."""

    most_groups = 1
    """What comes while the service has a group goes with the next, which is larger and costs less of each."""
    patience = 1.0
    """Less than the breaker has (breaker.py): a service that is stuck holds few threads until others are refused."""

    def __init__(self, service: str, context: Context) -> None:
        self._service = service
        self._context = context

    def may_join(self, data: bytes) -> bool:
        """All of them may."""
        return _JOINT.match(data) is not None

    def joins(self, environ: Environ) -> bool:
        """Whether it is in order and short, by what this process knows without asking the store."""
        started = time.perf_counter()
        try:
            asked = self._asked(environ)
        except (Problem, UnicodeDecodeError):
            return False
        if asked is not None:
            environ[_JOINED] = _Given(asked, traceparent_of(environ.get("HTTP_TRACEPARENT")), started)
        return asked is not None

    def answer_together(self, requests: Sequence[tuple[Environ, StartResponse]]) -> list[Iterable[bytes] | Exception]:
        """An answer for each, as alone."""
        given: list[_Given] = [environ[_JOINED] for environ, _ in requests]
        answers = self._context.quoting.ask_all([item.asked for item in given], given[0].traceparent)
        return [
            self._sent(item, answer, start_response)
            for item, answer, (_, start_response) in zip(given, answers, requests, strict=True)
        ]

    def _asked(self, environ: Environ) -> Asked | None:
        path, query = _PATH.match(environ["PATH_INFO"]), environ["QUERY_STRING"]
        if path is None or environ["REQUEST_METHOD"] != "GET" or len(query) > LONGEST_TOGETHER or not query.isascii():
            return None
        identity = bearer_at_hand(self._context.tokens, environ.get("HTTP_AUTHORIZATION"))
        if identity is None or not identity.may("read"):
            return None
        named: dict[str, list[str]] = {}
        for name, value in parse_qsl(query, keep_blank_values=True, errors="strict"):
            named.setdefault(name, []).append(value)
        return Asked(path[1], identity.account, named)

    def _sent(
        self, given: _Given, answer: Mapping[str, object] | Problem, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Send an answer, count it, and say its log line."""
        made = refusal(answer) if isinstance(answer, Problem) else self._quote(given.asked.game, answer)
        seconds = time.perf_counter() - given.started
        count_answer(self._service, "GET", ROUTE, made.status, seconds)
        told = said("GET", ROUTE, given.traceparent, {})
        if made.status >= 500:
            say_written(made.status, seconds, told)
        else:
            log.debug("request", status=made.status, ms=round(seconds * 1000, 1), **told)
        return send(made, given.traceparent, start_response)

    def _quote(self, game: str, quote: Mapping[str, object]) -> Answer:
        age = self._context.freshness.age(game)
        return json_answer(200, orjson.dumps(quote), HEADERS if age is None else {**HEADERS, "Age": str(age)})
