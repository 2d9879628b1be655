"""Views held against the canonical state: nothing is wrong, nothing that may be seen is missing (EXG-66, EXG-67)."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from shared.rules.exgenhoca import RULES
from shared.scenarios.table import Table
from tests.rules.conformance.play import again, deal, play
from tests.rules.exgenhoca.play import ScriptedDice, running

State = Mapping[str, Any]
SEEDS = range(8)
SECTIONS = ("territories", "players")
PRIVATE = {"objective", "policy"}
seeds = pytest.mark.parametrize("seed", SEEDS)


@cache
def _played(seed: int) -> Table:
    return play(RULES, seed, 200)


def _steps(seed: int) -> Iterator[Table]:
    table = deal(RULES, seed)
    yield table
    for _ in again(table, _played(seed)):
        yield table


def _view(table: Table, name: str) -> State:
    viewer = table.documents.viewer(name)
    return RULES.view(table.documents.of(viewer), viewer)


@seeds
def test_an_operator_sees_the_canonical_state_but_for_tokens(seed: int) -> None:
    """EXG-67: tokens are hidden from everybody until the end."""
    for table in _steps(seed):
        state, seen = RULES.encode(table.state), _view(table, "operator")
        assert set(seen["effects"]) == set(state["config"]["effects"])
        for name in set(state) - set(SECTIONS):
            assert seen[name] == state[name], name
        for id_, entry in state["territories"].items():
            shown = dict(seen["territories"][id_])
            shown.pop("effect", None)
            token = shown.pop("token", None)
            assert {**shown, "token": entry["token"]} == entry
            if token is not None:
                assert (state["phase"], token) == ("ended", entry["token"])
        for id_, player in state["players"].items():
            shown = {"objective": None, **seen["players"][id_]}
            assert shown == player, id_


@pytest.mark.slow
@seeds
def test_a_player_sees_of_others_what_everybody_sees(seed: int) -> None:
    for table in _steps(seed):
        state, public = RULES.encode(table.state), _view(table, "public")
        for name in list(state["players"])[:2]:
            seen = _view(table, name)
            assert seen["you"] == {"player": name, "seat": state["players"][name]["seat"]}
            assert seen["territories"] == public["territories"]
            for other, shown in public["players"].items():
                if other != name:
                    assert seen["players"][other] == shown
            own = seen["players"][name]
            assert own["policy"] == state["players"][name]["policy"]
            assert own.get("objective") == state["players"][name]["objective"]
            assert own["inventory"] == state["players"][name]["inventory"]
            assert own["penalties"] == state["players"][name]["penalties"]


@seeds
def test_nobody_sees_objectives_and_policies_of_others_before_the_end(seed: int) -> None:
    for table in _steps(seed):
        state, public = RULES.encode(table.state), _view(table, "public")
        hidden = set() if state["phase"] == "ended" else {"objective"}
        for shown in public["players"].values():
            assert not (hidden | {"policy"}) & set(shown)
            assert ("inventory" in shown) == state["config"]["inventory_public"]
            assert ("penalties" in shown) == state["config"]["inventory_public"]
        if state["phase"] != "ended":
            assert all("token" not in shown for shown in public["territories"].values())


def test_the_history_has_every_attack_with_all_its_rolls() -> None:
    """EXG-66: dice and totals are public."""
    game = running()
    game.own(ana="peru", bia="brasil", caio="japao")
    game.give(players={"ana": {"inventory": [{"effect": "P3", "usable_from": 2, "usable_to": 6}]}})
    rolls = ScriptedDice(*(f"d{face}" for face in "111666" + "666111"))
    assert game.say("ana", "attack", target="brasil", use={"rerolls": 1}, dice=rolls) == "accepted"
    attack = game.view("public")["attacks"]["2-1"]
    assert [(roll["attack_dice"], roll["defence_dice"]) for roll in attack["rolls"]] == [
        ([1, 1, 1], [6, 6, 6]),
        ([6, 6, 6], [1, 1, 1]),
    ]
    assert {name: attack[name] for name in ("attacker", "defender", "target", "taken", "round", "attack")} == {
        "attacker": 1,
        "defender": 2,
        "target": "brasil",
        "taken": True,
        "round": 2,
        "attack": 1,
    }


def test_names_are_told_in_portuguese_with_an_english_label() -> None:
    view = running().view("public")
    assert (view["territories"]["egito"]["name"], view["territories"]["egito"]["label"]) == ("Egito", "Egypt")
    assert view["continents"]["africa"] == {"name": "África", "label": "Africa"}
