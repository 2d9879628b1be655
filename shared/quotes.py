"""Quotes between gateway and economy: questions that were under way at the same time, in one signed call.

Each question is that of an actor, by the id alone: a price is made from what everybody may know.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from shared.calls import GATEWAY, Caller
from shared.canonical import canonical
from shared.errors import Problem
from shared.rules.shapes import ID

QUOTES = "/quotes"
MOST_TOGETHER = 32
"""Questions of a call."""
LONGEST_TOGETHER = 1_024
"""Bytes of a query that goes with others: as many as go together stay far below the limit of a body
(config.LEAST_BODY_BYTES)."""
_FORM = "a call for quotes has questions, each with game, actor and query"
_FIELDS = {"game", "actor", "query"}


class Asked(NamedTuple):
    """A question: what stands in the query of the address, by name, in its order."""

    game: str
    actor: str
    query: Mapping[str, Sequence[str]]


class Quoted(NamedTuple):
    """What one question gets: a quote, or the members of a problem."""

    status: int
    body: dict[str, Any]
    retry_after: str | None = None


def questions_body(asked: Sequence[Asked]) -> bytes:
    """The questions as they are sent."""
    return canonical({"questions": [item._asdict() for item in asked]})


def read_questions(caller: Caller, body: dict[str, Any]) -> list[Asked]:
    """The questions of a call that is signed by this caller. Raises Problem `forbidden`, `malformed`, `too_large`."""
    if caller != GATEWAY:
        raise Problem("forbidden", "only the gateway itself asks for quotes")
    listed = body.get("questions")
    if len(body) != 1 or not isinstance(listed, list) or not all(map(_is_asked, listed)):
        raise Problem("malformed", _FORM)
    if len(listed) > MOST_TOGETHER:
        raise Problem("too_large", f"a call has at most {MOST_TOGETHER} questions; this one has {len(listed)}")
    return [Asked(item["game"], item["actor"], item["query"]) for item in listed]


def _is_asked(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and item.keys() == _FIELDS
        and all(isinstance(item[name], str) and ID.match(item[name]) for name in ("game", "actor"))
        and isinstance(item["query"], dict)
        and all(
            isinstance(values, list) and all(isinstance(value, str) for value in values)
            for values in item["query"].values()
        )
    )


def answers_body(answers: Sequence[dict[str, Any] | Problem]) -> bytes:
    """The answers as they are sent back, in the order of the questions."""
    listed = [
        (answer.status, answer.body(), answer.headers.get("Retry-After"))
        if isinstance(answer, Problem)
        else (200, answer, None)
        for answer in answers
    ]
    return orjson.dumps({"answers": listed})


def read_answers(data: bytes, count: int) -> list[Quoted] | None:
    """The answers to so many questions; None if they are none."""
    try:
        answers = [Quoted(*item) for item in orjson.loads(data)["answers"]]
    except (ValueError, KeyError, TypeError):
        return None
    return answers if len(answers) == count else None
