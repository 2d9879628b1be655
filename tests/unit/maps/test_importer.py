"""Outline files become maps: neighbours from shared borders, integer centroids, names, ids, sea links."""

from pathlib import Path
from typing import Any

import pytest

from shared.maps.check import read_map
from shared.maps.importer import import_map, write_map
from shared.maps.model import Map, MapError
from tests.unit.maps.outline_files import geojson, topojson, write


def imported(folder: Path, outlines: object, links: object = None, **options: Any) -> Map:
    links_path = None if links is None else write(folder, "links.json", links)
    return import_map(write(folder, "outlines.json", outlines), links_path, name="Test", plan=True, **options)


def neighbours(board: Map) -> dict[str, tuple[str, ...]]:
    return {territory_id: territory.neighbours for territory_id, territory in board.territories.items()}


def test_topojson_and_geojson_of_the_same_areas_give_the_same_map(tmp_path: Path) -> None:
    from_geojson = imported(tmp_path, geojson())
    assert neighbours(from_geojson) == {"east": ("middle",), "middle": ("east", "west"), "west": ("middle",)}
    for quantised in (False, True):
        from_topojson = imported(tmp_path, topojson(quantised=quantised))
        assert from_topojson.territories == from_geojson.territories
        assert (from_topojson.width, from_topojson.height) == (from_geojson.width, from_geojson.height)


def test_a_single_common_point_is_no_border(tmp_path: Path) -> None:
    square = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]
    corner = [[10, 10], [20, 10], [20, 20], [10, 20], [10, 10]]
    outlines = {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "properties": {"name": name}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
            for name, ring in (("A", square), ("B", corner))
        ],
    }
    assert neighbours(imported(tmp_path, outlines)) == {"a": (), "b": ()}


def test_an_arc_of_a_single_point_is_no_border(tmp_path: Path) -> None:
    topology = topojson(quantised=False)
    west, _, east = topology["objects"]["areas"]["geometries"]
    topology["arcs"].append([[10.0, 10.0]])
    topology["arcs"].append([[30.0, 10.0]])
    west["arcs"] = [[7, 0, 1]]
    east["geometries"][0]["arcs"] = [[[5, ~2]], [[6]]]
    assert neighbours(imported(tmp_path, topology))["west"] == ("middle",)


def test_centroids_are_integers_of_the_largest_part_with_y_downwards(tmp_path: Path) -> None:
    board = imported(tmp_path, geojson(), width=440)
    assert (board.width, board.height) == (440, 100)
    assert {key: (each.x, each.y) for key, each in board.territories.items()} == {
        "west": (50, 50),
        "middle": (150, 50),
        "east": (250, 50),
    }
    assert board.shapes["west"] == ((0, 0, 100, 0, 100, 100, 0, 100),)


def test_a_centroid_outside_its_crescent_is_moved_inside(tmp_path: Path) -> None:
    crescent = [[0, 0], [30, 0], [30, 30], [0, 30], [0, 28], [28, 28], [28, 2], [0, 2], [0, 0]]
    outlines = {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "properties": {"name": "C"}, "geometry": {"type": "Polygon", "coordinates": [crescent]}}
        ],
    }
    found = imported(tmp_path, outlines, width=300).territories["c"]
    assert found.y < 20 or found.y > 280 or found.x > 280


def test_ids_come_from_names_or_from_a_property(tmp_path: Path) -> None:
    outlines = geojson()
    outlines["features"][0]["properties"]["name"] = "Côte d'Ouest & Co."
    assert sorted(imported(tmp_path, outlines).territories) == ["cote-d-ouest-co", "east", "middle"]
    assert sorted(imported(tmp_path, outlines, id_property="code").territories) == ["x0", "x1", "x2"]
    assert sorted(imported(tmp_path, outlines, id_property="id").territories) == ["0", "1", "2"]


def test_links_add_sea_links_specials_and_names_and_drop_territories(tmp_path: Path) -> None:
    links = {
        "sea_links": [["west", "east"]],
        "specials": {"west": "fortified"},
        "names": {"east": "Far East"},
        "drop": ["middle"],
        "licence": "free",
        "source": "drawn",
    }
    board = imported(tmp_path, geojson(), links)
    assert neighbours(board) == {"east": ("west",), "west": ("east",)}
    assert board.sea_links == (("east", "west"),)
    assert board.territories["west"].special == "fortified"
    assert board.territories["east"].name == "Far East"
    assert (board.licence, board.source) == ("free", "drawn")


def test_a_written_map_reads_back_as_the_same_map(tmp_path: Path) -> None:
    board = imported(tmp_path, topojson(quantised=True), {"sea_links": [["east", "west"]]})
    write_map(board, tmp_path / "map.json")
    again = read_map(tmp_path / "map.json")
    assert again == board
    assert (tmp_path / "map.json").read_bytes() == again.canonical + b"\n"


def test_a_named_layer_is_taken(tmp_path: Path) -> None:
    topology = topojson(quantised=False)
    topology["objects"]["outline"]["properties"] = {"name": "Whole"}
    assert sorted(imported(tmp_path, topology, layer="outline").territories) == ["whole"]


