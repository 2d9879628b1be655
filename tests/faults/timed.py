"""What a journal of any game must say of its clock: all that is due happens once, at its time (ENG-3, ENG-12)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.resolver.credit import CREDIT
from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.scheduling import MOVES_DEADLINES
from shared.events import HOST, JournalEvent, split_type
from shared.host_events import ACCEPTED, JUDGEMENTS, REMINDERS_DUE
from shared.rules.interface import Deadline


@dataclass(slots=True)
class Timed:
    """What the clock of a game has done. Times are UTC milliseconds of the log."""

    closes: list[int] = field(default_factory=list)
    """When it did what was due, in order."""
    credits: dict[int, int] = field(default_factory=dict)
    """Time that was due before an outage -> what was due after its credit."""
    reminded: list[int] = field(default_factory=list)
    """Deadlines of which those were reminded for whom the game waited."""
    brought: set[str] = field(default_factory=set)
    """The game's own events that came about by it."""
    due: Deadline | None = None
    """What is due next."""


def check_clock(events: Iterable[JournalEvent]) -> Timed:
    """Walk through a journal: whatever the clock did was due then, and everything else came before it."""
    timed, game, by_clock = Timed(), None, False
    for event in events:
        due = game.due() if game is not None else None
        if event.type in JUDGEMENTS:
            by_clock = event.data["input"]["role"] == "clock"
            if by_clock:
                _note(timed, due, event)
            else:
                assert due is None or event.data["at"] <= due.at, f"{event.data} was judged before {due}"
        elif event.type == REMINDERS_DUE:
            _remind(timed, due, event.data)
        elif by_clock and (name := split_type(event.type)).game != HOST:
            timed.brought.add(name.name)
        game = fold(game, event)
    timed.due = _due(game)
    return timed


def _due(game: HostedGame | None) -> Deadline | None:
    return None if game is None else game.due()


def _note(timed: Timed, due: Deadline | None, event: JournalEvent) -> None:
    """An input of the clock: what is due, or in its place the credit for an outage, which is given once."""
    at, given = event.data["at"], event.data["input"]
    assert event.type == ACCEPTED, event
    assert due is not None, f"the clock acted at {at}, and nothing was due"
    assert at == due.at, f"the clock acted at {at}, which was due at {due.at}"
    if given["type"] in MOVES_DEADLINES:
        assert given["payload"]["reason"] == CREDIT, given
        assert at not in timed.credits.values(), f"the credit of {at} was credited again"
        timed.credits[at] = given["payload"].get("deadline") or at + given["payload"]["by_ms"]
        return
    assert (given["type"], dict(given["payload"])) == (due.type, dict(due.payload))
    assert at not in timed.closes, f"what was due at {at} was done twice"
    timed.closes.append(at)


def _remind(timed: Timed, due: Deadline | None, told: Mapping[str, Any]) -> None:
    assert due is not None
    assert told["deadline"] == due.at
    assert told["at"] == due.at - told["seconds"] * 1000
    assert due.at not in timed.reminded, f"of {due.at} was reminded twice"
    timed.reminded.append(due.at)
