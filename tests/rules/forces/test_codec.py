"""The canonical state comes back as it was, and what is wrong in one is named by its path (FOR-15 to FOR-18)."""

import copy
from typing import Any

import pytest

from shared.rules.forces import RULES
from tests.rules.forces.play import Game, running

MOVE = {"from": "C", "type": "tank", "count": 1, "path": ["D", "A"]}


def test_a_state_of_every_kind_of_value_comes_back() -> None:
    game = running(year_hours={"seconds": 60}, early_victory=[{"condition": "cash", "value": 9}])
    game.say("caio", "submit_turn", purchases=[{"type": "tank", "zone": "C", "count": 1}], moves=[MOVE])
    game.give(
        deadline=77,
        winner=[3],
        condition="cash",
        ranking=[[3], [1, 2]],
        zones={"B": {"owner": None, "forces": {"1": {"troop": 3, "tank": 0}, "3": {"troop": 0, "tank": 2}}}},
        players={"bia": {"status": "eliminated", "eliminated_year": 2000}},
    )
    once = game.state
    assert RULES.encode(RULES.decode(once)) == once


FAULTS: tuple[tuple[tuple[str, ...], Any, str], ...] = (
    (("phase",), "asleep", "phase must be one of"),
    (("year",), None, "year must be a number in the phase year"),
    (("opened_at",), None, "opened_at must be a time in the phase year"),
    (("condition",), "boredom", "condition must be one of"),
    (("winner",), [9], "winner must be a seat of the game; it has 3"),
    (("ranking",), [[1], [2]], "ranking must be empty or hold every seat once"),
    (("config", "casualty_rule"), "dearest", "config.casualty_rule must be one of"),
    (("config", "players"), [3, 2], "config.players must be a list of least and most players"),
    (("zones", "A", "id"), "B", "zones.A.id must be A"),
    (("zones", "A", "owner"), 4, "zones.A.owner must be a seat of the game; it has 3"),
    (("zones", "A", "income"), -1, "zones.A.income must be an integer"),
    (("zones", "A", "neighbours"), ["D", "B", "W"], "zones.A.neighbours must be in ascending order"),
    (("zones", "A", "neighbours"), ["B", "W"], "zones.D.neighbours names A, whose neighbours must name D in turn"),
    (("zones", "W", "owner"), 1, "zones.W is water: it has no owner, no factory and no forces"),
    (("zones", "W", "factory"), True, "zones.W is water"),
    (("zones", "A", "forces"), {"4": {"troop": 1, "tank": 0}}, "zones.A.forces has the key '4'"),
    (("zones", "A", "forces"), {"1": {"troop": 0, "tank": 0}}, "zones.A.forces.1 must hold at least one Force"),
    (("zones", "A", "forces"), {"1": {"troop": 1}}, "zones.A.forces.1.tank is missing"),
    (("players", "ana", "id"), "bia", "players.ana.id must be ana"),
    (("players", "ana", "seat"), 2, "players must have the seats 1 to 3, each once"),
    (("players", "ana", "joined"), 2, "players must have joined at different places"),
    (("players", "ana", "credits"), -1, "players.ana.credits must be an integer"),
    (("players", "ana", "capital"), "atlantis", "players.ana.capital names 'atlantis'"),
    (("players", "ana", "capital"), "W", "players.ana.capital must be a land zone"),
    (
        ("players", "ana", "submission"),
        {"purchases": [], "moves": [{**MOVE, "path": ["X"]}], "seq": 1},
        "players.ana.submission.moves.0 names 'X'",
    ),
    (
        ("players", "ana", "submission"),
        {"purchases": [], "moves": [{**MOVE, "path": []}], "seq": 1},
        "players.ana.submission.moves.0.path must have 1 to 2 zones",
    ),
)


def changed(game: Game, path: tuple[str, ...]) -> tuple[dict[str, Any], Any]:
    """A copy of the state, and the object in it that holds the last name of a path."""
    state = copy.deepcopy(game.state)
    place: Any = state
    for name in path[:-1]:
        place = place[name]
    return state, place


@pytest.mark.parametrize(("path", "value", "message"), FAULTS)
def test_a_wrong_value_is_named(path: tuple[str, ...], value: Any, message: str) -> None:
    state, place = changed(running(), path)
    place[path[-1]] = value
    with pytest.raises(ValueError, match=message.replace(".", r"\.").replace("[", r"\[")):
        RULES.decode(state)


@pytest.mark.parametrize(
    "path", [("year",), ("players", "ana", "capital"), ("config", "auto_pick"), ("zones", "A", "picked")]
)
def test_what_is_missing_is_named(path: tuple[str, ...]) -> None:
    state, place = changed(running(), path)
    del place[path[-1]]
    with pytest.raises(ValueError, match=path[-1]):
        RULES.decode(state)


def test_seats_are_given_at_the_start_and_needed_from_then_on() -> None:
    """FOR-102."""
    game = Game()
    game.say("ana", "join")
    state, place = changed(game, ("players", "ana", "seat"))
    place["seat"] = 2
    with pytest.raises(ValueError, match="each once, or none in the lobby"):
        RULES.decode(state)
    place["seat"], state["phase"] = None, "picking"
    with pytest.raises(ValueError, match="players must have seats in the phase picking"):
        RULES.decode(state)
