"""A season of FORCES: five players on a ring of lands, by the whim of the conformance suite's player."""

from random import Random
from typing import Any

from tests.rules.conformance.players.forces import PLAYER, zones
from tests.seasons.season import Season

PLAYERS = ("ana", "bia", "caio", "duda", "eva")
MOST_COMMANDS = 2_000
LAST_YEAR = 1944
"""Whoever is left then is removed but for one."""
CONFIG = {
    "auto_pick": False,
    "seat_order": "shuffle",
    "draft_pattern": "snake",
    "first_year": 1914,
    "starting_credits": 60,
    "refund_unproduced": True,
    "credits_public": False,
    "victory_tie": "shared",
    "early_victory": [{"condition": "zones", "value": 30}, {"condition": "cash", "value": 100_000}],
    "pick_hours": 2,
    "capital_hours": 24,
    "year_hours": 24,
}


def play(season: Season) -> None:
    """The whole season, to its end."""
    create = {"map": {"zones": zones(Random(season.id), 30)}, "config": CONFIG}
    season.say("operator", "create_game", game="forces", create={**create, "config": {"players": [1, 2]}})
    season.say("operator", "create_game", game="forces", rules="1", create=create)
    for name in PLAYERS:
        season.say(name, "join")
    season.say("eva", "resign")
    season.say("eva", "join")
    season.say("operator", "start_game")
    for _ in range(MOST_COMMANDS):
        state = season.state()
        if state["phase"] == "ended":
            break
        if (state["year"] or 0) >= LAST_YEAR:
            _end(season, state)
        else:
            _say(season, state)
    assert season.state()["phase"] == "ended"
    season.say("ana", "submit_turn")


def _say(season: Season, state: dict[str, Any]) -> None:
    """What the player does next; an input of the clock comes from the host alone."""
    move = PLAYER.move(season.random, state)
    if move.role != "clock":
        season.at += move.wait_ms
        season.say(move.actor, move.type, **move.payload)


def _end(season: Season, state: dict[str, Any]) -> None:
    seats = [player["seat"] for player in state["players"].values() if player["status"] == "active"]
    season.say("operator", "remove_player", seat=max(seats), reason="the season is over")
