"""What every `advise` begins with: its questions as data, what it tells of a refusal, and drafts without dice."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from shared.rules.interface import Json, Refusal, Resolution
from shared.rules.shapes import Object, fault, faults

MOST_TOLD = 1_000
"""Most faults of form that are told of a draft."""


def fault_of_question(questions: Mapping[str, Object], question: Mapping[str, Any]) -> Refusal | None:
    """`malformed` for a question of no type of the game, or not of the form of its type; `type` is no field there."""
    kind = question.get("type")
    if not isinstance(kind, str) or kind not in questions:
        return Refusal("malformed", "ENG-5", f"question.type must be one of {', '.join(questions)}")
    found = fault(questions[kind], {name: value for name, value in question.items() if name != "type"}, "question")
    return None if found is None else Refusal("malformed", "ENG-5", found)


def subject_of(view: Mapping[str, Any], question: Mapping[str, Any]) -> str | Refusal:
    """Whom a question is about: the `player` that it names, else the viewer; `malformed` where that is nobody."""
    player: str | None = question.get("player", view.get("you", {}).get("player"))
    if player is None:
        return Refusal("malformed", "ENG-5", "question.player must name a player where none asks for herself")
    return player


def told(refusal: Refusal) -> dict[str, Json]:
    """A refusal in an answer: code, rule, and what would be legal."""
    return {"code": refusal.code, "rule": refusal.rule, "detail": refusal.detail}


def told_if(refusal: Refusal | None) -> Json:
    """`told`, or null where nothing speaks against it."""
    return None if refusal is None else told(refusal)


def faults_told(faults: Sequence[tuple[str, Refusal]]) -> list[Json]:
    """The faults of a draft, each with its place in the payload (`moves.3.path`), "" for the whole of it."""
    return [{"place": place, **told(refusal)} for place, refusal in faults]


def faults_of_form(shape: Object, payload: Any) -> list[tuple[str, Refusal]]:
    """What is wrong with the form of a draft, each with its place; the first is what a judgement would say."""
    return [(place, Refusal("malformed", "ENG-5", found)) for place, found in islice(faults(shape, payload), MOST_TOLD)]


class NoDice:
    """For drafts that are judged by `decide`: none of them may throw dice."""

    def resolve(self, label: str, /) -> Resolution:
        raise RuntimeError(f"a draft opened the resolution {label}")

    def seal(self, label: str, /) -> Resolution:
        raise RuntimeError(f"a draft opened the sealed resolution {label}")
