"""Quotes: the prices of a game at its head, from the views alone.

What everybody may know of a game is read into its table of prices once and kept until it changes; a question is then
answered by arithmetic. Nothing is written: a quote binds nobody, the resolver prices anew what it carries out.
"""

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from services.economy.questions import question_of
from shared.documents import DocumentsUnavailable
from shared.errors import Problem
from shared.metrics import DOCUMENTS_FAILED
from shared.quotes import Asked
from shared.rules import rules_of
from shared.rules.interface import PUBLIC, Refusal, Viewer
from shared.rules.pricing import Pricing, pricing_of
from shared.shelf import Shelf
from shared.views import Head, HeadMoved, UnknownGame, Views

_NOBODY = Viewer("public", "")
_AGAIN = {"Retry-After": "1"}
_GAMES_KEPT = 64


class _Prices(NamedTuple):
    """The prices of a game: of which head they are known to be, and what they were made of."""

    head: Head
    changes: str
    pricing: Pricing[Any]
    table: Any


class Quotes:
    """Answers questions about prices. Thread-safe."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self._kept: Shelf[_Prices] = Shelf(_GAMES_KEPT)
        self._making = threading.Lock()
        """Threads that want the same table take turns, so that one makes it for all."""

    def answers(self, asked: Sequence[Asked]) -> list[dict[str, Any] | Problem]:
        """A quote for each, or `unknown_game`, `not_found` (no prices there), `malformed`, `unavailable`, or what the
        rules say against it, with its rule. All questions about a game are answered at the same head."""
        found: dict[str, _Prices | Problem] = {}
        for item in asked:
            if item.game not in found:
                found[item.game] = self._prices_or_problem(item.game)
        return [_answer(found[item.game], item) for item in asked]

    def _prices_or_problem(self, game: str) -> _Prices | Problem:
        try:
            return self._prices(game)
        except UnknownGame:
            return Problem("unknown_game", f"there is no game {game}; GET /games lists them")
        except HeadMoved:
            return Problem("unavailable", "the views move too fast; try again", headers=_AGAIN)
        except DocumentsUnavailable as error:
            DOCUMENTS_FAILED.inc()
            return Problem("unavailable", f"the store is away: {error}", headers=_AGAIN)
        except Problem as problem:
            return problem

    def _prices(self, game: str) -> _Prices:
        kept = self._kept.get(game)
        if kept is not None and kept.head == self._views.head(game):
            return kept
        with self._making:
            prices = self._views.read(game, self._at)
            self._kept.put(game, prices)
            return prices

    def _at(self, head: Head) -> _Prices:
        """The prices at a head; those kept are good if nothing public has changed since. Raises HeadMoved."""
        kept = self._kept.get(head.game)
        changes = self._views.etag(head, PUBLIC)
        if kept is not None and (kept.changes, kept.head.rules) == (changes, head.rules):
            return kept._replace(head=head)
        rules = rules_of(head.kind, head.rules)
        pricing = pricing_of(rules)
        if pricing is None:
            raise Problem("not_found", f"{head.kind} has no prices to quote")
        documents = self._views.documents(head, pricing.kinds, PUBLIC)
        return _Prices(head, changes, pricing, pricing.read(rules.view(documents, _NOBODY)))


def _answer(prices: _Prices | Problem, asked: Asked) -> dict[str, Any] | Problem:
    if isinstance(prices, Problem):
        return prices
    pricing = prices.pricing
    question = question_of(pricing.question, asked.query)
    if isinstance(question, Problem):
        return question
    answer = pricing.quote(prices.table, asked.actor, question)
    if isinstance(answer, Refusal):
        return Problem(answer.code, answer.detail, status=422, fields={"rule": answer.rule})
    return answer
