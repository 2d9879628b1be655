"""Reminders: some time before a deadline those whom the game waits for are told (docs/decisions/0022-notices.md).

When one is due follows from the journal alone, so it is given once whoever judges, moves with the deadline, and a
replay makes it anew.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from services.resolver.hosting.game import DeciderFailed, HostedGame, Opening
from services.resolver.hosting.judgements import Steps
from shared.events import JournalEvent
from shared.host_events import REMINDER_GIVEN, REMINDERS_DUE
from shared.rules.interface import OPERATORS, Deadline

SECOND_MS = 1_000
PLAYERS_AN_EVENT = 1_000
"""So many stand among the audiences of one event, which keeps it far below the limit of a record."""


class Reminder(NamedTuple):
    """What is given at `at` (UTC milliseconds), so many seconds before this deadline."""

    at: int
    seconds: int
    deadline: Deadline


def next_reminder(game: HostedGame) -> Reminder | None:
    """The next reminder of a game, None if there is none. Raises DeciderFailed.

    None is given in the first half of the time that what is to be closed is open, so a short turn has only those that
    fit it, and none twice for a deadline. One whose time has passed when its deadline is set is left out.
    """
    due = game.due() if game.reminders else None
    if due is None:
        return None
    opened = _opening(game, due).at
    for seconds in game.reminders:
        at = due.at - seconds * SECOND_MS
        given = game.reminded is not None and game.reminded[0] == due.at and seconds >= game.reminded[1]
        if not given and at >= game.last_at and due.at - at <= at - opened:
            return Reminder(at, seconds, due)
    return None


def note_opening(game: HostedGame) -> None:
    """To be called before a judgement: remember since when the clock has had to close what it closes next."""
    if not game.reminders:
        return
    try:
        due = game.due()
    except DeciderFailed:
        return  # noticed, with its consequences, by who asks for the deadline itself
    if due is not None:  # a pause is no opening
        game.opening = _opening(game, due)


def _opening(game: HostedGame, due: Deadline) -> Opening:
    known = game.opening
    if known is not None and (known.type, known.payload) == (due.type, due.payload):
        return known
    return Opening(due.type, dict(due.payload), game.last_at)


def reminder_steps(game: HostedGame, reminder: Reminder) -> Steps:
    """The events of a reminder: one for operators, then those to whom the game waits for, in canonical order."""
    rules, (at, seconds, deadline) = game.rules, reminder
    if rules is None:
        raise ValueError(f"game {game.id} was never created; it waits for nobody")
    players = rules.waiting(game.state)
    told = {"at": at, "deadline": deadline.at, "seconds": seconds}
    yield (JournalEvent(game.n + 1, REMINDERS_DUE, {**told, "players": len(players)}, OPERATORS),)
    period = rules.period.name if rules.period else None
    closes = {"period": period, "number": deadline.payload.get(period) if period else None}
    for start in range(0, len(players), PLAYERS_AN_EVENT):
        to = tuple(f"player:{player}" for player in players[start : start + PLAYERS_AN_EVENT])
        yield (JournalEvent(game.n + 1, REMINDER_GIVEN, {**told, **closes}, to),)


def reminders_of(creation: Mapping[str, Any]) -> tuple[int, ...]:
    """The reminders of a creation's payload, in seconds before a deadline, the earliest first."""
    listed = creation.get("reminders", ())
    return tuple(sorted({item * 60 if isinstance(item, int) else item["seconds"] for item in listed}, reverse=True))
