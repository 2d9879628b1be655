"""A season of GXC: three teams on twelve territories, played by whim."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from shared.canonical import canonical, sha256_hex
from tests.seasons.season import HOUR, Season

BOARD = Path(__file__).parents[2] / "shared" / "maps" / "data" / "small-twelve.json"
TURNS = 6
TEXT_HASH = hashlib.sha256(b"a text and its salt").hexdigest()
PLAYERS = {f"{team}-{number}": team for team in ("blue", "green", "red") for number in range(1, 7)}


def play(season: Season) -> None:
    """The whole season."""
    board = {"territories": _territories()}
    names = sorted(board["territories"])
    text = canonical(board)
    season.store[sha256_hex(text)] = text
    teams = {
        team: {"name": team.title(), "territories": names[index * 4 : index * 4 + 4]}
        for index, team in enumerate(("blue", "green", "red"))
    }
    config = {"recruitment_turns": 1, "last_turn": TURNS, "first_commander_nominations": 2}
    create = {"map": {"sha256": sha256_hex(text)}, "teams": teams, "config": config}
    season.say("operator", "create_game", game="gxc", create={**create, "config": {"base_energy": -1}})
    season.say("operator", "create_game", game="gxc", rules="1", create=create)
    for player, team in PLAYERS.items():
        season.say(player, "join", team=team)
        season.say(player, "place", territory=season.random.choice(teams[team]["territories"]))
    season.say("operator", "set_schedule", zone="Europe/Lisbon", times=["12:00", "21:30"])
    season.say("operator", "start_game")
    for turn in range(1, TURNS + 1):
        _turn(season, turn)
        season.close()
    season.say("red-1", "chat", channel="all", message="m-last", hash=TEXT_HASH)
    season.say("red-1", "energize")


def _turn(season: Season, turn: int) -> None:
    for player, team in PLAYERS.items():
        if season.random.randrange(8):
            season.say(player, "energize")
        state = season.state()
        mine = state["players"][player]
        if mine["status"] == "active":
            season.say(player, "set_order", **_order(season, state, mine, team))
        if turn == 1 and player.endswith(("-1", "-2")):
            season.say(player, "nominate", kind="commander", target=f"{team}-3")
        if turn == 2:
            season.say(player, "vote", poll=f"{team}-1", choice=season.random.choice(["yes", "yes", "no"]))
        if player.endswith("-4"):
            season.say(
                player, "chat", channel="team", message=f"m-{turn}-{team}", hash=hashlib.sha256(b"x").hexdigest()
            )
    if turn == 3:
        season.say("blue-3", "activate_shield")
        season.say("operator", "remove_player", player="green-6", reason="two accounts")
        season.say("green-6", "energize")
    if turn == 4:
        season.say("operator", "set_deadline", deadline=None, reason="pause")
        season.at += 30 * HOUR
        season.say("operator", "set_deadline", deadline=season.at + 2 * HOUR, reason="operator")
        season.say("operator", "suspend_bonus", team="red", bonus="conquer")


def _order(season: Season, state: Mapping[str, Any], mine: Mapping[str, Any], team: str) -> dict[str, Any]:
    """An order of any kind; not every one is legal."""
    pick = season.random
    here = mine["location"]
    neighbours = state["territories"][here]["neighbours"]
    foreign = [name for name in neighbours if state["territories"][name]["owner"] != team] or neighbours
    energy = mine["energy"]
    attack = {"target": pick.choice(foreign), "energy": pick.randrange(1, energy + 2)} if pick.randrange(3) else None
    left = max(0, energy - (attack["energy"] if attack else 0))
    order: dict[str, Any] = {"defend": pick.randrange(left + 1)}
    if attack:
        order["attack"] = attack
    elif pick.randrange(2):
        own = [name for name, item in state["territories"].items() if item["owner"] == team]
        order["move_to"] = pick.choice(sorted(own))
    return order


def _territories() -> dict[str, Any]:
    drawn = orjson.loads(BOARD.read_bytes())["territories"]
    return {
        name: {key: item[key] for key in ("name", "neighbours", "centroid", "special")} for name, item in drawn.items()
    }
