"""What each viewer sees is what the state says, and nothing that FOR-79 and FOR-80 hide; who is told of what."""

from typing import Any

import pytest

from shared.rules.forces import RULES
from shared.rules.notices import given_by
from tests.rules.forces.play import NAMES, Game, running

TANK = {"from": "C", "type": "tank", "count": 1, "path": ["D", "E"]}


def fought() -> Game:
    """caio's tank has met bia's two troops in E, and taken D on no account: who passes takes nothing."""
    game = running(starting_credits=100)
    game.say("ana", "submit_turn")
    game.say("bia", "submit_turn")
    game.say("caio", "submit_turn", moves=[TANK], purchases=[{"type": "tank", "zone": "C", "count": 2}])
    return game


def held_against(game: Game, name: str) -> None:
    """Every path of the state that the view has says the same, hidden ones apart."""
    state, view = game.state, game.view(name)
    for id_, zone in state["zones"].items():
        assert {key: view["zones"][id_][key] for key in zone} == zone
    for id_, player in state["players"].items():
        seen = view["players"][id_]
        for key in set(player) & set(seen) - {"submission"}:
            assert seen[key] == player[key], (id_, key)
    for key in ("phase", "year", "deadline", "pick_index", "winner", "condition", "ranking", "config"):
        assert view[key] == state[key]


@pytest.mark.parametrize("name", ["public", "operator", *NAMES])
def test_a_view_says_what_the_state_says(name: str) -> None:
    """FOR-78."""
    for game in (running(), fought()):
        held_against(game, name)


def test_credits_of_others_are_seen_if_they_are_public_alone() -> None:
    """FOR-80, FOR-109."""
    for public in (True, False):
        game = running(credits_public=public, starting_credits=40)
        game.say("operator", "close_phase", phase="year", year=2000)
        for viewer in ("public", "operator", *NAMES):
            for id_, player in game.view(viewer)["players"].items():
                seen = public or viewer in ("operator", id_)
                assert ("credits" in player, "last_income" in player) == (seen, seen)
        audiences = {event.to for event in game.events() if event.type in ("paid", "income")}
        assert audiences == ({("public",)} if public else {(f"player:{name}",) for name in NAMES})


def test_a_submission_is_one_event_for_all_and_its_content_for_her_alone() -> None:
    """FOR-30, FOR-79; a change of it is no event for others at all."""
    game = running()
    game.say("caio", "submit_turn", moves=[TANK])
    assert [(event.type, event.to) for event in game.events()] == [
        ("turn_submitted", ("public",)),
        ("submission_numbered", ()),
        ("submission_stored", ("player:caio",)),
    ]
    game.say("caio", "submit_turn")
    assert [(event.type, event.to) for event in game.events()] == [
        ("submission_numbered", ()),
        ("submission_stored", ("player:caio",)),
    ]
    assert game.view("caio")["players"]["caio"]["submission"] == {"purchases": [], "moves": []}


def test_who_is_out_sees_what_all_see_and_no_submission() -> None:
    """FOR-109."""
    game = running()
    game.say("caio", "submit_turn", moves=[TANK])
    game.say("caio", "resign")
    seen = game.view("caio")["players"]
    assert seen["caio"]["submission"] is None
    assert seen["caio"]["submitted"] is False
    assert "submission" not in seen["bia"]


def test_a_combat_is_told_with_all_rolls_in_order() -> None:
    game = fought()
    combat = game.view("public")["combats"]["2000-E"]
    rolls = [event.data for event in game.events() if event.type == "combat_roll"]
    assert combat["rolls"] == [{key: roll[key] for key in ("seat", "type", "r", "odds", "hit")} for roll in rolls]
    assert [(roll["seat"], roll["type"]) for roll in combat["rolls"]] == [(2, "troop"), (2, "troop"), (3, "tank")]


def sheet(game: Game, viewer: str, name: str) -> list[dict[str, Any]]:
    found = {item.id: item for item in RULES.sheets.of(game.view(viewer))}
    return [dict(row) for row in found[name].rows] if name in found else []


def test_sheets_show_forces_purses_and_what_is_her_own() -> None:
    """FOR-78 to FOR-80."""
    game = running(credits_public=False, starting_credits=40)
    game.say("caio", "submit_turn", moves=[TANK])
    assert sheet(game, "caio", "moves") == [TANK]
    assert sheet(game, "bia", "moves") == []
    players = sheet(game, "bia", "players")
    assert [row["credits"] for row in players] == [None, 40, None]
    assert [row["submitted"] for row in players] == [False, False, True]
    assert {(row["zone"], row["seat"]) for row in sheet(game, "public", "forces")} == {("C", 3), ("E", 2)}
    rows = sheet(fought(), "public", "combats")
    assert [(row["seat"], row["type"], row["odds"]) for row in rows] == [(2, "troop", 30), (3, "tank", 50)]


def test_notices_tell_a_player_what_is_hers() -> None:
    """FOR-60, FOR-66, FOR-68."""
    game = running()
    game.say("bia", "submit_turn")
    game.say("caio", "submit_turn", moves=[{**TANK, "path": ["B", "A"]}])
    game.say("ana", "submit_turn")
    given = [(notice.code, notice.audience) for event in game.events() for notice in given_by(event, RULES.notices)]
    assert ("zone_lost", "seat:1") in given
    assert ("eliminated", "seat:1") in given, "it was her only one"
    assert {audience for code, audience in given if code == "year_resolved"} == {"seat:2", "seat:3"}
