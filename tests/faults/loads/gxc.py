"""GXC under load: two teams on a small map energize, order and talk."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.faults.loads import Said
from warledger.api import Client
from warledger.maps import map_named

BOARD = map_named("small-eight")
PLACES = sorted(BOARD.territories)
TEAMS = ("red", "blue")


class GxcLoad:
    """See GameLoad."""

    game = "gxc"

    def create(self, people: Sequence[str], period_seconds: int) -> Mapping[str, Any]:
        half = len(PLACES) // 2
        teams = {
            team: {"name": team.capitalize(), "territories": PLACES[number * half : (number + 1) * half]}
            for number, team in enumerate(TEAMS)
        }
        config = {"recruitment_turns": 0, "last_turn": 900, "turn_hours": {"seconds": period_seconds}}
        return {"map": BOARD.document(), "teams": teams, "config": config}

    def enter(self, game: str, people: Sequence[tuple[str, Client]]) -> None:
        for number, (_, client) in enumerate(people):
            client.command(game, "join", {"team": TEAMS[number % 2]})
            client.command(game, "place", {"territory": PLACES[number % 2 * 4 + number // 2 % 4]})

    def said(self, chance: Random, people: Sequence[str]) -> Said:
        kind = chance.randrange(6)
        if kind < 2:
            return "set_order", {"defend": chance.randrange(4)}
        if kind == 2:
            return "set_order", {"attack": {"target": chance.choice(PLACES), "energy": 1 + chance.randrange(3)}}
        if kind == 3:
            return "chat", {"channel": "team", "text": f"word {chance.randrange(1000)}"}
        return "energize", {}


LOAD = GxcLoad()
