"""Paths and demands of scenario files."""

from typing import Any

import pytest

from shared.scenarios.paths import ABSENT, holds, look_up, merge

VALUE = {"a": {"1": {"b": [10, {"c": None}]}}, "list": [], "#": 7}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.1.b.0", 10),
        ("a.1.b.1.c", None),
        ("a.1.b.#", 2),
        ("a.#", 1),
        ("list.#", 0),
        ("#", 3),
        ("a.1.b.2", ABSENT),
        ("a.1.b.-1", ABSENT),
        ("a.1.b.x", ABSENT),
        ("a.1.b.0.c", ABSENT),
        ("a.1.b.0.#", ABSENT),
        ("none.#", ABSENT),
    ],
)
def test_a_path_is_dotted_and_ends_in_a_value_or_nothing(path: str, found: Any) -> None:
    assert look_up(VALUE, path) is found or look_up(VALUE, path) == found


@pytest.mark.parametrize(
    ("expected", "actual", "verdict"),
    [
        (None, None, True),
        (None, ABSENT, True),
        (None, 0, False),
        (0, ABSENT, False),
        (1, True, False),
        ([1, 2], (1, 2), True),
        ({"a": 1}, {"a": 1}, True),
        ({"any": True}, None, True),
        ({"any": True}, ABSENT, False),
        ({"hidden": True}, ABSENT, True),
        ({"hidden": True}, None, False),
        ({"not": 1}, 2, True),
        ({"not": 1}, 1, False),
        ({"not": 1}, ABSENT, True),
        ({"not": None}, ABSENT, False),
        ({"not": None}, None, False),
        ({"not": None}, 0, True),
    ],
)
def test_what_a_demand_holds_for(expected: Any, actual: Any, verdict: bool) -> None:
    assert holds(expected, actual) is verdict


def test_maps_are_merged_and_everything_else_replaced() -> None:
    assert merge({"a": {"b": 1, "c": [1, 2]}, "d": None}, {"a": {"c": [3]}, "d": {"e": 1}, "f": None}) == {
        "a": {"b": 1, "c": [3]},
        "d": {"e": 1},
        "f": None,
    }
