"""Advice comes from what a viewer sees, and says what `decide` would say (EXG-24, EXG-27, EXG-30 to EXG-33)."""

from random import Random
from typing import Any

import pytest

from shared.rules.exgenhoca import RULES
from shared.rules.interface import Input, Refusal
from tests.rules.conformance.play import deal, step_by_step
from tests.rules.exgenhoca.play import Game, SeededDice, running


def ask(game: Game, name: str = "ana", **question: Any) -> dict[str, Any]:
    answer = RULES.advise(game.view(name), question)
    assert not isinstance(answer, Refusal), answer
    return answer


def a_game(**config: Any) -> Game:
    game = running(**config)
    game.own(ana="peru", bia="brasil argelia", caio="japao")
    return game


def shown(game: Game) -> dict[str, Any]:
    """The view of ana as it would be had the game come to its state by events."""
    view = game.view("ana")
    state = game.canonical
    for name, entry in state["territories"].items():
        view["territories"][name]["owner"] = entry["owner"]
    for name, entry in state["players"].items():
        view["players"][name].update({key: value for key, value in entry.items() if key in view["players"][name]})
    view["round"] = state["round"]
    return view


def told(game: Game, **question: Any) -> dict[str, Any]:
    answer = RULES.advise(shown(game), question)
    assert not isinstance(answer, Refusal), answer
    return answer


def test_reach_says_of_each_target_why_it_is_not_allowed() -> None:
    game = a_game()
    game.give(players={"ana": {"cooldown": {"venezuela": 1}}})
    targets = told(game, type="reach")["targets"]
    assert targets["brasil"]["allowed"]
    assert (targets["egito"]["name"], targets["egito"]["label"]) == ("Egito", "Egypt")
    assert targets["venezuela"]["refusal"]["code"] == "cooldown"
    assert "from round 4 on" in targets["venezuela"]["refusal"]["detail"]
    assert targets["japao"]["refusal"]["code"] == "out_of_reach"
    assert "peru" not in targets


def test_reach_says_why_no_attack_is_possible_at_all() -> None:
    game = a_game()
    game.give(players={"ana": {"pending": "swap"}})
    answer = told(game, type="reach")
    assert answer["refusal"]["code"] == "pending_choice"
    assert answer["targets"]["brasil"]["allowed"]
    game.give(players={"ana": {"pending": None, "attacks_left": 0, "global_attacks": 1}})
    answer = told(game, type="reach")
    assert answer["refusal"]["code"] == "no_attacks_left"
    assert answer["targets"]["japao"]["global"]


def test_a_considered_attack_has_its_exact_chance() -> None:
    """EXG-63."""
    chance = told(a_game(), type="attack", payload={"target": "brasil"})["chance"]
    assert (chance["winning_rolls"], chance["tied_rolls"], chance["rolls"]) == (21_162, 4_332, 46_656)
    assert (chance["numerator"], chance["denominator"], chance["percent"]) == ("3527", "7776", "45.3")


def test_modifiers_ties_and_second_chances_are_in_the_chance() -> None:
    game = a_game()
    items = [
        {"effect": effect, "usable_from": 1, "usable_to": last}
        for effect, last in (("P1", 6), ("P3", 6), ("P3", 6), ("P6", None))
    ]
    penalties = {"minus_attack": 1}
    game.give(players={"ana": {"inventory": items, "penalties": penalties}, "bia": {"penalties": {"minus_defence": 1}}})
    use = {"plus5": True, "tie": True, "rerolls": 2}
    answer = told(game, type="attack", payload={"target": "brasil", "use": use})
    assert answer["refusal"] is None
    chance = answer["chance"]
    assert chance["attack_modifiers"] == {"P1": 5, "N1": -5}
    assert chance["defence_modifiers"] == {"N2": -5}
    assert (chance["wins_ties"], chance["attack_rerolls"]) == (True, 2)
    worse = told(game, type="attack", payload={"target": "brasil", "use": use}, assume={"plus5": True, "rerolls": 1})[
        "chance"
    ]
    assert worse["defence_modifiers"] == {"N2": -5, "P2": 5}
    assert worse["permille"] < chance["permille"]


