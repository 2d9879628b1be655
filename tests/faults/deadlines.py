"""What the journal of a toy game must say of time: in time means `at <= deadline`, and nothing else (ENG-3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.events import JournalEvent
from shared.host_events import ACCEPTED, JUDGEMENTS

OPENED = "warledger.toy.opened.v1"
DEADLINE_SET = "warledger.toy.deadline_set.v1"


@dataclass(slots=True)
class Course:
    """The course of a game: deadlines at which the clock closed a turn, moved deadlines, and the inputs between."""

    closes: list[int] = field(default_factory=list)
    credits: dict[int, int] = field(default_factory=dict)
    """Deadline before an outage -> the one that its credit set."""
    distances: list[int] = field(default_factory=list)
    """For each input of a player, how many milliseconds after its turn's deadline it came; negative is before."""
    late: int = 0
    """Orders that came after the turn that they name."""

    def near(self, within_ms: int) -> int:
        """How many inputs came so close to the deadline that closed their turn, or the turn before."""
        return sum(abs(distance) <= within_ms for distance in self.distances)


def check_deadlines(events: Iterable[JournalEvent]) -> Course:
    """Walk through a journal: every judgement stands on the right side of every deadline."""
    course = Course()
    turn, deadline, passed = 0, 0, 0
    for event in events:
        if event.type == OPENED:
            turn, deadline = event.data["turn"], event.data["deadline"]
        elif event.type == DEADLINE_SET:
            deadline = event.data["deadline"]
        elif event.type in JUDGEMENTS:
            at, given = event.data["at"], event.data["input"]
            if given["role"] == "clock":
                assert at == deadline, f"the clock acted at {at}, the deadline is {deadline}"
                passed = at
                _note(course, given, at)
            elif turn:
                assert passed < at <= deadline, f"an input of {at} in the turn from {passed} to {deadline}"
                _check_turn(course, event, given, turn)
                course.distances += [at - deadline, at - passed] if passed else [at - deadline]
    return course


def _note(course: Course, given: Mapping[str, Any], at: int) -> None:
    if given["type"] == "close":
        course.closes.append(at)
    else:
        assert given["payload"]["reason"] == "credit", given
        course.credits[at] = given["payload"]["deadline"]


def _check_turn(course: Course, event: JournalEvent, given: Mapping[str, Any], turn: int) -> None:
    named = given["payload"].get("turn")
    if named is None:
        return
    assert (event.type == ACCEPTED) == (named == turn), f"an order for turn {named} in turn {turn}: {event.type}"
    if named != turn:
        assert event.data.get("code") == "wrong_turn" or "first" in event.data
        course.late += 1
