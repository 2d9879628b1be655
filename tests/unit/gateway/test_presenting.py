"""What a page shows of a view."""

import pytest

from services.gateway.presenting import moment, table_of
from shared.canonical import MAX_INTEGER


@pytest.mark.parametrize(
    ("milliseconds", "machine"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (1_767_225_600_999, "2026-01-01T00:00:00Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59Z"),
        (253_402_300_800_000, "9999-12-31T23:59:59Z"),
        (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
        (-62_135_596_800_001, "0001-01-01T00:00:00Z"),
        (MAX_INTEGER, "9999-12-31T23:59:59Z"),
        (-MAX_INTEGER, "0001-01-01T00:00:00Z"),
        (10**40, "9999-12-31T23:59:59Z"),
    ],
)
def test_every_integer_is_a_moment(milliseconds: int, machine: str) -> None:
    assert moment(milliseconds).machine == machine


def test_a_moment_outside_of_the_calendar_says_so() -> None:
    assert moment(10**15).text == "after the year 9999"
    assert moment(-(10**15)).text == "before the year 1"


def test_an_id_that_a_thing_is_kept_by_is_one_column() -> None:
    table = table_of("zones", {"a": {"id": "a", "city_max": 3}, "b": {"id": "b", "city_max": 0}}, {})
    assert table is not None
    assert (table.columns, table.rows) == (("Id", "City max"), [("a", 3), ("b", 0)])
