"""A season of Space Battle: challenges that come to nothing, and a battle by the whim of the suite's player."""

from typing import Any

from tests.rules.conformance.players.space_battle import PLAYER, SMALL
from tests.seasons.season import HOUR, Season

PLAYERS = ("ana", "bia", "caio", "davi")
NUMBER = 8
MOST_COMMANDS = 2_000
FEWEST_MOVES = 60
"""Before so many moves nobody gives up, and no fault ends the battle."""
LAPSES = 8
"""So often a warning comes, or a move ends, before anybody says something."""
CONFIG = {
    "first_mover": "random",
    "mine_effect": "damage",
    "mine_power": 60,
    "shots_detonate_mines": True,
    "out_of_range": "waste",
    "falloff_mode": "compound",
    "forfeits_until_surrender": 5,
    "warning_seconds": 60,
    "move_seconds": 600,
    "deploy_seconds": 36_000,
    "win_experience": 5,
    "base_loss_forfeits_fleet": True,
}


def play(season: Season) -> None:
    """The whole season, to its end."""
    hangar = {"space_base": 1, **dict.fromkeys(SMALL, 3)}
    create = {"players": {name: {"hangar": hangar} for name in PLAYERS}, "config": CONFIG}
    season.say("operator", "create_game", game="space-battle", create={**create, "config": {"rows": 0}})
    season.say("operator", "create_game", game="space-battle", rules="1", create=create, private_apart=True)
    season.say("operator", "set_schedule", zone="Europe/Lisbon", times=["12:00"])
    _agree(season)
    for _ in range(MOST_COMMANDS):
        state = season.state()
        if state["phase"] == "ended":
            break
        if state["phase"] == "running" and season.random.randrange(LAPSES) == 0:
            season.close()
        if season.state()["phase"] != "ended":
            _say(season, season.state())
    assert season.state()["phase"] == "ended"
    season.say("ana", "end_move")
    season.say("davi", "chat", text="Until the next time.")


def _agree(season: Season) -> None:
    """One challenge is refused, one taken back, one expires; an operator sets the time of the last."""
    season.say("ana", "issue_challenge", challenged="bia")
    season.say("bia", "refuse_challenge", challenge=1)
    season.say("ana", "issue_challenge", challenged="caio")
    season.say("ana", "withdraw", challenge=2)
    season.say("davi", "issue_challenge", challenged="caio")
    season.close()
    season.say("davi", "issue_challenge", challenged="ana")
    season.say("ana", "accept_challenge", challenge=4, number=NUMBER, time=season.at + HOUR)
    season.say("davi", "propose_time", challenge=4, time=season.at + 2 * HOUR)
    season.say("ana", "request_staff_time", challenge=4)
    season.say("operator", "set_time", challenge=4, time=season.at + 3 * HOUR)
    assert season.state()["phase"] == "deploying"


def _say(season: Season, state: dict[str, Any]) -> None:
    """What the player does next; an input of the clock comes from the host alone."""
    move = PLAYER.move(season.random, state)
    early = state["move_no"] < FEWEST_MOVES and move.type in ("abort", "surrender")
    if move.role != "clock" and not early:
        season.at += move.wait_ms
        season.say(move.actor, move.type, **move.payload)
