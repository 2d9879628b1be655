"""The tables of the page: what a player of Exgenhoca Wars needs before she attacks (EXG-24, EXG-42, EXG-63, EXG-66)."""

from typing import Any

from shared.rules.exgenhoca.sheets import SHEETS
from tests.rules.exgenhoca.play import Game, running

P1 = {"effect": "P1", "usable_from": 2, "usable_to": 6}


def a_game(**config: Any) -> Game:
    """Ana has attacked from where she was dealt."""
    game = running(**config)
    target = next(name for name in game.view("ana")["territories"] if _allowed(game, name))
    assert game.attack("ana", target, "123", "666") == "accepted"
    return game


def _allowed(game: Game, name: str) -> bool:
    here = game.canonical["territories"]
    return here[name]["owner"] != 1 and any(here[other]["owner"] == 1 for other in here[name]["neighbours"])


def sheets(game: Game, name: str) -> dict[str, Any]:
    return {sheet.id: sheet for sheet in SHEETS.of(game.view(name))}


def test_a_player_sees_her_own_things_and_everybody_rights_and_attacks() -> None:
    game = a_game()
    assert list(sheets(game, "ana")) == ["objective", "targets", "items", "policy", "rights", "attacks"]
    for other in ("public", "operator", "stranger"):
        assert list(sheets(game, other)) == ["rights", "attacks"]


def test_targets_have_their_chance_and_the_first_reason_why_not() -> None:
    game = Game()
    game.start()
    rows = sheets(game, "ana")["targets"].rows
    assert {row["why"] for row in rows if row["allowed"]} == {""}
    assert {row["why"].partition(":")[0] for row in rows if not row["allowed"]} == {"out_of_reach"}
    assert [row["allowed"] for row in rows] == sorted((row["allowed"] for row in rows), reverse=True)
    plain = next(row for row in rows if not row["attack"] and not row["defence"])
    assert (plain["percent"], plain["exact"]) == ("45.3", "21162 of 46656")
    game.say("ana", "pass_round")
    assert {row["why"] for row in sheets(game, "ana")["targets"].rows} == {"passed: you have passed this round"}


def test_at_the_end_everybody_sees_points_and_objectives_in_the_order_of_the_ranking() -> None:
    game = a_game(max_rounds=2)
    game.say("operator", "close_round", round=2)
    view = game.view("public")
    assert view["phase"] == "ended"
    for name in ("public", "ana"):
        rows = sheets(game, name)["results"].rows
        assert [row["seat"] for row in rows] == view["ranking"]
        assert {str(row["seat"]): row["points"] for row in rows} == view["points"]
        objectives = {entry["seat"]: entry["objective"]["id"] for entry in view["players"].values()}
        assert {row["seat"]: row["id"] for row in rows} == objectives
    assert "results" not in sheets(a_game(), "ana")


def test_targets_say_what_their_chance_does_not_know() -> None:
    rows = sheets(a_game(inventory_public=False), "ana")["targets"].rows
    assert {(row["owner"] is None, row["unknown"]) for row in rows} == {(True, ""), (False, "penalties")}
    assert {row["unknown"] for row in sheets(a_game(), "ana")["targets"].rows} == {""}


def test_an_attack_is_told_with_all_its_dice() -> None:
    game = a_game()
    (row,) = sheets(game, "public")["attacks"].rows
    assert (row["number"], row["attacker"], row["dice"], row["totals"], row["taken"]) == (
        "2-1",
        1,
        "1 2 3 / 6 6 6",
        "6 / 18",
        False,
    )
    assert sheets(game, "public")["rights"].rows[0]["cooldown"] == [row["target"]]


def test_items_penalties_and_a_policy_are_told_in_words() -> None:
    view = running().view("ana")
    penalties = {**view["players"]["ana"]["penalties"], "minus_attack": 2, "no_repeat": {"from": 2, "to": 6}}
    view["players"]["ana"].update(inventory=[P1], penalties=penalties)
    view["players"]["ana"]["policy"] = {"defence_plus5": "next", "defence_rerolls": 1, "sa_give": ["peru"]}
    found = {sheet.id: sheet.rows for sheet in SHEETS.of(view)}
    assert found["items"] == [{"effect": "P1", "label": "+5 on one attack", "first": 2, "last": 6}]
    assert found["policy"] == [{"plus5": "next", "rerolls": 1, "give": ["peru"]}]
    rights = next(row for row in found["rights"] if row["seat"] == 1)
    assert (rights["items"], rights["penalties"]) == ("P1", "N1 x 2, N6 in rounds 2 to 6")
    objective = {**view["players"]["ana"]["objective"], "continents": ["asia"], "spread": {"continents": 3, "each": 2}}
    view["players"]["ana"]["objective"] = objective
    (row,) = {sheet.id: sheet.rows for sheet in SHEETS.of(view)}["objective"]
    assert (row["continents"], row["spread"]) == ("Ásia (Asia)", "2 in each of 3")
