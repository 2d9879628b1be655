"""Schedules: which local time of an IANA zone closes what is open (design, Time)."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from services.resolver.hosting.game import Schedule
from shared.rules.interface import Deadline, Refusal

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MOVES_DEADLINES = frozenset({"set_deadline", "shift_time"})
"""Commands that move a deadline without opening anything (ENG-12)."""


def read_schedule(payload: Mapping[str, Any]) -> Schedule | Refusal | None:
    """The schedule of a `set_schedule` payload, None to end it, or the refusal `bad_schedule`."""
    zone = payload["zone"]
    if zone is None:
        return None
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return Refusal("bad_schedule", "", f"{zone!r} is no IANA time zone such as Europe/Berlin")
    times = tuple(sorted(set(payload.get("times", ()))))
    if not times:
        return Refusal("bad_schedule", "", "times must name at least one local time such as 20:00")
    for text in times:
        if _time(text) is None:
            return Refusal("bad_schedule", "", f"{text!r} is no local time from 00:00 to 23:59")
    days = payload.get("days") or DAYS
    return Schedule(zone, times, tuple(day for day in DAYS if day in days))


def next_time(schedule: Schedule, after: int) -> int:
    """The first scheduled time after `after`, both UTC milliseconds.

    A local time that a change of the clocks skips counts as if they had not been changed yet; one that comes twice
    counts once, the first time.
    """
    zone = ZoneInfo(schedule.zone)
    first = datetime.fromtimestamp(after // 1000, zone).date() - timedelta(days=1)
    for offset in range(10):
        day = first + timedelta(days=offset)
        if DAYS[day.weekday()] in schedule.days:
            for text in schedule.times:
                moment = _milliseconds(day, text, zone)
                if moment > after:
                    return moment
    raise ValueError(f"the schedule {schedule} has no day")


def _milliseconds(day: date, text: str, zone: ZoneInfo) -> int:
    clock = _time(text)
    if clock is None:
        raise ValueError(f"{text!r} is no local time")
    local = datetime.combine(day, clock, zone)
    return int(local.astimezone(UTC).timestamp()) * 1000


def _time(text: str) -> time | None:
    hours, colon, minutes = text.partition(":")
    if not colon or len(hours) != 2 or len(minutes) != 2 or not (hours + minutes).isascii():
        return None
    if not (hours + minutes).isdigit() or int(hours) > 23 or int(minutes) > 59:
        return None
    return time(int(hours), int(minutes))


def opened(type: str, before: Deadline | None, after: Deadline | None, *, resolved: bool, over: bool) -> bool:
    """Whether an accepted input opened a turn, round or phase that the clock is to close.

    It did if the next deadline is of another kind or names another turn than before; or, in a game without deadlines of
    its own, if a resolution ended and the game goes on.
    """
    if type in MOVES_DEADLINES or over:
        return False
    if after is None:
        return resolved and before is None
    return before is None or (before.type, before.payload) != (after.type, after.payload)
