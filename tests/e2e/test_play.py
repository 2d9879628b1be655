"""A turn as two new users play it, over HTTP against the real processes."""

import pytest

from tests.e2e.wars import enlisted, small_war
from warledger.api import Refused
from warledger.demo.installation import Installation

pytestmark = pytest.mark.slow


def test_two_players_fight_a_turn_and_both_see_what_happened(any_house: Installation) -> None:
    game = small_war(any_house)
    red = enlisted(any_house, game, "red", "dunmere")
    blue = enlisted(any_house, game, "blue", "elmgate")
    red.command(game, "set_order", {"attack": {"target": "elmgate", "energy": 10}})
    blue.command(game, "set_order", {"defend": 1})
    closed = any_house.operator.command(game, "close_turn", {"turn": 1})
    assert closed.status == 201
    report = blue.get(f"/games/{game}/turns/1")
    assert report == red.get(f"/games/{game}/turns/1")
    assert any_house.operator.get(f"/games/{game}")["turn"] == 2
    (certificate,) = any_house.operator.get(f"/games/{game}/certificates")["certificates"]
    assert certificate["label"] == "turn:1"


def test_orders_are_hidden_from_the_other_team_until_the_close(any_house: Installation) -> None:
    game = small_war(any_house)
    red = enlisted(any_house, game, "red", "dunmere")
    blue = enlisted(any_house, game, "blue", "elmgate")
    before = blue.request("GET", f"/games/{game}/orders")
    red.command(game, "set_order", {"attack": {"target": "elmgate", "energy": 3}})
    after = blue.request("GET", f"/games/{game}/orders")
    assert (after.body, after.headers["ETag"]) == (before.body, before.headers["ETag"])


def test_a_refused_order_names_the_rule_and_what_would_be_legal(any_house: Installation) -> None:
    game = small_war(any_house)
    red = enlisted(any_house, game, "red", "dunmere")
    with pytest.raises(Refused) as refused:
        red.command(game, "set_order", {"attack": {"target": "elmgate", "energy": 0}})
    answer = refused.value.answer
    assert (answer.status, answer.body["code"], answer.body["rule"]) == (422, "bad_amount", "GXC-33")
    assert answer.body["detail"]


def test_the_same_key_gives_the_first_answer_and_another_body_is_refused(any_house: Installation) -> None:
    game = small_war(any_house)
    red = enlisted(any_house, game, "red", "dunmere")
    first = red.command(game, "set_order", {"defend": 3}, key="once")
    again = red.command(game, "set_order", {"defend": 3}, key="once")
    assert first.body == again.body
    with pytest.raises(Refused, match="key_reused"):
        red.command(game, "set_order", {"defend": 4}, key="once")


def test_an_unknown_game_is_not_found_and_a_player_cannot_close_a_turn(any_house: Installation) -> None:
    game = small_war(any_house)
    red = enlisted(any_house, game, "red", "dunmere")
    with pytest.raises(Refused, match="unknown_game"):
        red.command("nowhere", "energize")
    with pytest.raises(Refused) as refused:
        red.command(game, "close_turn", {"turn": 1})
    assert (refused.value.answer.status, refused.value.code) == (403, "forbidden")
