"""Judgements of inputs, and the outcomes that belong to each, as the views keep them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.canonical import canonical
from shared.events import JournalEvent, public_form
from shared.host_events import ACCEPTED, COVERED
from shared.views import ids

MAX_OUTCOMES = 64
MAX_OUTCOME_BYTES = 65_536
"""A judgement keeps so many outcomes, in count and in size; all of them stand in feeds and reports.

For a player's input they are counted by who may see them: what she may not see must cut nothing that she may.
"""


@dataclass(slots=True)
class Judging:
    """The judgement whose outcomes are being read, and the time of everything that follows from it."""

    input: str | None
    """Id of the input; None if the judgement is not kept, as a repetition is not: the first one stands."""
    at: int
    """`at` of the input, UTC milliseconds."""
    n: int = 0
    """Position of the last event that changed the body."""
    kept: dict[str, list[int]] = field(default_factory=dict)
    """By audiences: count and size of the outcomes."""
    body: dict[str, Any] = field(default_factory=dict)
    keeps: bool = field(init=False)
    """Whether outcomes are kept: not those of the clock, nor where the judgement is not kept itself."""

    def __post_init__(self) -> None:
        self.keeps = self.input is not None and self.body["role"] != "clock"

    def take(self, event: JournalEvent) -> bool:
        """Keep an outcome, if any are kept; False if the body is unchanged.

        Whose command resolves something gets its certificate as the chronicle has it: nonce and state hash would let
        her guess what is hidden and see whether she guessed right, and the key of a sealed resolution tells it. What
        covers earlier private inputs belongs to those, however many they are.
        """
        if not self.keeps or event.type == COVERED:
            return False
        for_operator = self.body["role"] == "operator"
        to = [] if for_operator else list(event.to)
        public = public_form(event)
        data = event.data if public is None else public[1]
        if to in self.body["cut"]:
            return False
        kept = self.kept.setdefault("|".join(to), [0, 0])
        kept[0] += 1
        kept[1] += len(canonical(data))
        if kept[0] > MAX_OUTCOMES or kept[1] > MAX_OUTCOME_BYTES:
            self.body["cut"].append(to)
        else:
            self.body["events"].append({"type": event.type, "data": data, "to": event.to})
        self.n = event.n
        return True

    def saved(self) -> dict[str, Any]:
        """For the checkpoint, when the rest of the outcomes is still to come."""
        return {"input": self.input, "at": self.at, "n": self.n, "kept": self.kept, "body": self.body}


def outcome_of_nothing(at: int) -> Judging:
    """An input whose id was judged before, or an act of the host: what follows is no outcome of another input."""
    return Judging(None, at)


def judged(event: JournalEvent, traceparent: str | None) -> Judging:
    """The judgement that an `input.accepted` or `input.rejected` is, with the trace context of the input."""
    data = event.data
    given: Mapping[str, Any] = data["input"]
    body = {
        "actor": given["actor"],
        "role": given["role"],
        "type": given["type"],
        "verdict": "accepted" if event.type == ACCEPTED else "rejected",
        "code": data.get("code"),
        "rule": data.get("rule"),
        "detail": data.get("detail"),
        "hash": data["hash"],
        "at": data["at"],
        "n": event.n,
        "traceparent": traceparent,
        "events": [],
        "cut": [],
    }
    if given["role"] == "clock":
        # Nobody waits for its answer, and what it has done stands in feeds and reports: a fifth of what a close of 50
        # players stored.
        body["cut"].append([ids.PUBLIC])
    return Judging(given["id"], data["at"], event.n, {}, body)
