"""Commands of operators and of the clock that move deadlines (ENG-12)."""

from shared.rules.exgenhoca.commands import LATEST_MS
from shared.rules.exgenhoca.state import State
from shared.rules.interface import Decision, Dice, Event, Input, Refusal


def set_deadline(state: State, command: Input, dice: Dice) -> Decision:
    """ENG-12; null pauses the round."""
    deadline = command.payload["deadline"]
    if deadline is not None and deadline < command.at:
        return Refusal("bad_deadline", "ENG-12", f"the deadline must be null or at least {command.at}")
    return [Event("deadline_set", {"deadline": deadline, "reason": command.payload["reason"]})]


def shift_time(state: State, command: Input, dice: Dice) -> Decision:
    """ENG-12: the opening moves too."""
    by, opened, deadline = command.payload["by_ms"], state.round_opened_at or 0, state.round_deadline
    latest = opened if deadline is None else max(opened, deadline)
    earliest = opened if deadline is None else min(opened, deadline)
    least, most = -earliest, LATEST_MS - latest
    if deadline is not None:
        least = max(least, command.at - deadline)
    if not least <= by <= most:
        return Refusal("bad_deadline", "ENG-12", f"by_ms must be an integer from {least} to {most}")
    data = {
        "by_ms": by,
        "reason": command.payload["reason"],
        "opened_at": opened + by,
        "deadline": None if deadline is None else deadline + by,
    }
    return [Event("time_shifted", data)]
