"""Values that a game's config may take, in the forms that several games have (ENG-12)."""

from typing import Any

import pytest

from shared.rules.config_values import DAY, HOUR, SECOND, PlainKeys, fault_of_duration, milliseconds_of

KEYS = PlainKeys({"ranks": (0, 3)}, {"mode": ("linear", "compound")}, ("public",), frozenset({"ranks", "pick_hours"}))


@pytest.mark.parametrize(
    ("value", "unit", "milliseconds"),
    [
        (1, HOUR, 3_600_000),
        (7, DAY, 604_800_000),
        (365, DAY, 31_536_000_000),
        (60, SECOND, 60_000),
        (10, SECOND, 10_000),
        ({"seconds": 90}, DAY, 90_000),
    ],
)
def test_a_duration_is_given_in_the_unit_of_its_key_or_in_seconds(value: Any, unit: int, milliseconds: int) -> None:
    assert fault_of_duration("config.x", value, unit) is None
    assert milliseconds_of(value, unit) == milliseconds


@pytest.mark.parametrize(
    ("value", "unit", "told"),
    [
        (0, HOUR, "config.x must be an integer from 1 to 8760, or"),
        (366, DAY, "config.x must be an integer from 1 to 365, or"),
        (9, SECOND, "config.x must be an integer from 10 to 31536000, or"),
        (True, HOUR, "config.x must be an integer from 1"),
        ({"seconds": 9}, DAY, "config.x.seconds must be an integer from 10 to 31536000"),
        ({"minutes": 9}, DAY, '{"seconds": n}'),
        (None, HOUR, "config.x must be an integer"),
    ],
)
def test_another_duration_is_told_what_would_be_right(value: Any, unit: int, told: str) -> None:
    assert told in (fault_of_duration("config.x", value, unit) or "")


@pytest.mark.parametrize(
    ("key", "value"), [("ranks", 0), ("ranks", None), ("mode", "compound"), ("public", False), ("pick_hours", None)]
)
def test_a_value_of_the_table_is_without_fault(key: str, value: Any) -> None:
    assert KEYS.decides(key, value)
    assert KEYS.fault(f"config.{key}", key, value) is None


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("ranks", 4, "config.ranks must be an integer from 0 to 3"),
        ("ranks", True, "config.ranks must be an integer from 0 to 3"),
        ("mode", None, "config.mode must be one of linear, compound"),
        ("public", 1, "config.public must be true or false"),
    ],
)
def test_another_value_is_told_what_would_be_right(key: str, value: Any, told: str) -> None:
    assert KEYS.decides(key, value)
    assert KEYS.fault(f"config.{key}", key, value) == told


@pytest.mark.parametrize(("key", "value"), [("pick_hours", 4), ("classes", {})])
def test_what_the_table_does_not_know_is_left_to_the_game(key: str, value: Any) -> None:
    assert not KEYS.decides(key, value)
