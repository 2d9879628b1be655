"""All faults of a form: where each is, the first being the one for which a command is refused."""

from typing import Any

import pytest

from shared.rules.shapes import Array, Choice, Id, Integer, Keyed, Maybe, Object, OneOf, Shape, fault, faults

_ITEM = Object({"zone": Id(), "count": Integer(1)}, frozenset({"count"}))
FORM = Object({"items": Array(_ITEM, 3), "where": Keyed(Id()), "to": Maybe(Choice(("a", "b")))}, frozenset({"to"}))


@pytest.mark.parametrize(
    ("shape", "value", "places"),
    [
        (FORM, {"items": [], "where": {}}, []),
        (FORM, 7, [""]),
        (FORM, {"items": [], "where": {}, "wish": 1, "hope": 2}, ["", ""]),
        (FORM, {}, ["items", "where"]),
        (FORM, {"items": [{"zone": "a"}] * 4, "where": [], "to": "c"}, ["items", "where", "to"]),
        (
            FORM,
            {"items": [{"zone": "a", "count": 0}, 3, {}], "where": {}},
            ["items.0.count", "items.1", "items.2.zone"],
        ),
        (FORM, {"items": [{"zone": "a"}], "where": {"a": "b", "c": "?"}, "to": None}, ["where"]),
        (Array(OneOf((Integer(), Id()))), [1, "a", "?", None], ["2", "3"]),
    ],
)
def test_each_fault_has_its_place(shape: Shape, value: Any, places: list[str]) -> None:
    found = list(faults(shape, value))
    assert [place for place, _ in found] == places
    assert fault(shape, value) == (found[0][1] if found else None)
    for place, told in found:
        assert told.startswith(f"payload.{place}" if place else "payload")
