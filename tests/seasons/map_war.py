"""A season of Map War 3: four players and an NPC on eighteen zones, by the whim of the conformance suite's player."""

from random import Random
from typing import Any

from tests.rules.conformance.players.map_war import PLAYER, a_map
from tests.seasons.season import Season

PLAYERS = ("p0", "p1", "p2", "p3")
ZONES = 18
TURNS = 30
MOST_COMMANDS = 900
CONFIG = {
    "start_stock": {"currency": 60_000, "resources": 25_000, "food": 30_000, "technology": 4_000},
    "open_submissions": False,
    "rulerless_protection_turns": 1,
    "barbaria_spread_pct": 10,
    "npc_ownerless_pct": 10,
    "riot_base_pct": 15,
}


def play(season: Season) -> None:
    """The season up to its end, or to the turn at which it stops."""
    zones = a_map(Random(6), ZONES)
    npcs = [{"id": "nix", "zone": "z00", "name": "Nix", "color": "#334455"}]
    create = {"map": {"zones": zones}, "players": list(PLAYERS), "npcs": npcs, "config": CONFIG}
    season.say("operator", "create_game", game="map-war", create={**create, "config": {"turn_days": 0}})
    season.say("operator", "create_game", game="map-war", rules="1", create=create)
    for _ in range(MOST_COMMANDS):
        state = season.state()
        if state["phase"] == "ended" or state["turn"] > TURNS:
            break
        _say(season, state)
    assert season.state()["turn"] > TURNS or season.state()["phase"] == "ended"


def _say(season: Season, state: dict[str, Any]) -> None:
    """What the player does next; an input of the clock comes from the host alone."""
    move = PLAYER.move(season.random, state)
    if move.role != "clock":
        season.at += move.wait_ms
        season.say(move.actor, move.type, **move.payload)
