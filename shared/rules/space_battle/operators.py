"""What operators do besides setting a time: abort, and moving all times (SPB-69, ENG-12)."""

from shared.rules.deadlines import LATEST_MS
from shared.rules.event_rows import parts_of
from shared.rules.interface import Decision, Dice, Event, Input, Refusal
from shared.rules.space_battle.clock import due
from shared.rules.space_battle.endings import end
from shared.rules.space_battle.play import Play
from shared.rules.space_battle.state import CANCELLED, DEPLOYING, RUNNING, State

PART = 5_000
"""Most expiries that one event names: a third of what may stand in one."""


def abort(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-69, SPB-108: cancelled, also while the players deploy."""
    play = Play(state, dice)
    play.emit("battle_aborted", {"reason": command.payload["reason"]})
    end(play, CANCELLED, None)
    return play.events


def shift_time(state: State, command: Input, dice: Dice) -> Decision:
    """ENG-12, SPB-104: expiries, start and running move; no deadline may then lie before the command."""
    by, start, started_at = command.payload["by_ms"], _start_of(state), _running_since(state)
    book = state.challenges
    times = [time for time in (start, started_at, book.first_expiry, book.last_expiry) if time is not None]
    least, most = -min(times, default=0), LATEST_MS - max(times, default=0)
    pending = _next(state, command.at)
    if pending is not None:
        least = max(least, command.at - pending)
    if not least <= by <= most:
        return Refusal("bad_deadline", "ENG-12", f"by_ms must be an integer from {least} to {most}")
    said = {"by_ms": by, "reason": command.payload["reason"], "battle": state.battle}
    of_battle = {
        "start_time": None if start is None else start + by,
        "move_started_at": None if started_at is None else started_at + by,
    }
    expiries = [(str(number), at + by) for at, number in book.expiries()]
    parts = [dict(entries) for _, _, entries in parts_of(expiries, PART)] or [{}]
    return [
        Event("time_shifted", {**said, **(dict.fromkeys(of_battle) if part else of_battle), "expires": expires})
        for part, expires in enumerate(parts)
    ]


def _start_of(state: State) -> int | None:
    return state.fought.start_time if state.phase == DEPLOYING and state.fought else None


def _running_since(state: State) -> int | None:
    return state.move_started_at if state.phase == RUNNING else None


def _next(state: State, at: int) -> int | None:
    """The first deadline from now on; the start is one until it is over, be the sides ready or not (SPB-104)."""
    deadline, start = due(state), _start_of(state)
    found = [] if deadline is None else [deadline.at]
    if start is not None and start >= at:
        found.append(start)
    return min(found, default=None)