def test_penalties_that_are_not_seen_are_named_as_unknown() -> None:
    """EXG-34, EXG-40, EXG-66: with secret items the chance cannot reckon with N2 and N7 of the defender."""
    hidden, public = a_game(inventory_public=False), a_game()
    for game in (hidden, public):
        game.give(players={"ana": {"penalties": {"minus_attack": 1}}, "bia": {"penalties": {"minus_defence": 1}}})
    answer = told(hidden, type="attack", payload={"target": "brasil"})
    assert answer["unknown"] == ["penalties"]
    assert (answer["chance"]["attack_modifiers"], answer["chance"]["defence_modifiers"]) == ({"N1": -5}, {})
    seen = told(public, type="attack", payload={"target": "brasil"})
    assert "unknown" not in seen
    assert seen["chance"]["defence_modifiers"] == {"N2": -5}
    assert seen["chance"]["permille"] > answer["chance"]["permille"]


def test_nothing_is_unknown_of_what_has_no_owner_nor_to_operators() -> None:
    game = a_game(inventory_public=False)
    for target, place in game.canonical["territories"].items():
        if place["owner"] is None:
            assert "unknown" not in told(game, type="attack", payload={"target": target})
    assert "unknown" not in ask(game, "operator", type="attack", player="ana", payload={"target": "brasil"})
    assert "unknown" not in told(game, type="attack", payload={"target": "peru"})


def test_a_considered_attack_that_would_be_refused_says_so() -> None:
    for payload, code in (
        ({"target": "peru"}, "own_territory"),
        ({"target": "japao"}, "out_of_reach"),
        ({"target": "brasil", "use": {"plus5": True}}, "item_missing"),
        ({"target": "atlantis"}, "unknown_id"),
        ({"aim": "brasil"}, "malformed"),
        ({"target": "brasil", "use": {"global": True, "repeat": True}}, "malformed"),
    ):
        assert told(a_game(), type="attack", payload=payload)["refusal"]["code"] == code


def test_items_are_told_with_their_last_round() -> None:
    """EXG-42."""
    game = a_game()
    items = [
        {"effect": "P1", "usable_from": 3, "usable_to": 7},
        {"effect": "P6", "usable_from": 1, "usable_to": None},
    ]
    game.give(players={"ana": {"inventory": items}})
    assert told(game, type="items")["items"] == [
        {"effect": "P1", "label": "+5 on one attack", "usable": False, "first_round": 3, "last_round": 7},
        {"effect": "P6", "label": "wins one tie when attacking", "usable": True, "first_round": 1, "last_round": None},
    ]


def test_advice_is_for_active_players_of_a_running_game_about_themselves() -> None:
    game = Game()
    for view, question, code in (
        (game.view("ana"), {"type": "reach"}, "wrong_phase"),
        (game.view("public"), {"type": "reach"}, "malformed"),
        (game.view("ana"), {"type": "fortune"}, "malformed"),
        (game.view("ana"), {"type": "reach", "player": "bia"}, "not_authorised"),
        (game.view("stranger"), {"type": "reach"}, "not_authorised"),
    ):
        answer = RULES.advise(view, question)
        assert isinstance(answer, Refusal)
        assert answer.code == code
    game.start()
    game.say("ana", "resign")
    answer = RULES.advise(game.view("ana"), {"type": "reach"})
    assert isinstance(answer, Refusal)
    assert answer.code == "eliminated"
    assert "targets" in ask(game, "operator", type="reach", player="bia")


@pytest.mark.parametrize("seed", range(4))
def test_advice_and_judgement_agree(seed: int) -> None:
    """In games played at random: what advice says of an attack is what becomes of it."""
    table = deal(RULES, seed)
    asked = 0
    for _ in step_by_step(table, seed, 60):
        state = RULES.encode(table.state)
        if state["phase"] != "running":
            continue
        for name in sorted(state["players"]):
            if state["players"][name]["status"] != "active":
                continue
            payload = {"target": Random(asked).choice(sorted(state["territories"]))}
            viewer = table.documents.viewer(name)
            seen = RULES.view(table.documents.of(viewer), viewer)
            answer = RULES.advise(seen, {"type": "attack", "payload": payload})
            assert not isinstance(answer, Refusal)
            command = Input("x", "g", name, "player", "attack", payload, "", state["round_opened_at"], 1)
            judged = RULES.decide(table.state, command, SeededDice(seed))
            refusal = answer["refusal"]
            code = None if refusal is None else refusal["code"]
            assert code == (judged.code if isinstance(judged, Refusal) else None)
            asked += 1
    assert asked > 10
