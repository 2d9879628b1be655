"""FORCES under load: everybody buys and moves wherever she may, on so many islands that nobody is put out of it."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.faults.loads import Said
from warledger.api import Client

PAIRS = 100
"""Islands of two zones: whoever was dealt both of one cannot lose them."""
ZONES: Mapping[str, Any] = {
    f"{side}{number:03}": {
        "kind": "land",
        "income": 3,
        "neighbours": [f"{'b' if side == 'a' else 'a'}{number:03}"],
        "start_forces": {"troop": 1, "tank": 1, "factory": side == "a"},
    }
    for number in range(PAIRS)
    for side in "ab"
}


class ForcesLoad:
    """See GameLoad."""

    game = "forces"

    def create(self, people: Sequence[str], period_seconds: int) -> Mapping[str, Any]:
        span = {"seconds": max(10, period_seconds)}
        config = {"auto_pick": True, "capital_hours": span, "year_hours": span}
        return {"map": {"zones": ZONES}, "config": config}

    def enter(self, game: str, people: Sequence[tuple[str, Client]]) -> None:
        for _, client in people:
            client.command(game, "join")

    def said(self, chance: Random, people: Sequence[str]) -> Said:
        zone = chance.choice(sorted(ZONES))
        match chance.randrange(4):
            case 0:
                return "choose_capital", {"zone": zone}
            case 1:
                type_ = chance.choice(("troop", "tank", "factory"))
                return "submit_turn", {"purchases": [{"type": type_, "zone": zone, "count": 1}]}
            case 2:
                path = ZONES[zone]["neighbours"]
                return "submit_turn", {"moves": [{"from": zone, "type": "tank", "count": 1, "path": path}]}
        return "submit_turn", {}


LOAD = ForcesLoad()
"""Nobody resigns, and a capital that is lost ends nothing."""
