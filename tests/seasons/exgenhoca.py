"""A season of Exgenhoca Wars: six players on the board of the rules, by the whim of the conformance suite's player."""

from typing import Any

from tests.rules.conformance.players.exgenhoca import EFFECTS, PLAYER
from tests.seasons.season import Season

PLAYERS = ("ana", "bia", "caio", "davi", "eva", "fabio")
ROUNDS = 22
MOST_COMMANDS = 2_000
CONFIG = {
    "first_round_attacks": 2,
    "cooldown_rounds": 1,
    "inactive_in_a_row": 4,
    "inactive_total": 9,
    "territories_per_extra_attack": 3,
    "effects": [*EFFECTS, "P7", "P7", "N3"],
    "inventory_public": False,
    "max_rounds": ROUNDS,
}


def play(season: Season) -> None:
    """The whole season, to its end."""
    create = {"players": list(PLAYERS), "config": CONFIG}
    season.say("operator", "create_game", game="exgenhoca", create={**create, "config": {"max_rounds": -1}})
    season.say("operator", "create_game", game="exgenhoca", rules="1", create=create)
    season.say("operator", "set_schedule", zone="Europe/Lisbon", times=["12:00", "21:30"])
    for _ in range(MOST_COMMANDS):
        state = season.state()
        if state["phase"] == "ended":
            break
        _say(season, state)
    assert season.state()["phase"] == "ended"
    season.say("ana", "attack", target="brasil")


def _say(season: Season, state: dict[str, Any]) -> None:
    """What the player does next; an input of the clock comes from the host alone."""
    move = PLAYER.move(season.random, state)
    if move.role != "clock":
        season.at += move.wait_ms
        season.say(move.actor, move.type, **move.payload)
