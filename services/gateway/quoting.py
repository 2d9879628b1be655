"""Asking the economy service for prices."""

from collections.abc import Sequence
from typing import Any

from services.gateway.breaker import Breaker, Refused
from services.gateway.connections import AnswerLost, Unreached
from services.gateway.forwarding import Intakes
from shared.errors import Problem
from shared.quotes import QUOTES, Asked, Quoted, questions_body, read_answers

SERVICE = "economy"
_AGAIN = {"Retry-After": "1"}
_NOT_OURS = (401, 403)
_ITS_FAULT = 500


class Quoting:
    """The prices of games, as the economy service tells them. While it does not answer, one call tries it."""

    def __init__(self, intakes: Intakes) -> None:
        self._intakes = intakes
        self._breaker = Breaker()

    def ask(self, asked: Asked, traceparent: str) -> dict[str, Any]:
        """The quote. Raises Problem: what the economy says, or `unavailable`."""
        [answer] = self.ask_all([asked], traceparent)
        if isinstance(answer, Problem):
            raise answer
        return answer

    def ask_all(self, asked: Sequence[Asked], traceparent: str) -> list[dict[str, Any] | Problem]:
        """For each of at most MOST_TOGETHER questions the quote, or why there is none. One call asks for all."""
        try:
            with self._breaker.exchange(self._breaker.arrive()) as succeed:
                quoted = self._exchange(asked, traceparent)
                succeed()
        except (Refused, Unreached, AnswerLost):
            away = Problem("unavailable", f"the {SERVICE} service does not answer now", headers=_AGAIN)
            return [away] * len(asked)
        except Problem as problem:
            return [problem] * len(asked)
        return [item.body if item.status == 200 else _problem(item) for item in quoted]

    def _exchange(self, asked: Sequence[Asked], traceparent: str) -> list[Quoted]:
        reply = self._intakes.ask(SERVICE, QUOTES, questions_body(asked), traceparent)
        answers = read_answers(reply.body, len(asked)) if reply.status == 200 else None
        if answers is None:
            raise Problem("internal", f"the {SERVICE} service answered {reply.status}; {_reason(reply.status)}")
        return answers


def _reason(status: int) -> str:
    if status in _NOT_OURS:
        return "its key of calls must be ours"
    return "its log says why" if status >= _ITS_FAULT else "it must be of the same version as the gateway"


def _problem(quoted: Quoted) -> Problem:
    headers = {} if quoted.retry_after is None else {"Retry-After": quoted.retry_after}
    fields = {name: item for name, item in quoted.body.items() if name == "rule"}
    return Problem(quoted.body["code"], quoted.body["detail"], status=quoted.status, headers=headers, fields=fields)
