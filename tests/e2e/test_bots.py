"""Bots over HTTP against the real processes: each waits on its own stream, and sees what it sees at the pure table."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.e2e.exgenhoca import Table
from warledger.bots import table as pure
from warledger.bots.bot import Command
from warledger.bots.play import HttpSight, Player
from warledger.bots.roster import BOTS
from warledger.demo.installation import Installation

pytestmark = pytest.mark.slow


def test_six_bots_play_a_game_to_its_end_each_on_its_own_stream(house: Installation) -> None:
    table = Table(house, max_rounds=2)
    given: list[Command] = []
    names = ["planner", "random"] * 3
    players = [
        Player(client, table.id, BOTS[name](str(seat)), lambda command, _body: given.append(command))
        for seat, (name, client) in enumerate(zip(names, table.clients, strict=True))
    ]
    with ThreadPoolExecutor(len(players)) as threads:
        for done in [threads.submit(player.play) for player in players]:
            done.result(timeout=200)
    ended = table.game()
    assert ended["end_reason"] in ("max_rounds", "objective")
    reports = house.operator.get(f"/games/{table.id}/reports")
    assert len(reports["attacks"]) == sum(command.type == "attack" for command in given) >= 6
    assert reports["rounds"]["1"]["by"] == "players"


def test_a_bot_sees_over_http_what_it_sees_at_the_table(house: Installation) -> None:
    table = Table(house)
    over_http = HttpSight(table.clients[0], table.id)
    bots = [BOTS["random"](str(seat)) for seat in range(6)]
    at_table = pure.Table("table", b"k" * 32, bots, {}).sight("seat-1")
    assert _paths(at_table.view) <= _paths(over_http.view)
    told, known = over_http.ask("reach"), at_table.ask("reach")
    assert told is not None
    assert known is not None
    assert told.keys() == known.keys()
    assert over_http.ask("attack", payload={"target": "brasil"}) is not None
    assert over_http.ask("nonsense") is None


def _paths(view: Any) -> set[str]:
    """What the view says of the game, of a territory and of the two kinds of player."""
    own = view["you"]["player"]
    other = next(player for name, player in view["players"].items() if name != own)
    parts = {"": view, "territory": view["territories"]["brasil"], "own": view["players"][own], "other": other}
    return {f"{part}.{name}" for part, fields in parts.items() for name in fields}
