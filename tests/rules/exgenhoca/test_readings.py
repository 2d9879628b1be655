"""Where the rules leave a choice, the one that was made (docs/decisions/0020-exgenhoca-readings.md)."""

from typing import Any

from tests.rules.exgenhoca.play import Game, faces, running

SOUTH = "peru brasil venezuela argentina"


def item(effect: str, first: int, last: int | None) -> dict[str, Any]:
    return {"effect": effect, "usable_from": first, "usable_to": last}


def a_game(**config: Any) -> Game:
    """Ana of peru and venezuela before brasil of bia; round 2, three attacks each."""
    game = running(**config)
    game.own(ana="peru venezuela", bia="brasil japao", caio="egito")
    return game


def test_of_equal_items_the_first_usable_one_in_order_of_gain_is_used() -> None:
    game = a_game()
    game.give(players={"ana": {"inventory": [item("P1", 3, 7), item("P1", 1, 5), item("P1", 2, 6)]}})
    assert game.attack("ana", "brasil", "111", "666", plus5=True) == "accepted"
    assert game.player("ana")["inventory"] == [item("P1", 3, 7), item("P1", 2, 6)]


def test_a_policy_for_some_territories_stays_after_it_was_used() -> None:
    """EXG-47."""
    game = a_game()
    game.give(players={"bia": {"inventory": [item("P2", 1, 5), item("P2", 1, 6)]}})
    game.say("bia", "set_policy", defence_plus5=["brasil"])
    for used in (1, 2):
        assert game.attack("ana", "brasil", "111", "222", **({"repeat": True} if used == 2 else {})) == "accepted"
        assert len(game.player("bia")["inventory"]) == 2 - used
    assert game.player("bia")["policy"]["defence_plus5"] == ["brasil"]


def test_an_extra_attack_of_the_defender_keeps_the_round_open() -> None:
    """EXG-37 with `europe_on_defence`."""
    game = a_game(europe_on_defence=True)
    europe = "alemanha franca inglaterra islandia moscou polonia suecia"
    game.own(ana="argelia", bia=europe, caio="japao")
    rights = {"ana": 1, "bia": 0, "caio": 0}
    game.give(players={name: {"attacks_left": left} for name, left in rights.items()})
    assert game.attack("ana", "franca", "111", "555") == "accepted"
    assert (game.state.round, game.player("bia")["attacks_left"]) == (2, 1)


def test_an_n7_that_waits_for_another_follows_right_behind_it_for_who_holds_a_continent() -> None:
    """EXG-45: rounds 2 to 4, then 5 to 7."""
    game = a_game()
    game.own(ana=SOUTH, bia="japao", caio="egito")
    off = {"continents_off": {"from": 2, "to": 2}, "stored_continent_loss": 1}
    game.give(players={"ana": {"penalties": off}})
    game.close()
    penalties = game.player("ana")["penalties"]
    assert penalties["continents_off"] == {"from": 3, "to": 5}
    assert penalties["stored_continent_loss"] == 0


def test_an_n7_that_waits_stays_stored_for_who_holds_no_continent_when_the_other_ends() -> None:
    """EXG-45: it begins when she completes one."""
    game = a_game()
    off = {"continents_off": {"from": 2, "to": 2}, "stored_continent_loss": 1}
    game.give(players={"ana": {"penalties": off}})
    game.close()
    assert game.player("ana")["penalties"]["continents_off"] is None
    game.own(ana="peru venezuela argentina", bia="brasil japao", caio="egito")
    assert game.attack("ana", "brasil", "666", "111") == "accepted"
    assert game.player("ana")["penalties"]["continents_off"] == {"from": 4, "to": 6}
    assert game.player("ana")["penalties"]["stored_continent_loss"] == 0


def test_a_second_n6_lasts_five_rounds_from_its_own_gain() -> None:
    game = a_game()
    game.give(players={"ana": {"penalties": {"no_repeat": {"from": 1, "to": 4}}}})
    game.give(territories={"argentina": {"token": "N6"}})
    assert game.attack("ana", "argentina", "666", "111") == "accepted"
    assert game.player("ana")["penalties"]["no_repeat"] == {"from": 1, "to": 7}


def test_who_is_left_and_fulfils_her_objective_by_it_wins_by_objective() -> None:
    """EXG-35, EXG-61: the substitute counts."""
    game = Game(["ana", "bia"])
    game.start()
    own = [name for name, entry in game.canonical["territories"].items() if entry["owner"] != 2][:30]
    game.give(territories={name: {"owner": 1, "token": None} for name in own})
    game.give(players={"ana": {"objective": {"eliminate": 2, "min_total": 0, "continents": [], "spread": None}}})
    assert game.say("bia", "resign") == "accepted"
    assert game.canonical["end_reason"] == "objective"
    assert game.of("objective_changed")[0]["objective"]["min_total"] == 22


def test_in_the_classic_set_24_territories_take_the_place_of_a_rival() -> None:
    game = Game(objective_set="classic")
    game.start()
    game.give(players={"ana": {"objective": {"id": "O02", "eliminate": 2, "min_total": 0, "continents": []}}})
    assert game.say("bia", "resign") == "accepted"
    assert game.player("ana")["objective"]["min_total"] == 24


def test_an_objective_with_a_larger_total_keeps_it_when_its_rival_is_gone() -> None:
    game = a_game()
    game.give(players={"ana": {"objective": {"eliminate": 2, "min_total": 30, "continents": [], "spread": None}}})
    assert game.say("bia", "resign") == "accepted"
    assert (game.player("ana")["objective"]["eliminate"], game.player("ana")["objective"]["min_total"]) == (None, 30)


def test_objectives_of_those_who_are_out_do_not_change() -> None:
    game = Game(["ana", "bia", "caio", "davi"])
    game.start()
    game.give(players={"ana": {"objective": {"eliminate": 2, "min_total": 0, "continents": []}}})
    assert game.say("ana", "resign") == "accepted"
    assert game.say("bia", "resign") == "accepted"
    assert game.player("ana")["objective"]["eliminate"] == 2


def test_an_attack_ends_a_row_of_idle_rounds_at_once() -> None:
    """EXG-51."""
    game = a_game()
    game.give(players={"ana": {"idle_row": 1}})
    assert game.say("ana", "attack", target="brasil", dice=faces("111", "666")) == "accepted"
    assert game.player("ana")["idle_row"] == 0


def test_default_effects_that_find_no_territory_on_a_small_map_are_left_out() -> None:
    """EXG-18."""
    ids = [f"T{number}" for number in range(6)]
    map_ = {
        "territories": {
            id_: {"neighbours": [other for near in (number - 1, number + 1) if 0 <= near < 6 for other in [ids[near]]]}
            for number, id_ in enumerate(ids)
        },
        "continents": {"asia": {"territories": ids}},
    }
    objectives = {"A": {"min_total": 6}, "B": {"min_total": 5}}
    game = Game(["ana", "bia"], map_=map_, shared_territories=4, objective_set=objectives)
    game.start()
    assert sorted(game.of("tokens_placed")[0]["tokens"].values()) == ["P1", "P2"]
