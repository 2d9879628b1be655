"""Who is told what, event by event, and that secrets change nothing that others see (EXG-66 to EXG-68)."""

from collections.abc import Callable
from typing import Any

import pytest

from shared.canonical import canonical
from tests.rules.exgenhoca.play import Game, faces, running


def told_to(game: Game, name: str) -> bytes:
    """Everything that a viewer is told and sees."""
    audiences = {"public", f"player:{name}"}
    events = [[event.type, event.data] for event in game.told if audiences & set(event.to)]
    return canonical([events, game.view(name)])


def with_token(effect: str, **config: Any) -> Game:
    """Ana of peru before brasil, where something is hidden; bia and caio far away."""
    game = running(**config)
    game.own(ana="peru", bia="japao", caio="egito")
    game.give(territories={"brasil": {"token": effect}})
    return game


def test_the_setup_is_told_to_those_whom_it_concerns() -> None:
    game = Game()
    game.start()
    told = [(event.type, event.to) for event in game.events]
    assert told == [
        ("dealt", ("public",)),
        ("tokens_placed", ()),
        ("objectives_shuffled", ()),
        ("objective_dealt", ("player:ana",)),
        ("objective_dealt", ("player:bia",)),
        ("objective_dealt", ("player:caio",)),
        ("round_opened", ("public",)),
    ]


@pytest.mark.parametrize("public", [True, False])
def test_items_and_penalties_are_public_or_the_players(public: bool) -> None:
    """EXG-66."""
    game = with_token("N1", inventory_public=public)
    game.attack("ana", "brasil", "666", "111")
    audience = ("public",) if public else ("player:ana",)
    assert [event.to for event in game.events if event.type == "effect_applied"] == [audience]
    assert [event.to for event in game.events if event.type == "effect_revealed"] == [("public",)]
    game.attack("ana", "argentina", "666", "111")
    assert [event.to for event in game.events if event.type == "penalties_changed"] == [audience]
    assert game.of("attack_rolled")[0]["modifiers"]["attack"] == {"N1": -5}


def test_a_policy_that_an_attack_uses_up_is_told_to_its_owner_alone() -> None:
    game = with_token("P1")
    game.own(ana="peru", bia="brasil", caio="egito")
    game.give(players={"bia": {"inventory": [{"effect": "P2", "usable_from": 1, "usable_to": 9}]}})
    game.say("bia", "set_policy", defence_plus5="next")
    assert [(event.type, event.to) for event in game.events] == [("policy_set", ("player:bia",))]
    game.attack("ana", "brasil", "666", "111")
    assert [event.to for event in game.events if event.type == "policy_set"] == [("player:bia",)]
    assert game.player("bia")["policy"]["defence_plus5"] == "off"


def _objective(game: Game) -> None:
    game.give(players={"bia": {"objective": {"id": "O13", "min_total": 30, "continents": ["asia"]}}})


def _policy(game: Game) -> None:
    for _ in range(2):
        game.say("bia", "set_policy", defence_plus5=["japao"], defence_rerolls=2, sa_give=["japao"], at=game.at)


def _tokens(game: Game) -> None:
    game.give(territories={"argentina": {"token": "P7"}, "venezuela": {"token": "N3"}})


def _private_items(game: Game) -> None:
    game.give(players={"bia": {"inventory": [{"effect": "P2", "usable_from": 3, "usable_to": 9}]}})


@pytest.mark.parametrize("secret", [_objective, _policy, _tokens, _private_items])
def test_a_secret_changes_nothing_that_others_are_told(secret: Callable[[Game], None]) -> None:
    """EXG-67: with the same dice, commands and refusals of others look the same to them to the byte."""
    seen = []
    for make in (lambda game: None, secret):
        game = with_token("P1", inventory_public=False)
        make(game)
        game.attack("ana", "brasil", "666", "111")
        game.attack("ana", "argentina", "123", "456")
        answers = [
            game.say("ana", "attack", target="japao"),
            game.say("ana", "resolve_swap", decline=True),
            game.say("caio", "attack", target="sudao", dice=faces("111", "222")),
            game.say("caio", "pass_round"),
        ]
        seen.append((answers, [told_to(game, name) for name in ("ana", "caio", "nobody")]))
    assert seen[0] == seen[1]


def test_everything_is_revealed_at_the_end() -> None:
    """EXG-67."""
    game = with_token("P1", max_rounds=2)
    objective = game.player("bia")["objective"]
    game.give(territories={"argentina": {"token": "N7"}})
    game.close()
    assert [event.type for event in game.events[-2:]] == ["objectives_revealed", "game_ended"]
    view = game.view("public")
    assert view["territories"]["argentina"]["token"] == "N7"
    assert view["territories"]["brasil"]["token"] == "P1"
    assert view["players"]["bia"]["objective"] == objective
    assert "policy" not in view["players"]["bia"]
