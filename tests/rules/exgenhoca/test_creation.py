"""What a creation may hold (section 2, EXG-59, EXG-64): the order of its checks, and what each says."""

from typing import Any

import pytest

from shared.rules.exgenhoca import RULES
from shared.rules.exgenhoca.objectives import numbers_of
from shared.rules.interface import Input, Refusal

NAMES = [f"p{number}" for number in range(20)]


def create(players: int = 2, map_: Any = None, role: Any = "operator", **config: Any) -> Refusal | None:
    payload = {"players": NAMES[:players], "map": map_, "config": config}
    made = RULES.initial(Input("c", "g", role, role, "create_game", payload, "", 0, 1))
    return made if isinstance(made, Refusal) else None


def a_map(**changes: Any) -> dict[str, Any]:
    """Four territories in a row in two continents."""
    territories = {
        "A": {"neighbours": ["B"]},
        "B": {"neighbours": ["A", "C"]},
        "C": {"neighbours": ["B", "D"]},
        "D": {"neighbours": ["C"]},
    }
    continents = {"asia": {"territories": ["A", "B"]}, "europe": {"territories": ["C", "D"]}}
    return {"territories": {**territories, **changes.pop("territories", {})}, "continents": continents, **changes}


SMALL: dict[str, Any] = {
    "shared_territories": 4,
    "objective_set": {"A": {"min_total": 4}, "B": {"continents": ["asia"]}},
}


def test_a_game_on_the_board_of_the_rules_and_one_on_a_map_are_created() -> None:
    assert create() is None
    assert create(map_=a_map(), **SMALL) is None


def test_a_seat_that_is_taken_twice_is_malformed_and_only_operators_create() -> None:
    payload = {"players": ["ana", "ana"], "config": {}}
    made = RULES.initial(Input("c", "g", "operator", "operator", "create_game", payload, "", 0, 1))
    assert isinstance(made, Refusal)
    assert (made.code, made.detail) == ("malformed", "payload.players must name each player once")
    refused = create(role="player")
    assert refused is not None
    assert refused.code == "not_authorised"


@pytest.mark.parametrize("players", [1, 15, 20])
def test_two_to_fourteen_may_play(players: int) -> None:
    refused = create(players)
    assert refused is not None
    assert refused.code == "bad_player_count"


@pytest.mark.parametrize(
    ("map_", "told"),
    [
        (a_map(territories={"D": {"neighbours": []}}), "map.territories.C.neighbours names D, which must name C too"),
        (a_map(territories={"D": {"neighbours": ["C", "Z"]}}), "names Z, which must be another territory of the map"),
        (a_map(territories={"D": {"neighbours": ["C", "D"]}}), "names D, which must be another territory of the map"),
        (a_map(continents={"asia": {"territories": ["A", "B", "C"]}}), "D must lie in a continent"),
        (
            a_map(continents={"asia": {"territories": ["A", "B", "C"]}, "europe": {"territories": ["C", "D"]}}),
            "C must lie in one continent; it is named by asia and europe",
        ),
        (
            {
                "territories": {"A": {"neighbours": []}, "B": {"neighbours": []}},
                "continents": {"asia": {"territories": ["A", "B"]}},
            },
            "map.territories must be connected; B cannot be reached from A",
        ),
        ({"territories": {}, "continents": {}}, "map.territories must hold at least one territory"),
        (a_map(territories={"D": {"neighbours": ["C"], "army": 3}}), "unknown field 'army'"),
    ],
)
def test_a_map_with_a_fault_is_named(map_: Any, told: str) -> None:
    """EXG-59."""
    refused = create(map_=map_, **{**SMALL, "shared_territories": 2})
    assert refused is not None
    assert (refused.code, refused.rule) == ("bad_map", "EXG-59")
    assert told in refused.detail


def test_a_map_with_fewer_territories_than_are_shared_is_refused_before_the_players_are_counted() -> None:
    refused = create(1, map_=a_map())
    assert refused is not None
    assert refused.code == "bad_map"
    assert refused.detail.endswith("at least shared_territories = 28; it holds 4")


def test_players_are_counted_before_the_configuration_is_read() -> None:
    refused = create(1, nonsense=1)
    assert refused is not None
    assert refused.code == "bad_player_count"


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"nonsense": 1}, "config has the unknown key 'nonsense'"),
        ({"round_hours": 0}, "config.round_hours must be an integer from 1"),
        ({"round_hours": {"seconds": 9}}, "config.round_hours.seconds must be an integer from 10"),
        ({"first_round_attacks": True}, "config.first_round_attacks must be an integer"),
        ({"dice": 2}, "config.dice must be 3"),
        ({"europe_on_defence": 1}, "config.europe_on_defence must be true or false"),
        ({"effects": ["P8"]}, "config.effects must be a list of effects"),
        ({"effects": ["P1"] * 15}, "config.effects must hold at most 14 effects"),
        ({"objective_set": "modern"}, "config.objective_set must be one of compact, classic"),
        ({"objective_set": {"A": {"min_total": 9}}}, "config.objective_set must hold at least 2 objectives"),
        ({"objective_set": {"A": {}, "B": {"min_total": 9}}}, "config.objective_set.A must ask for something"),
        (
            {"objective_set": {"A": {"continents": ["atlantis"]}, "B": {"min_total": 9}}},
            "names the continent atlantis, which must be one of the map",
        ),
        ({"scoring": {"continents": {"asia": -1}}}, "config.scoring.continents.asia must be an integer"),
        ({"scoring": {"luck": 1}}, "config.scoring must be an object with keys among"),
        ({"max_rounds": 0}, "config.max_rounds must be an integer from 1"),
    ],
)
def test_a_configuration_with_a_fault_is_named(config: dict[str, Any], told: str) -> None:
    refused = create(**config)
    assert refused is not None
    assert refused.code == "bad_config"
    assert told in refused.detail


def test_the_sets_of_the_rules_need_the_continents_of_the_rules() -> None:
    refused = create(map_=a_map(), shared_territories=4)
    assert refused is not None
    assert refused.code == "bad_config"


@pytest.mark.parametrize(
    ("players", "expected"),
    [(2, (22, 21)), (3, (17, 16)), (4, (15, 14)), (5, (15, 12)), (6, (15, 12)), (14, (15, 12))],
)
def test_what_objectives_ask_for_depends_on_the_number_of_players(players: int, expected: tuple[int, int]) -> None:
    """EXG-62."""
    numbers = numbers_of(28 // players)
    assert (numbers.g, numbers.h) == expected
