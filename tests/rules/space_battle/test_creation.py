"""The creation of a War Room: form, hangars, and every key of the configuration (section 2, SPB-14, SPB-20)."""

from typing import Any

import pytest

from shared.canonical import canonical
from shared.rules.interface import Event, Input, Refusal, Role
from shared.rules.space_battle import RULES
from shared.rules.space_battle.config import Config
from shared.rules.space_battle.tables import CLASSES, table_form

HANGAR: dict[str, Any] = {"hangar": {"space_base": 1, "scout": 8}}
TWO = {"ana": HANGAR, "bia": HANGAR}


def create(role: Role = "operator", **payload: Any) -> list[Event] | Refusal:
    """The events of a creation, or why there is none."""
    made = RULES.initial(Input("c", "g", "operator", role, "create_game", payload, "", 0, 1))
    return made if isinstance(made, Refusal) else made[1]


def code(**config: Any) -> str:
    """What becomes of a creation with this configuration."""
    made = create(players=TWO, config=config)
    return made.code if isinstance(made, Refusal) else "accepted"


def test_a_war_room_is_announced_with_its_whole_configuration_and_whole_hangars() -> None:
    made = create(players=TWO, config={"rows": 7})
    assert not isinstance(made, Refusal)
    created, entered = made
    assert created.data == {"config": {**Config().canonical(), "rows": 7}, "players": 2}
    assert entered.data["hangars"]["bia"] == {**dict.fromkeys(CLASSES, 0), "space_base": 1, "scout": 8}


def test_many_players_come_in_parts() -> None:
    made = create(players={f"p{number}": HANGAR for number in range(401)})
    assert not isinstance(made, Refusal)
    assert [len(event.data["hangars"]) for event in made[1:]] == [200, 200, 1]
    assert max(len(canonical(event.data)) for event in made) < 100_000


@pytest.mark.parametrize(
    ("payload", "wanted"),
    [
        ({}, "malformed"),
        ({"players": {}}, "malformed"),
        ({"players": {"ana": HANGAR}}, "malformed"),
        ({"players": {"ana": HANGAR, "b b": HANGAR}}, "malformed"),
        ({"players": {"ana": HANGAR, "bia": {"hangar": {"scout": -1}}}}, "malformed"),
        ({"players": {"ana": HANGAR, "bia": {"hangar": {"submarine": 1}}}}, "unknown_id"),
        ({"players": TWO, "config": {"rows": 0}}, "bad_config"),
    ],
)
def test_what_is_wrong_with_a_creation(payload: dict[str, Any], wanted: str) -> None:
    made = create(**payload)
    assert isinstance(made, Refusal)
    assert made.code == wanted


def test_an_operator_creates_games() -> None:
    made = create("player", players=TWO)
    assert isinstance(made, Refusal)
    assert made.code == "not_authorised"


ALLOWED: tuple[tuple[str, Any], ...] = (
    ("rows", 26),
    ("columns", 26),
    ("base_row", 9),
    ("challenger_ranks", [1]),
    ("defender_ranks", [11, 12, 13]),
    ("mine_ranks", []),
    ("mines_per_player", 0),
    ("challenge_fleet", 1),
    ("move_seconds", 10),
    ("move_seconds", {"seconds": 31_536_000}),
    ("warning_seconds", 0),
    ("warning_seconds", 60),
    ("warning_seconds", {"seconds": 10}),
    ("falloff_pct", 0),
    ("falloff_pct", 100),
    ("falloff_mode", "compound"),
    ("out_of_range", "waste"),
    ("mine_effect", "damage"),
    ("mine_power", 1),
    ("shots_detonate_mines", True),
    ("first_mover", "random"),
    ("forfeits_until_surrender", 0),
    ("quiet_moves_draw", None),
    ("quiet_moves_draw", 1),
    ("deploy_seconds", {"seconds": 10}),
    ("no_show", "surrender"),
    ("challenge_expires_hours", {"seconds": 10}),
    ("surrender_experience", 0),
    ("win_experience", -5),
    ("base_loss_forfeits_fleet", True),
    ("classes", table_form(CLASSES)),
)
REFUSED: tuple[tuple[str, Any], ...] = (
    ("rows", 27),
    ("rows", True),
    ("columns", 12),
    ("base_row", 10),
    ("challenger_ranks", []),
    ("challenger_ranks", [0, 1]),
    ("challenger_ranks", [1, 1]),
    ("challenger_ranks", [12]),
    ("defender_ranks", "12"),
    ("mine_ranks", [14]),
    ("mines_per_player", -1),
    ("challenge_fleet", 0),
    ("move_seconds", 9),
    ("move_seconds", {"seconds": 9}),
    ("move_seconds", {"minutes": 1}),
    ("warning_seconds", -1),
    ("warning_seconds", 61),
    ("falloff_pct", 101),
    ("falloff_mode", "square"),
    ("out_of_range", True),
    ("mine_effect", "none"),
    ("mine_power", 0),
    ("shots_detonate_mines", 1),
    ("first_mover", "challenger"),
    ("forfeits_until_surrender", -1),
    ("quiet_moves_draw", 0),
    ("deploy_seconds", 0),
    ("no_show", None),
    ("challenge_expires_hours", 0),
    ("surrender_experience", "-10"),
    ("win_experience", 10**9),
    ("base_loss_forfeits_fleet", None),
    ("classes", []),
    ("classes", {"scout": {"move": 1}}),
    ("classes", {**table_form(CLASSES), "x": table_form(CLASSES)["scout"]}),
    ("speed", 1),
)


@pytest.mark.parametrize(("key", "value"), ALLOWED)
def test_a_value_that_is_allowed(key: str, value: Any) -> None:
    assert code(**{key: value}) == "accepted"


@pytest.mark.parametrize(("key", "value"), REFUSED)
def test_a_value_that_is_not(key: str, value: Any) -> None:
    assert code(**{key: value}) == "bad_config"


def test_every_key_is_tried_both_ways() -> None:
    keys = set(Config().canonical())
    assert {key for key, _ in ALLOWED} == keys
    assert {key for key, _ in REFUSED} == {*keys, "speed"}


def test_ranks_need_a_square_besides_that_of_the_base() -> None:
    assert code(rows=1, base_row=1, challenger_ranks=[1]) == "bad_config"
    assert code(rows=1, base_row=1) == "accepted"
