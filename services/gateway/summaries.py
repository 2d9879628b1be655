"""What is said of a game wherever it is shown: by which rules it is played, where it stands, and its pages."""

from collections.abc import Mapping
from typing import Any

from services.gateway.tokens import Identity
from shared import rules as registry
from shared.errors import Problem
from shared.rules import rules_of
from shared.rules.interface import Document, Rules, Viewer
from shared.views import Head

NOBODY = Viewer("public", "")
PHASE = "phase"
"""Field of every game's view; which values it takes is the game's own."""
WINNER = "winner"
"""Field of every game's view, of which the list of games shows only what is there."""


def page_names() -> tuple[str, ...]:
    """Names of the pages of all games, sorted."""
    return tuple(sorted({name for item in registry.GAMES for name in item.load().pages}))


def tells_of_players(name: str) -> bool:
    """Whether the page of this name is one that some game shows some players at a time."""
    pages = (item.load().pages for item in registry.GAMES)
    return any(name in found and found[name].of_players for found in pages)


def page_summary(name: str) -> str:
    """What the newest rules that have this page say of it."""
    summary: str = next(
        item.load().pages[name].summary for item in reversed(registry.GAMES) if name in item.load().pages
    )
    return summary


def rules_at(head: Head) -> Rules[Any]:
    """The rules that a game is played by at this head."""
    return rules_of(head.kind, head.rules)


def unknown_game(game: str) -> Problem:
    """There is no such game."""
    return Problem("unknown_game", f"there is no game {game}; GET /games lists them")


def summary(head: Head) -> dict[str, Any]:
    """What everybody may know about any game."""
    return {
        "id": head.game,
        "kind": head.kind,
        "rules": head.rules,
        "created_at": head.created_at,
    }


def operators_facts(head: Head, identity: Identity | None) -> dict[str, Any]:
    """What operators alone may know of any game: that it is quarantined tells something about what others sent."""
    return {"quarantined": head.quarantined} if identity is not None and identity.role == "operator" else {}


def period_of(head: Head, view: Mapping[str, Any]) -> dict[str, Any] | None:
    """Which turn, round or year is open, until when, and the command that closes it early; None if there is none."""
    period = rules_at(head).period
    if period is None:
        return None
    closing = period.closings.get(view.get(PHASE, ""))
    payload = None if closing is None else {name: view.get(name) for name in closing.fields}
    return {
        "name": period.name,
        "n": view.get(period.name),
        "deadline": view.get(period.deadline),
        "close": None if closing is None else {"type": closing.command, "payload": payload},
    }


def standing(head: Head, document: Document | None) -> dict[str, Any]:
    """Where a game stands, in the list of games."""
    rules = rules_at(head)
    view = rules.view([document] if document else [], NOBODY)
    period = rules.period
    shown = (PHASE, *((period.name, period.deadline) if period else ()), WINNER)
    return {name: view[name] for name in shown if name in view} | {"period": period_of(head, view)}
