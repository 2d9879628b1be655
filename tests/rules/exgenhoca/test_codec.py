"""The canonical state comes back as it was, and what is wrong in one is named by its path (EXG-13 to EXG-15)."""

from typing import Any

import pytest

from shared.rules.exgenhoca import RULES
from tests.rules.exgenhoca.play import Game, running


def test_a_state_of_every_kind_of_value_comes_back() -> None:
    game = running()
    game.give(
        players={
            "ana": {
                "eliminated_by": 2,
                "cooldown": {"brasil": 2, "peru": 1},
                "attacked_this_round": ["brasil"],
                "inventory": [{"effect": "P6", "usable_from": 1, "usable_to": None}],
                "penalties": {"no_repeat": {"from": 2, "to": 6}, "stored_continent_loss": 1},
                "policy": {"defence_plus5": ["peru", "brasil"], "defence_rerolls": 2, "sa_give": ["peru"]},
                "pending": "loss",
            }
        },
        ranking=[3, 1, 2],
        points={"1": 5, "2": 0, "3": 7},
    )
    once = game.canonical
    assert RULES.encode(RULES.decode(once)) == once


FAULTS: tuple[tuple[tuple[str, ...], Any, str], ...] = (
    (("phase",), "asleep", "phase must be one of"),
    (("round",), -1, "round must be an integer"),
    (("winner",), 9, "winner must be a seat of the game, 1 to 3"),
    (("ranking",), [1, 2], "ranking must be empty or hold every seat once"),
    (("points",), {"9": 1}, "points has the key '9'"),
    (("config", "dice"), 4, "config.dice must be 3"),
    (("territories", "peru", "owner"), 4, "territories.peru.owner must be a seat of the game, 1 to 3"),
    (("territories", "peru", "token"), "P8", "territories.peru.token must be one of"),
    (("territories", "peru", "continent"), "atlantis", "territories.peru.continent must be a continent"),
    (("territories", "peru", "neighbours"), ["brasil", "argentina", "venezuela"], "must be in ascending order"),
    (("territories", "peru", "neighbours"), ["argentina"], "names peru, which must name brasil too"),
    (("territories", "peru", "id"), "lima", "territories.peru.id must be peru"),
    (("players", "ana", "seat"), 2, "players must have the seats 1 to 3, each once"),
    (("players", "ana", "id"), "bia", "players.ana.id must be ana"),
    (("players", "ana", "attacks_left"), -1, "players.ana.attacks_left must be an integer"),
    (("players", "ana", "eliminated_by"), 7, "players.ana.eliminated_by must be a seat"),
    (("players", "ana", "cooldown"), {"atlantis": 1}, "players.ana.cooldown names 'atlantis'"),
    (("players", "ana", "attacked_this_round"), ["peru", "brasil"], "must be in ascending order"),
    (("players", "ana", "policy", "sa_give"), ["atlantis"], "players.ana.policy names 'atlantis'"),
    (("players", "ana", "objective", "continents"), ["atlantis"], "players.ana.objective.continents names"),
    (("players", "ana", "objective", "eliminate"), 5, "players.ana.objective.eliminate must be a seat"),
    (("players", "ana", "penalties", "no_repeat"), 3, "players.ana.penalties.no_repeat must be an object"),
    (("round_opened_at",), None, "round_opened_at must be a time"),
)


@pytest.mark.parametrize(("path", "value", "message"), FAULTS)
def test_a_wrong_value_is_named(path: tuple[str, ...], value: Any, message: str) -> None:
    changed = running().canonical
    place = changed
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        RULES.decode(changed)


@pytest.mark.parametrize("path", [("round",), ("players", "ana", "policy"), ("config", "effects")])
def test_what_is_missing_is_named(path: tuple[str, ...]) -> None:
    changed = Game().canonical
    place = changed
    for name in path[:-1]:
        place = place[name]
    del place[path[-1]]
    with pytest.raises(ValueError, match=path[-1]):
        RULES.decode(changed)
