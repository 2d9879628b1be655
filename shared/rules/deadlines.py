"""What moves the times of an open period, the same in every game that has a deadline (ENG-12)."""

from collections.abc import Mapping

from shared.rules.event_rows import types
from shared.rules.interface import Command, Event, EventType, Input, Refusal, Role
from shared.rules.shapes import Choice, Integer, Maybe, Object, Shape

LATEST_MS = 253_402_300_799_000
"""End of the year 9999: no deadline lies behind it."""
LONGEST_SHIFT_MS = 10 * 366 * 86_400_000
"""Farthest that `shift_time` moves a game at once: ten years."""
REASON: Shape = Choice(("schedule", "pause", "credit", "operator"))
_HOST: frozenset[Role] = frozenset({"operator", "clock"})


def time_commands(period: str) -> tuple[Command, Command]:
    """The rows of `set_deadline` and `shift_time` of a game played in turns, rounds or years: `period` is its word."""
    rows: tuple[tuple[str, Mapping[str, Shape], str], ...] = (
        (
            "set_deadline",
            {"deadline": Maybe(Integer(0, LATEST_MS))},
            f"Set the deadline of the open {period}; null pauses it.",
        ),
        (
            "shift_time",
            {"by_ms": Integer(-LONGEST_SHIFT_MS, LONGEST_SHIFT_MS)},
            f"Move the deadline and the opening of the {period}.",
        ),
    )
    one, other = (
        Command(
            type_, _HOST, "orders", Object({period: Integer(0), **data, "reason": REASON}, frozenset({period})), summary
        )
        for type_, data, summary in rows
    )
    return one, other


def time_events(deadline: str, shifted: str) -> Mapping[str, EventType]:
    """The types `deadline_set` and `time_shifted` with the summaries of a game."""
    after: Mapping[str, Shape] = {"opened_at": Integer(), "deadline": Maybe(Integer())}
    return types(
        1,
        (
            ("deadline_set", {"deadline": Maybe(Integer()), "reason": REASON}, deadline),
            ("time_shifted", {"by_ms": Integer(), "reason": REASON, **after}, shifted),
        ),
    )


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
