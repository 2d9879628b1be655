"""Positions for tests of bots: a state given by its owners and changes, as the view of one of its players."""

from typing import Any

from tests.rules.exgenhoca.play import running
from warledger.bots.table import TableSight

PLAIN = {"id": "X", "continents": [], "extra_continents": 0, "min_total": 0, "spread": None, "eliminate": None}
"""An objective that asks for nothing."""


def sight(
    holdings: dict[str, str], objective: dict[str, Any] | None = None, bia: dict[str, Any] | None = None, **ana: Any
) -> TableSight:
    """What ana sees in round 2, with three attacks: who owns what, and what is special about her and bia."""
    game = running()
    game.own(**holdings)
    game.give(players={"ana": {"objective": {**PLAIN, **(objective or {})}, **ana}, "bia": bia or {}})
    view = {**game.canonical, "you": {"player": "ana", "seat": 1}}
    return TableSight(view)


def item(effect: str, last: int | None = 7) -> dict[str, Any]:
    """A prize that may be used now."""
    return {"effect": effect, "usable_from": 2, "usable_to": last}
