"""Commands that travel together between gateway and intake: what is sent and what comes back, for both sides.

Sent, signed as a whole by the gateway, which alone may: {"commands": [{"actor", "role", "body", "traceparent"}, ...]},
MOST_IN_BATCH at most; a body is that of POST /commands. Back: {"answers": [[status, body, retry_after], ...]} in the
same order, as each alone would have got it; `retry_after` is null or that header.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from shared.calls import GATEWAY, Caller
from shared.canonical import canonical
from shared.errors import Problem
from shared.intake.admission import Call, Receipt
from shared.rules.shapes import ID
from shared.tracing import traceparent_of

COMMANDS = "/commands"
BATCHES = "/batches"
MOST_IN_BATCH = 32
"""Commands; more would delay those that came first for those that came last."""
LEVELS = 3
"""Of JSON, around the body of a command: one that is nested as deeply as it may be alone spoils none beside it."""
_FORM = "a batch has commands, each with actor, role, body and traceparent"
_FIELDS = {"actor", "role", "body", "traceparent"}


class Answered(NamedTuple):
    """What one command of a batch gets."""

    status: int
    body: dict[str, Any]
    retry_after: str | None


def calls_body(calls: Sequence[Call]) -> bytes:
    """The commands as they are sent."""
    listed = [
        {"actor": caller.actor, "role": caller.role, "body": body, "traceparent": traceparent}
        for caller, body, traceparent in calls
    ]
    return canonical({"commands": listed})


def read_calls(caller: Caller, body: dict[str, Any]) -> list[Call] | Problem:
    """The commands of a batch that is signed by this caller; or `forbidden`, `malformed`, `too_large`."""
    if caller != GATEWAY:
        return Problem("forbidden", "only the gateway itself sends batches; a command for somebody goes to /commands")
    listed = body.get("commands")
    if len(body) != 1 or not isinstance(listed, list):
        return Problem("malformed", _FORM)
    if len(listed) > MOST_IN_BATCH:
        return Problem("too_large", f"a batch has at most {MOST_IN_BATCH} commands; this one has {len(listed)}")
    if not all(map(_is_call, listed)):
        return Problem("malformed", _FORM)
    return [
        Call(Caller(item["actor"], item["role"]), item["body"], traceparent_of(item["traceparent"])) for item in listed
    ]


def _is_call(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and item.keys() == _FIELDS
        and isinstance(item["actor"], str)
        and ID.match(item["actor"]) is not None
        and item["role"] in ("player", "operator")
        and isinstance(item["body"], dict)
        and isinstance(item["traceparent"], str)
    )


def answers_body(answers: Sequence[Receipt | Problem]) -> bytes:
    """The answers as they are sent back."""
    listed = [
        (answer.status, answer.body(), answer.headers.get("Retry-After"))
        if isinstance(answer, Problem)
        else (202, answer.body(), None)
        for answer in answers
    ]
    return orjson.dumps({"answers": listed})


def read_answers(data: bytes, count: int) -> list[Answered] | None:
    """The answers to `count` commands; None if they are none."""
    try:
        answers = orjson.loads(data)["answers"]
    except (ValueError, KeyError, TypeError):
        return None
    return list(map(_answered, answers)) if isinstance(answers, list) and len(answers) == count else None


def _answered(item: Any) -> Answered:
    match item:
        case [int(status), dict(body), str() | None as again]:
            return Answered(status, body, again)
        case _:  # is for one command alone
            return Answered(500, {}, None)
