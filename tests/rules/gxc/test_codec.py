"""The canonical state: what it refuses, and that the order of keys means nothing (GXC-13 to GXC-18)."""

from typing import Any

import pytest

from tests.rules.gxc.play import Game, creation, territory

MAP = {"T": territory("U"), "U": territory("T", x=5), "V": territory(x=9)}


def _game() -> Game:
    game = Game(creation(MAP, {"red": ["T"], "blue": ["U"]}, {"first_commander_nominations": 1}))
    game.settle(red_1="T", red_2="T", blue_1="U")
    game.say("red_1", "nominate", kind="commander", target="red_2")
    game.say("red_2", "nominate", kind="spy", target="red_1")
    game.say("red_1", "vote", poll="red-1", choice="yes")
    game.say("red_1", "set_order", attack={"target": "U", "energy": 3}, defend=2)
    return game


def test_the_canonical_state_holds_the_names_of_the_rules() -> None:
    state = _game().canonical
    assert state["players"]["red_1"] == {
        "team": "red",
        "status": "active",
        "location": "T",
        "energy": 10,
        "turn_start_location": "T",
        "energized_turn": 1,
        "streak": 1,
        "order": {"move_to": None, "attack": {"target": "U", "energy": 3}, "defend": 2, "seq": 15},
    }
    assert state["territories"]["V"] == {
        "name": "",
        "neighbours": [],
        "centroid": {"x": 9, "y": 0},
        "special": None,
        "owner": None,
    }
    assert state["polls"]["red-1"]["votes"] == {"red_1": "yes"}


BROKEN: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("a missing part", {"teams": None}, "teams"),
    ("an unknown phase", {"phase": "siesta"}, "phase"),
    ("a turn in the lobby", {"phase": "lobby"}, "turn"),
    ("a winner who is no team", {"winner": "pink"}, "winner"),
    ("a fraction of a config", {"config": {"base_energy": "ten"}}, "config.base_energy"),
    ("an owner who is no team", {"territories": {"V": {"owner": "pink"}}}, "territories.V.owner"),
    ("a one-sided edge", {"territories": {"V": {"neighbours": ["T"]}}}, "territories.V"),
    ("an unknown special", {"territories": {"V": {"special": "swamp"}}}, "territories.V.special"),
    ("negative energy", {"players": {"red_1": {"energy": -1}}}, "players.red_1.energy"),
    ("true as energy", {"players": {"red_1": {"energy": True}}}, "players.red_1.energy"),
    ("energy below the order", {"players": {"red_1": {"energy": 4}}}, "players.red_1.energy"),
    ("an unknown place", {"players": {"blue_1": {"location": "Atlantis"}}}, "players.blue_1"),
    ("an active player nowhere", {"players": {"blue_1": {"location": None}}}, "players.blue_1.location"),
    ("an expelled player somewhere", {"players": {"blue_1": {"status": "expelled"}}}, "players.blue_1.location"),
    ("a player with half her fields", {"players": {"new": {"team": "red"}}}, "players.new"),
    ("a player with a field too many", {"players": {"red_1": {"horse": 1}}}, "players.red_1"),
    ("energized in a turn to come", {"players": {"red_1": {"energized_turn": 9}}}, "players.red_1.energized_turn"),
    ("a commander nobody knows", {"teams": {"red": {"commanders": ["who"]}}}, "teams.red"),
    ("commanders out of order", {"teams": {"red": {"commanders": ["red_2", "red_1"]}}}, "teams.red.commanders"),
    ("a poll of another name", {"polls": {"red_1": _game().canonical["polls"]["red-1"]}}, "polls.red_1"),
    ("a protected place nobody knows", {"teams": {"red": {"shield": {"protected": ["Q"]}}}}, "teams.red.shield"),
)


@pytest.mark.parametrize(("changes", "place"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_malformed_state_is_refused_with_its_place(changes: dict[str, Any], place: str) -> None:
    game = _game()
    with pytest.raises(ValueError, match=f"^{place}"):
        game.give(**changes)


def test_a_streak_patched_into_a_state_counts_on() -> None:
    game = _game()
    game.close()
    game.give(players={"blue_1": {"streak": 4}})
    assert game.say("blue_1", "energize") == "accepted"
    assert game.of("energized")[0]["streak"] == 5
