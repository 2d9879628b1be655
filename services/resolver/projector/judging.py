"""Judgements of inputs, and the outcomes that belong to each, as the views keep them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.canonical import canonical
from shared.events import JournalEvent
from shared.host_events import ACCEPTED

MAX_OUTCOMES = 64
MAX_OUTCOME_BYTES = 65_536
"""A judgement keeps so many outcomes, in count and in size; all of them stand in feeds and reports."""


@dataclass(slots=True)
class Judging:
    """The judgement whose outcomes are being read, and the time of everything that follows from it."""

    input: str | None
    """Id of the input; None if the judgement is not kept, as a repetition is not: the first one stands."""
    at: int
    """`at` of the input, UTC milliseconds."""
    n: int = 0
    """Position of the last event that changed the body."""
    size: int = 0
    body: dict[str, Any] = field(default_factory=dict)

    def take(self, event: JournalEvent) -> bool:
        """Keep an outcome; False if the body is unchanged."""
        if self.input is None or not self.body["complete"]:
            return False
        self.size += len(canonical(event.data))
        if len(self.body["events"]) == MAX_OUTCOMES or self.size > MAX_OUTCOME_BYTES:
            self.body["complete"] = False
        else:
            self.body["events"].append({"type": event.type, "data": event.data, "to": event.to})
        self.n = event.n
        return True

    def saved(self) -> dict[str, Any]:
        """For the checkpoint, when the rest of the outcomes is still to come."""
        return {"input": self.input, "at": self.at, "n": self.n, "size": self.size, "body": self.body}


def repeated(at: int) -> Judging:
    """An input whose id was judged before."""
    return Judging(None, at)


def judged(event: JournalEvent) -> Judging:
    """The judgement that an `input.accepted` or `input.rejected` is."""
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
        "events": [],
        "complete": True,
    }
    return Judging(given["id"], data["at"], event.n, 0, body)
