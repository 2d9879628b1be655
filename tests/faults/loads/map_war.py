"""Map War 3 under load: everybody claims, builds and trades whatever comes to mind, in closed submissions.

Many a submission orders nothing: a fault in one opens a correction, and a turn then closes twice.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.faults.loads import Said
from warledger.api import Client

FEWEST_ZONES = 12
STRUCTURES = ("city", "industry", "agriculture", "commerce", "defense", "research")
GOODS = ("food", "currency", "resources")
STOCK: Mapping[str, int] = {"currency": 50_000, "resources": 20_000, "food": 10_000_000, "technology": 5_000}
"""Enough food that nobody riots for a while."""


def zones_of(count: int) -> dict[str, Any]:
    """A ring of zones, every fourth one sea, with homes for so many people beside land that nobody owns."""
    size = max(FEWEST_ZONES, 4 * count)
    return {
        f"z{number:03}": {
            "kind": "sea" if number % 4 == 3 else "land",
            "neighbours": sorted({f"z{(number - 1) % size:03}", f"z{(number + 1) % size:03}"}),
            "city_max": 0 if number % 4 == 3 else number % 7,
        }
        for number in range(size)
    }


class MapWarLoad:
    """See GameLoad. Nobody conquers: nobody is put out of the game."""

    game = "map-war"

    def __init__(self) -> None:
        self.zones = sorted(zones_of(FEWEST_ZONES))

    def create(self, people: Sequence[str], period_seconds: int) -> Mapping[str, Any]:
        zones = zones_of(len(people))
        self.zones = sorted(zones)
        config = {
            "turn_days": {"seconds": period_seconds},
            "fix_days": {"seconds": max(10, period_seconds // 2)},
            "inactive_turns_to_rulerless": None,
            "open_submissions": False,
            "start_stock": STOCK,
        }
        return {"map": {"zones": zones}, "players": list(people), "config": config}

    def enter(self, game: str, people: Sequence[tuple[str, Client]]) -> None:
        """Everybody takes part by the creation; starts are chosen once the game has begun."""

    def said(self, chance: Random, people: Sequence[str]) -> Said:
        match chance.randrange(12):
            case 0 | 1:
                color = f"#{chance.randrange(1, 0xFFFFFF):06X}"
                return "choose_start", {"zone": chance.choice(self.zones), "name": "Nation", "color": color}
            case 2:
                builds = [{"zone": chance.choice(self.zones), "structure": chance.choice(STRUCTURES)}]
                return "submit_turn", {"builds": builds}
            case 3 | 4 | 5:
                return "submit_turn", {"claims": [chance.choice(self.zones)]}
            case 6 | 7:
                return "offer", {"kind": "agreement", "to": chance.choice(people), "good": chance.choice(GOODS)}
            case 8 | 9:
                return chance.choice(("accept", "decline", "end_agreement")), {"deal": chance.randrange(1, 9)}
        return "submit_turn", {}


LOAD = MapWarLoad()
