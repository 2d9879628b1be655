"""The creation of a game: map, nations without a player, and every key of the configuration (section 2, MAP-105)."""

from typing import Any

import pytest

from shared.rules.interface import Event, Input, Refusal, Role
from shared.rules.map_war import RULES
from shared.rules.map_war.config import Config
from tests.rules.map_war.small import ZONES, running

NIX = {"id": "nix", "zone": "v", "name": "Nix", "color": "#334455"}


def create(role: Role = "operator", **payload: Any) -> list[Event] | Refusal:
    """The events of a creation, or why there is none."""
    given = {"map": {"zones": ZONES}, **payload}
    made = RULES.initial(Input("c", "g", "operator", role, "create_game", given, "", 0, 1))
    return made if isinstance(made, Refusal) else made[1]


def refusal(role: Role = "operator", **payload: Any) -> tuple[str, str]:
    """Code and words of a creation that there is none of."""
    made = create(role, **payload)
    assert isinstance(made, Refusal), made
    return made.code, made.detail


def test_a_game_is_announced_with_its_whole_configuration_its_map_and_the_nations_without_a_player() -> None:
    made = create(players=["ana"], npcs=[NIX], config={"late_join": True})
    assert not isinstance(made, Refusal)
    created, zones, barbaria, nix = made
    assert created.data == {"players": ["ana"], "config": {**Config().canonical(), "late_join": True}, "zones": 5}
    assert {id_: zone["kind"] for id_, zone in zones.data["zones"].items()} == {
        id_: zone["kind"] for id_, zone in ZONES.items()
    }
    assert (barbaria.data["nation"], barbaria.data["kind"], barbaria.data["zone"]) == ("barbaria", "barbaria", None)
    assert (nix.data["nation"], nix.data["kind"], nix.data["zone"]) == ("nix", "npc", "v")


def test_an_operator_creates_games() -> None:
    assert refusal("player")[0] == "not_authorised"


@pytest.mark.parametrize(
    ("payload", "code", "told"),
    [
        ({"map": {}}, "malformed", "payload.map.zones is missing"),
        ({"players": ["ana", "ana"]}, "malformed", "payload.players must name each player once"),
        ({"wish": 1}, "malformed", "wish"),
        ({"players": ["barbaria"]}, "bad_config", "barbaria is the nation Barbaria"),
        ({"npcs": [{**NIX, "id": "barbaria"}]}, "bad_config", "barbaria is the nation Barbaria"),
        ({"players": ["nix"], "npcs": [NIX]}, "bad_config", "npcs must each have an id of their own"),
        ({"npcs": [NIX, {**NIX, "id": "nox"}]}, "bad_config", "npcs must differ in zone"),
        ({"npcs": [NIX, {**NIX, "id": "nox", "zone": "h"}]}, "bad_config", "npcs must differ in color"),
        ({"npcs": [{**NIX, "zone": "x"}]}, "bad_config", "npcs.0.zone must be a zone of the map"),
        ({"npcs": [{**NIX, "color": "#C0C0C0"}]}, "bad_config", "npcs.0.color must be #RRGGBB"),
        (
            {"players": [f"p{number}" for number in range(1_000)], "npcs": [NIX]},
            "bad_config",
            "players and npcs must be at most 1000 together; they are 1001",
        ),
        ({"map": {"zones": {}}}, "bad_map", "map.zones must hold 1 to"),
        (
            {"map": {"zones": {**ZONES, "h": {**ZONES["h"], "neighbours": ["s", "t", "t"]}}}},
            "bad_map",
            "each neighbour once",
        ),
        (
            {"map": {"zones": {**ZONES, "h": {**ZONES["h"], "neighbours": ["h", "s", "t"]}}}},
            "bad_map",
            "another zone of the map",
        ),
        (
            {"map": {"zones": {**ZONES, "v": {**ZONES["v"], "kind": "lake"}}}},
            "bad_map",
            "map.zones.v.kind must be one of",
        ),
    ],
)
def test_a_creation_that_is_wrong_is_told_what_would_be_right(payload: dict[str, Any], code: str, told: str) -> None:
    found = refusal(**payload)
    assert found[0] == code
    assert told in found[1]