@pytest.mark.parametrize(
    ("links", "place", "reason"),
    [
        ({"sea_links": [["west", "mars"]]}, "sea_links[0][1]", "'mars'"),
        ({"sea_links": [["west", "midle"]]}, "sea_links[0][1]", "meant 'middle'?"),
        ({"sea_links": [["west", "west"]]}, "sea_links[0]", "to itself"),
        ({"sea_links": [["west"]]}, "sea_links[0]", "two territories"),
        ({"sea_links": [["west", "east"], ["east", "west"]]}, "sea_links[1]", "second time"),
        ({"sea_links": [["west", "middle"]]}, "territory 'middle'", "land border"),
        ({"specials": {"west": "swamp"}}, "specials.west", "high_ground"),
        ({"specials": {"mars": "medical"}}, "specials.mars", "'mars'"),
        ({"drop": ["mars"]}, "drop[0]", "'mars'"),
        ({"names": {"west": ""}}, "names.west", "1 to 100"),
        ({"bridges": []}, "the whole file", "'bridges'"),
    ],
)
def test_a_faulty_links_file_is_refused_with_place_and_reason(
    tmp_path: Path, links: object, place: str, reason: str
) -> None:
    with pytest.raises(MapError) as refused:
        imported(tmp_path, geojson(), links)
    assert refused.value.place == place
    assert reason in refused.value.reason


def with_feature(change: dict[str, Any]) -> dict[str, Any]:
    outlines = geojson()
    outlines["features"][1] = {**outlines["features"][1], **change}
    return outlines


@pytest.mark.parametrize(
    ("outlines", "place", "reason"),
    [
        ({"type": "Feature"}, "type", "FeatureCollection"),
        ({"type": "FeatureCollection"}, "the whole file", "'features'"),
        ({"type": "FeatureCollection", "features": []}, "the whole file", "at least one territory"),
        (with_feature({"geometry": {"type": "Point", "coordinates": [0, 0]}}), "features[1].geometry.type", "Polygon"),
        (with_feature({"geometry": None}), "features[1].geometry", "an object"),
        (
            with_feature({"geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, 0]]]}}),
            "features[1].geometry.coordinates[0]",
            "at least 3",
        ),
        (
            with_feature({"geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, "1"], [0, 2]]]}}),
            "features[1].geometry.coordinates[0][1]",
            "a number",
        ),
        (
            with_feature({"geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 1e99], [0, 2]]]}}),
            "features[1].geometry.coordinates[0][1]",
            "within",
        ),
        (with_feature({"properties": {"title": "M"}}), "features[1]", "properties here: title"),
        (with_feature({"properties": {"name": "West"}}), "features[1] (territory 'west')", "same id as features[0]"),
        (with_feature({"properties": {"name": "中国"}}), "features[1]", "gives no id"),
    ],
)
def test_a_faulty_outline_file_is_refused_with_place_and_reason(
    tmp_path: Path, outlines: object, place: str, reason: str
) -> None:
    with pytest.raises(MapError) as refused:
        imported(tmp_path, outlines)
    assert refused.value.place == place
    assert reason in refused.value.reason


def broken_topology(change: str) -> dict[str, Any]:
    topology = topojson(quantised=False)
    west = topology["objects"]["areas"]["geometries"][0]
    if change == "gap":
        west["arcs"] = [[0, 3]]
    elif change == "open":
        west["arcs"] = [[1]]
    elif change == "unknown":
        west["arcs"] = [[99]]
    elif change == "line":
        west["type"] = "LineString"
    else:
        topology["arcs"][0] = []
    return topology


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        ("gap", "objects.areas.geometries[0].arcs[0][1]", "does not begin where"),
        ("open", "objects.areas.geometries[0].arcs[0]", "must close"),
        ("unknown", "objects.areas.geometries[0].arcs[0][0]", "from -7 to 6"),
        ("line", "objects.areas.geometries[0].type", "Polygon"),
        ("empty", "arcs[0]", "at least one position"),
    ],
)
def test_a_faulty_topology_is_refused_with_place_and_reason(
    tmp_path: Path, change: str, place: str, reason: str
) -> None:
    with pytest.raises(MapError) as refused:
        imported(tmp_path, broken_topology(change))
    assert refused.value.place == place
    assert reason in refused.value.reason


def test_coordinates_that_are_no_degrees_are_refused_unless_it_is_a_plan(tmp_path: Path) -> None:
    outlines = geojson()
    outlines["features"][1]["geometry"]["coordinates"][0][0] = [10, 200]
    outlines["features"][1]["geometry"]["coordinates"][0][-1] = [10, 200]
    path = write(tmp_path, "outlines.json", outlines)
    with pytest.raises(MapError, match="no longitude and latitude"):
        import_map(path, name="Test")
    assert len(import_map(path, name="Test", plan=True).territories) == 3


def test_a_missing_layer_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="there are areas, outline"):
        imported(tmp_path, topojson(quantised=False), layer="lands")


def test_a_territory_too_small_for_the_sheet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MapError, match=r"territory 'east'.*wider than 1 "):
        imported(tmp_path, geojson(), width=1)
