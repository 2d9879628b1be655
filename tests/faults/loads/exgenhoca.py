"""Exgenhoca Wars under load: everybody attacks wherever she may, changes her policy and answers what is asked."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from shared.rules.exgenhoca.default_map import default_map
from shared.rules.exgenhoca.objectives import MOST_SEATS
from tests.faults.loads import Said
from warledger.api import Client

PLACES = sorted(default_map()["territories"])
NEVER = 1_000_000
OUT_OF_REACH: Mapping[str, Any] = {f"A{seat:02}": {"min_total": NEVER} for seat in range(1, MOST_SEATS + 1)}
"""Objectives that nobody fulfils: the game goes on."""


class ExgenhocaLoad:
    """See GameLoad."""

    game = "exgenhoca"

    def create(self, people: Sequence[str], period_seconds: int) -> Mapping[str, Any]:
        config = {
            "objective_set": OUT_OF_REACH,
            "inactive_in_a_row": NEVER,
            "inactive_total": NEVER,
            "round_hours": {"seconds": period_seconds},
        }
        return {"players": list(people), "config": config}

    def enter(self, game: str, people: Sequence[tuple[str, Client]]) -> None:
        """Seats are given by the creation."""

    def said(self, chance: Random, people: Sequence[str]) -> Said:
        kind = chance.randrange(10)
        if kind < 7:
            return "attack", {"target": chance.choice(PLACES)}
        if kind == 7:
            return "set_policy", {"defence_rerolls": chance.randrange(3)}
        if kind == 8:
            return "resolve_swap", {"decline": True}
        return "resolve_loss", {"territory": chance.choice(PLACES)}


LOAD = ExgenhocaLoad()