ALLOWED: tuple[tuple[str, Any], ...] = (
    ("turn_days", 1),
    ("turn_days", {"seconds": 10}),
    ("fix_days", {"seconds": 60}),
    ("start_stock", {}),
    ("start_stock", {"food": 100, "technology": 0}),
    ("home_resource_bonus", 0),
    ("land_claim_cost", 0),
    ("land_claim_cost", {"resources": 3}),
    ("sea_claim_cost", {"currency": 1, "resources": 2}),
    ("non_adjacent_factor", 1),
    ("defense_multiplier", 4),
    ("defense_build_resources", {"land": [0, 0, 0]}),
    ("reduction_mode", "additive"),
    ("max_support_armies", 0),
    ("max_support_ships", 100),
    ("captured_armies", "captured"),
    ("pollution_affects_tech", False),
    ("riot_base_pct", 100),
    ("riot_step_pct", 0),
    ("barbaria_spread_pct", 0),
    ("barbaria_spread_per", "nation"),
    ("rulerless_protection_turns", 0),
    ("decay_riots", 1),
    ("decay_spread", 1),
    ("npc_ownerless_pct", 0),
    ("inactive_turns_to_rulerless", None),
    ("inactive_turns_to_rulerless", 1),
    ("trade_food_pct", 0),
    ("trade_currency_pct", 1000),
    ("trade_resource_pct", 1000),
    ("trade_currency_cap", 0),
    ("trade_resource_cap", 0),
    ("sale_food", [0, 1]),
    ("sale_resource", [1, 1]),
    ("sale_zone", [3, 2]),
    ("sale_zone", [1_000_000, 100_000]),
    ("unit_value", 0),
    ("unit_value", 10_000),
    ("sale_payer", "bank"),
    ("open_submissions", False),
    ("late_join", True),
)
REFUSED: tuple[tuple[str, Any], ...] = (
    ("turn_days", 0),
    ("turn_days", {"seconds": 9}),
    ("fix_days", None),
    ("start_stock", {"gold": 1}),
    ("start_stock", {"food": -1}),
    ("home_resource_bonus", -1),
    ("land_claim_cost", -1),
    ("land_claim_cost", {"food": 1}),
    ("sea_claim_cost", [500, 500]),
    ("non_adjacent_factor", 0),
    ("non_adjacent_factor", 1_001),
    ("defense_multiplier", 0),
    ("defense_multiplier", 1_001),
    ("defense_build_resources", {"land": [1, 2]}),
    ("defense_build_resources", {"air": [1, 2, 3]}),
    ("defense_build_resources", {"water": [1, 2, -3]}),
    ("reduction_mode", "none"),
    ("max_support_armies", 101),
    ("max_support_ships", -1),
    ("captured_armies", True),
    ("pollution_affects_tech", 1),
    ("riot_base_pct", 101),
    ("riot_step_pct", -1),
    ("barbaria_spread_pct", 101),
    ("barbaria_spread_per", "piece"),
    ("rulerless_protection_turns", -1),
    ("decay_riots", 0),
    ("decay_spread", 0),
    ("npc_ownerless_pct", "2"),
    ("inactive_turns_to_rulerless", 0),
    ("trade_food_pct", -1),
    ("trade_currency_pct", 1001),
    ("trade_resource_pct", None),
    ("trade_currency_cap", -1),
    ("trade_resource_cap", "all"),
    ("sale_food", 1),
    ("sale_resource", [1, 0]),
    ("sale_zone", [1, 2, 3]),
    ("sale_food", [1_000_000, 1]),
    ("sale_zone", [31, 3]),
    ("unit_value", -1),
    ("unit_value", 10_001),
    ("sale_payer", "seller"),
    ("open_submissions", None),
    ("late_join", 0),
    ("speed", 1),
)


@pytest.mark.parametrize(("key", "value"), ALLOWED)
def test_a_value_that_is_allowed(key: str, value: Any) -> None:
    assert not isinstance(create(config={key: value}), Refusal)


@pytest.mark.parametrize(("key", "value"), REFUSED)
def test_a_value_that_is_not_is_named(key: str, value: Any) -> None:
    code, told = refusal(config={key: value})
    assert code == "bad_config"
    assert key in told


def test_every_key_is_tried_both_ways() -> None:
    keys = set(Config().canonical())
    assert {key for key, _ in ALLOWED} == keys
    assert {key for key, _ in REFUSED} == {*keys, "speed"}


SALE = {"order": "sale", "good": "food", "amount": 1_000}
QUOTED: tuple[tuple[str, Any, dict[str, Any], Any], ...] = (
    ("land_claim_cost", 700, {"order": "claim", "zone": "v"}, {"currency": 2_100, "resources": 0}),
    ("sea_claim_cost", {"resources": 1}, {"order": "claim", "zone": "s"}, {"currency": 500, "resources": 1}),
    ("non_adjacent_factor", 1, {"order": "conquest", "zone": "u"}, {"currency": 1_000, "resources": 300}),
    ("sale_food", [1, 2], SALE, 500),
    ("sale_resource", [1, 4], {**SALE, "good": "resources"}, 250),
    ("unit_value", 300, SALE, 2_250),
)


@pytest.mark.parametrize(("key", "value", "question", "price"), QUOTED)
def test_a_key_with_a_price_changes_the_price(key: str, value: Any, question: dict[str, Any], price: Any) -> None:
    told = []
    for config in ({}, {key: value}):
        answer = RULES.advise(running(**config).view("ana"), {"type": "quote", **question})
        assert not isinstance(answer, Refusal), answer
        told.append(answer["cost"] if "cost" in answer else answer["price"])
    assert told[1] == price
    assert told[0] != price
