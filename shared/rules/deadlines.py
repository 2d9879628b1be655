"""Commands that move the times of an open period, the same in every game that gathers until a deadline (ENG-12)."""

from shared.rules.interface import Event, Input, Refusal

LATEST_MS = 253_402_300_799_000
"""End of the year 9999: no deadline lies behind it."""


def set_deadline(command: Input) -> list[Event] | Refusal:
    """ENG-12; null pauses the period."""
    deadline = command.payload["deadline"]
    if deadline is not None and deadline < command.at:
        return Refusal("bad_deadline", "ENG-12", f"the deadline must be null or at least {command.at}")
    return [Event("deadline_set", {"deadline": deadline, "reason": command.payload["reason"]})]


def shift_time(command: Input, opened: int | None, deadline: int | None) -> list[Event] | Refusal:
    """ENG-12: opening and deadline of the open period move, each if it has one."""
    by = command.payload["by_ms"]
    times = [time for time in (opened, deadline) if time is not None]
    least, most = -min(times, default=0), LATEST_MS - max(times, default=0)
    if deadline is not None:
        least = max(least, command.at - deadline)
    if not least <= by <= most:
        return Refusal("bad_deadline", "ENG-12", f"by_ms must be an integer from {least} to {most}")
    data = {
        "by_ms": by,
        "reason": command.payload["reason"],
        "opened_at": None if opened is None else opened + by,
        "deadline": None if deadline is None else deadline + by,
    }
    return [Event("time_shifted", data)]
