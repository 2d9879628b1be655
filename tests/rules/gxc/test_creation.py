"""What a creation must be (section 4 of the rules), and how it is announced."""

from collections.abc import Callable
from typing import Any

import pytest

from shared.rules.gxc import RULES
from shared.rules.interface import Input, Refusal
from tests.rules.gxc.play import Game, creation, territory


def _answer(create: dict[str, Any], role: Any = "operator") -> Refusal:
    answer = RULES.initial(Input("create", "g", "somebody", role, "create_game", create, "", 0, 1))
    assert isinstance(answer, Refusal)
    return answer


MAP = {"T": territory("U"), "U": territory("T")}
TEAMS = {"red": ["T"], "blue": ["U"]}

BAD_MAPS: tuple[tuple[str, dict[str, Any], dict[str, list[str]], str], ...] = (
    ("no territory", {}, {"red": []}, "at least one territory"),
    ("a one-sided edge", {**MAP, "U": territory()}, TEAMS, "must name T in turn"),
    ("an edge to nowhere", {**MAP, "V": territory("Atlantis")}, TEAMS, "Atlantis"),
    ("an edge to itself", {**MAP, "V": territory("V")}, TEAMS, "V itself"),
    ("an edge twice", {**MAP, "T": territory("U", "U")}, TEAMS, "at most once"),
    ("no centroid", {**MAP, "V": {"name": "V", "neighbours": []}}, TEAMS, "centroid"),
    ("half a centroid", {**MAP, "V": {**territory(), "centroid": {"x": 1}}}, TEAMS, "integers x and y"),
    ("a centroid of text", {**MAP, "V": {**territory(), "centroid": {"x": 1, "y": "2"}}}, TEAMS, "integers x and y"),
    ("an unknown special", {**MAP, "V": territory(special="swamp")}, TEAMS, "transport"),
    ("an unknown field", {**MAP, "V": {**territory(), "height": 3}}, TEAMS, "name, neighbours, centroid and special"),
    ("a team on unknown land", MAP, {"red": ["T", "Atlantis"]}, "Atlantis"),
    ("no team", MAP, {}, "at least two teams"),
    ("no rival", MAP, {"red": ["T", "U"], "blue": []}, "at least two teams"),
    ("two owners", MAP, {"red": ["T"], "blue": ["U", "T"]}, "one owner"),
)


@pytest.mark.parametrize(("territories", "teams", "said"), [row[1:] for row in BAD_MAPS], ids=[r[0] for r in BAD_MAPS])
def test_a_bad_map_is_refused_with_the_territory(
    territories: dict[str, Any], teams: dict[str, list[str]], said: str
) -> None:
    answer = _answer(creation(territories, teams))
    assert answer.code == "bad_map"
    assert said in answer.detail


class Unsearched(list[str]):
    """A list of neighbours in which nothing is looked for: it would be searched once for every neighbour."""

    def __contains__(self, item: object) -> bool:
        raise AssertionError(f"searched for {item}")


def _dense(count: int) -> dict[str, Any]:
    """A map in which all territories are neighbours of all."""
    names = [f"t{number:03d}" for number in range(count)]
    others = {name: Unsearched(other for other in names if other != name) for name in names}
    return {name: {**territory(), "neighbours": others[name]} for name in names}


def test_checking_a_map_takes_as_long_as_it_has_borders() -> None:
    game = Game(creation(_dense(40), {"red": ["t000"], "blue": ["t001"]}))
    assert len(game.state.board.ids) == 40


@pytest.mark.parametrize(
    ("territories", "said"),
    [
        (lambda: _dense(448), "at most 100000 pairs of neighbours; it has 100128"),
        (lambda: {f"t{number}": territory() for number in range(20_001)}, "at most 20000 territories; it holds 20001"),
    ],
    ids=["too many borders", "too many territories"],
)
def test_a_map_that_would_hold_everybody_up_is_refused(territories: Callable[[], dict[str, Any]], said: str) -> None:
    answer = _answer(creation(territories(), {"red": []}))
    assert answer.code == "bad_map"
    assert said in answer.detail


BAD_CONFIGS: tuple[dict[str, Any], ...] = (
    {"turn_hour": 24},
    {"turn_hours": 0},
    {"turn_hours": 8761},
    {"turn_hours": {"seconds": 9}},
    {"turn_hours": {"minutes": 90}},
    {"base_energy": -1},
    {"base_energy": True},
    {"base_energy": "10"},
    {"last_turn": 0},
    {"duel_mode": "chess"},
    {"duel_mode": ["per_energy"]},
    {"defender_pct": {"normal": 101}},
    {"defender_pct": {"swamp": 50}},
    {"defender_pct": 55},
    {"self_nomination": 1},
    {"shield_vote_pct": 0},
    {"recruitment_turns": None},
)


@pytest.mark.parametrize("config", BAD_CONFIGS, ids=str)
def test_a_bad_config_is_refused_with_its_key(config: dict[str, Any]) -> None:
    answer = _answer(creation(MAP, TEAMS, config))
    assert answer.code == "bad_config"
    assert next(iter(config)) in answer.detail


def test_an_assignment_to_an_unknown_team_is_bad_config() -> None:
    answer = _answer(creation(MAP, TEAMS, assignments={"r1": "pink"}))
    assert (answer.code, "assignments.r1" in answer.detail) == ("bad_config", True)


def test_only_operators_create_games_and_form_comes_first() -> None:
    assert _answer(creation(MAP, TEAMS), "player").code == "not_authorised"
    assert _answer({"map": {}}, "player").code == "malformed"
    assert _answer({**creation(MAP, TEAMS), "turns": 3}).code == "malformed"


def test_the_map_is_announced_in_parts_that_hold_every_territory_once() -> None:
    names = [f"t{number:04d}" for number in range(1203)]
    territories = {name: territory(x=number) for number, name in enumerate(names)}
    game = Game(creation(territories, {"red": names[:600], "blue": names[600:1200]}))
    created, parts = game.of("game_created")[0], game.of("map_territories")
    assert created["territories"] == 1203
    assert [name for part in parts for name in part["territories"]] == names
    assert max(len(part["territories"]) for part in parts) <= 500
    assert parts[0]["territories"]["t0000"]["owner"] == "red"
    assert parts[-1]["territories"]["t1202"]["owner"] is None


def test_assignments_are_announced_to_operators_alone() -> None:
    game = Game(creation(MAP, TEAMS, {"team_choice": "assigned"}, assignments={"r1": "red"}))
    (event,) = [event for event in game.events if event.type == "teams_assigned"]
    assert event.to == ()
    assert game.say("r1", "join", team="blue") == "team_assigned"
    assert game.say("r2", "join", team="red") == "team_assigned"
    assert game.say("r1", "join", team="red") == "accepted"
