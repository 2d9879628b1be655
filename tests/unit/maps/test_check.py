"""What GXC calls bad_map is refused, naming the territory and what would have been right."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shared.maps.check import check_map, map_of_territories, parse_map, read_map
from shared.maps.model import MapError


def good() -> dict[str, Any]:
    return {
        "name": "Two",
        "licence": "",
        "source": "",
        "width": 10,
        "height": 10,
        "territories": {
            "a": {"name": "A", "neighbours": ["b"], "centroid": {"x": 1, "y": 1}, "special": None},
            "b": {"name": "B", "neighbours": ["a"], "centroid": {"x": 5, "y": 5}, "special": "medical"},
        },
        "sea_links": [["a", "b"]],
        "shapes": {"a": [[0, 0, 2, 0, 2, 2]]},
    }


def test_a_good_map_is_read() -> None:
    board = check_map(good(), "two.json")
    assert list(board.territories) == ["a", "b"]
    assert board.territories["b"].special == "medical"
    assert board.shapes == {"a": ((0, 0, 2, 0, 2, 2),)}


def test_a_map_may_have_several_parts() -> None:
    """GXC-114."""
    document = good()
    document["sea_links"] = []
    for territory in document["territories"].values():
        territory["neighbours"] = []
    assert len(check_map(document, "parts.json").territories) == 2


FAULTS: list[tuple[str, Callable[[dict[str, Any]], object], str, str]] = [
    ("one-sided edge", lambda t: t["b"].update(neighbours=[]), "territory 'a'", "add 'a' to the neighbours of 'b'"),
    ("unknown neighbour", lambda t: t["a"].update(neighbours=["b", "z"]), "territory 'a'", "'z'"),
    ("itself", lambda t: t["a"].update(neighbours=["a", "b"]), "territory 'a'", "another territory"),
    ("twice", lambda t: t["a"].update(neighbours=["b", "b"]), "territory 'a': neighbours", "stands once"),
    ("number", lambda t: t["a"].update(neighbours=[1]), "territory 'a': neighbours[0]", "the id of a territory"),
    ("no list", lambda t: t["a"].update(neighbours="b"), "territory 'a': neighbours", "must be a list"),
    ("no centroid", lambda t: t["b"].pop("centroid"), "territory 'b'", "lacks 'centroid'"),
    ("half a centroid", lambda t: t["b"].update(centroid={"x": 1}), "territory 'b': centroid", "lacks 'y'"),
    ("fraction", lambda t: t["b"].update(centroid={"x": 1, "y": 1.5}), "territory 'b': centroid.y", "an integer"),
    ("true", lambda t: t["b"].update(centroid={"x": True, "y": 1}), "territory 'b': centroid.x", "an integer"),
    ("far away", lambda t: t["b"].update(centroid={"x": 10**9, "y": 1}), "territory 'b': centroid.x", "1000000"),
    ("unknown special", lambda t: t["b"].update(special="swamp"), "territory 'b': special", "radioactive"),
    ("no special", lambda t: t["b"].pop("special"), "territory 'b'", "lacks 'special'"),
    ("no name", lambda t: t["b"].update(name=""), "territory 'b': name", "1 to 100"),
    ("unknown key", lambda t: t["b"].update(owner="red"), "territory 'b'", "'owner'"),
    ("bad id", lambda t: t.update({"b c": t["b"]}), "territory 'b c'", "A-Z"),
    ("no territory", lambda t: t.clear(), "territories", "at least one"),
]


@pytest.mark.parametrize(("change", "place", "reason"), [fault[1:] for fault in FAULTS], ids=[f[0] for f in FAULTS])
def test_each_bad_map_is_refused_naming_the_territory(
    change: Callable[[dict[str, Any]], object], place: str, reason: str
) -> None:
    document = good()
    change(document["territories"])
    with pytest.raises(MapError) as refused:
        check_map(document, "bad.json")
    assert refused.value.file == "bad.json"
    assert refused.value.place == place
    assert reason in refused.value.reason


@pytest.mark.parametrize(
    ("key", "value", "place", "reason"),
    [
        ("width", 0, "width", "from 1"),
        ("height", "10", "height", "an integer"),
        ("name", "", "name", "1 to 100"),
        ("wraps", 1, "wraps", "true or false"),
        ("territories", [], "territories", "an object"),
        ("sea_links", [["a", "z"]], "sea_links[0][1]", "'z'"),
        ("sea_links", [["a"]], "sea_links[0]", "two territories"),
        ("sea_links", [["a", "a"]], "sea_links[0]", "no neighbours"),
        ("sea_links", [["a", "b"], ["b", "a"]], "sea_links[1]", "second time"),
        ("shapes", {"z": []}, "shapes.z", "'z'"),
        ("shapes", {"a": [[0, 0, 1, 1]]}, "shapes.a[0]", "6 or more integers"),
        ("shapes", {"a": [[0, 0, 1, 1, 2, 2, 3]]}, "shapes.a[0]", "6 or more integers"),
        ("shapes", {"a": [[0, 0, 1, 1, 2, 2.5]]}, "shapes.a[0]", "6 or more integers"),
        ("owner", "red", "the whole file", "'owner'"),
    ],
)
def test_each_fault_outside_the_territories_is_refused_with_its_place(
    key: str, value: object, place: str, reason: str
) -> None:
    with pytest.raises(MapError) as refused:
        check_map({**good(), key: value}, "bad.json")
    assert refused.value.place == place
    assert reason in refused.value.reason


@pytest.mark.parametrize(
    ("data", "place", "reason"),
    [
        (b'{"name":\n  "x",,}', "line 2, column 7", "no JSON"),
        (b"", "line 1, column 1", "no JSON"),
        (b'{"name": "\xff"}', "byte 10", "UTF-8"),
        (b'{"width": NaN}', "the whole file", "NaN"),
        (b'{"a": 1, "a": 2}', "the whole file", "'a' twice"),
        (b"[" * 100_000, "the whole file", "nested too deeply"),
        (b"1" * 5000, "the whole file", "too many digits"),
        (b"[]", "the whole file", "an object"),
    ],
)
def test_a_file_that_is_no_json_is_refused_with_line_and_column(data: bytes, place: str, reason: str) -> None:
    with pytest.raises(MapError) as refused:
        parse_map(data, "broken.json")
    assert refused.value.place == place
    assert reason in refused.value.reason


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(MapError, match=r"none\.json: the whole file: cannot be read"):
        read_map(tmp_path / "none.json")


def test_the_territories_of_a_game_alone_are_a_map() -> None:
    territories = good()["territories"]
    territories["a"]["centroid"] = {"x": -5, "y": 0}
    board = map_of_territories(territories, "game g1")
    assert board.territories_document() == territories
    with pytest.raises(MapError, match="game g1: territories: is empty"):
        map_of_territories({}, "game g1")
