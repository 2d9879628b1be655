"""The drawing is well-formed, safe, and says the same as the table."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest

import shared.maps
from shared.maps.check import map_of_territories, read_map
from shared.maps.labels import Label, layout_of
from shared.maps.lettering import text_width
from shared.maps.model import Map
from shared.maps.occupancy import Box
from shared.maps.palette import fill_in, fill_of, letters
from shared.maps.starts import team_starts
from shared.maps.svg import render_svg
from shared.maps.table import equal_table

DATA = Path(shared.maps.__file__).parent / "data"
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert("x")</script>&\'<'
TEAMS = {"blue": "Blue Herons", "red": "Red Admirals"}


@pytest.fixture(scope="module")
def world() -> Map:
    return read_map(DATA / "world-110m.json")


def owners_of(board: Map) -> dict[str, str | None]:
    areas = team_starts(board, 2)
    return {territory: team for index, team in enumerate(sorted(TEAMS)) for territory in areas[index]}


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def bare(names: dict[str, str]) -> Map:
    ids = sorted(names)
    return map_of_territories(
        {
            key: {
                "name": names[key],
                "neighbours": [other for other in ids if other != key],
                "centroid": {"x": index % 3, "y": index // 3},
                "special": "fortified" if index == 0 else None,
            }
            for index, key in enumerate(ids)
        }
    )


def test_the_world_is_drawn_with_a_path_a_territory_and_a_description(world: Map) -> None:
    root = ElementTree.fromstring(render_svg(world, owners_of(world), TEAMS, title="War", subtitle="Turn 3"))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "War"
    assert root.findtext(f"{SVG}desc") == "Map of 176 territories. Held: Blue Herons 88, Red Admirals 88."
    drawn = {node.get("id") for node in root.iter(f"{SVG}path")}
    assert {f"territory-{territory_id}" for territory_id in world.territories} <= drawn


def test_every_name_is_written_on_the_map_or_in_the_key(world: Map) -> None:
    svg = render_svg(world, {}, {})
    written = " ".join(texts(svg))
    for territory in world.territories.values():
        assert territory.name in written or all(word in written for word in territory.name.split())
    numbered = [label for label in layout_of(world).labels if label.number is not None]
    assert sorted(label.number or 0 for label in numbered) == list(range(1, len(numbered) + 1))
    assert len(numbered) < len(world.territories) // 2


def box(board: Map, label: Label) -> Box:
    """The place of what is written, capitals seven tenths of the type size high, a sign beside the first line."""
    sign = label.size if board.territories[label.territory_id].special else 0
    width = max(text_width(line, label.size) for line in label.lines) + sign
    height = (len(label.lines) - 1) * label.size * 108 // 100 + label.size * 7 // 10
    return Box.around(label.x, label.y, width, height)


def test_no_two_names_on_the_world_map_cover_each_other(world: Map) -> None:
    boxes = [(label.territory_id, box(world, label)) for label in layout_of(world).labels]
    met = [(a, b) for index, (a, one) in enumerate(boxes) for b, other in boxes[index + 1 :] if one.meets(other)]
    assert met == []


def test_the_legend_counts_the_territories_of_each_team_and_of_nobody(world: Map) -> None:
    owners = owners_of(world)
    owners["iceland"] = None
    del owners["fiji"]
    written = texts(render_svg(world, owners, TEAMS))
    held = [sum(1 for owner in owners.values() if owner == team) for team in sorted(TEAMS)]
    assert f"Blue Herons: {held[0]} territories" in written
    assert f"Red Admirals: {held[1]} territories" in written
    assert "Nobody: 2 territories" in written


def test_hostile_names_are_escaped_everywhere() -> None:
    board = bare({"a": HOSTILE, "b": "B"})
    svg = render_svg(board, {"a": "t"}, {"t": HOSTILE}, title=HOSTILE, subtitle=HOSTILE)
    root = ElementTree.fromstring(svg)
    assert [node for node in root.iter() if node.tag == f"{SVG}script"] == []
    assert root.findtext(f"{SVG}title") == HOSTILE
    assert "<script" not in svg


def test_a_map_without_shapes_is_drawn_as_discs_that_do_not_meet() -> None:
    board = bare({key: f"Place {key}" for key in "abcdef"})
    canvas = layout_of(board).canvas
    assert canvas.discs == frozenset(board.territories)
    places = [canvas.centroids[key] for key in board.territories]
    ring = canvas.rings["a"][0]
    radius = (max(ring[::2]) - min(ring[::2])) // 2
    for index, (x0, y0) in enumerate(places):
        for x1, y1 in places[index + 1 :]:
            assert (x1 - x0) ** 2 + (y1 - y0) ** 2 > (2 * radius) ** 2
    assert 'class="border"' in render_svg(board, {}, {})


def test_a_single_territory_is_drawn() -> None:
    assert "Alone" in render_svg(bare({"a": "Alone"}), {"a": "x"}, {})


def test_a_sea_link_around_the_world_is_drawn_to_both_edges(world: Map) -> None:
    root = ElementTree.fromstring(render_svg(world, {}, {}))
    sea = next(node.get("d") or "" for node in root.iter(f"{SVG}path") if node.get("class") == "sea")
    lines = [[tuple(map(int, end.split())) for end in line.split("L")] for line in sea[1:].split("M")]
    ends = {end[0] for line in lines for end in line}
    assert {0, 3600} <= ends
    assert max(abs(line[0][0] - line[1][0]) for line in lines) < 1800


def test_the_drawing_depends_on_nothing_but_map_owners_and_teams(world: Map) -> None:
    owners = owners_of(world)
    shuffled = dict(sorted(owners.items(), reverse=True))
    assert render_svg(world, owners, TEAMS) == render_svg(world, shuffled, dict(reversed(TEAMS.items())))


def test_the_drawing_loads_nothing_and_is_small_enough_to_send(world: Map) -> None:
    svg = render_svg(world, owners_of(world), TEAMS)
    assert not any(word in svg for word in ("href", "<style", "style=", "<script"))
    assert len(svg) < 200_000


def lightness(colour: str) -> float:
    """CIE L* of an sRGB colour, 0 to 100."""
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    luminance: float = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return float(116 * luminance ** (1 / 3) - 16)


def test_the_first_six_teams_stay_apart_in_grey() -> None:
    tones = sorted(lightness(fill_of(place).colour) for place in range(6))
    assert min(after - before for before, after in pairwise(tones)) > 5


def ids(count: int) -> list[str]:
    return [f"team-{number}" for number in range(count)]


def test_teams_that_are_called_by_letters_keep_them(world: Map) -> None:
    assert list(letters(["C", "D"])) == ["C", "D"]
    assert list(letters(["1", "2"])) == list(letters(["c", "d"])) == ["A", "B"]
    assert {"C", "D"} <= set(texts(render_svg(world, {"iceland": "D"}, {"C": "Ana", "D": "Bia"})))


def test_teams_have_the_colours_that_they_chose(world: Map) -> None:
    svg = render_svg(world, {"iceland": "red"}, TEAMS, colours={"red": "#C0C0C0"})
    pattern = re.search(r'<pattern id="team-(\d+)"[^>]*><rect [^>]*fill="#c0c0c0"/><g [^>]*>(.*?)</g>', svg)
    assert pattern is not None
    assert pattern[2], "a team with a colour of its own has a pattern that is seen"
    assert f'id="territory-iceland" fill="url(#team-{pattern[1]})"' in svg


@pytest.mark.parametrize("colour", ["#000000", "#FFFFFF", "#0000AA", "#00007F", "#FFFF00", "#8A5299", "#123456"])
def test_a_chosen_colour_leaves_names_legible_and_is_not_that_of_nobody(colour: str) -> None:
    black, nobody, lightest = lightness("#000000"), lightness("#ffffff"), 7
    for place in range(12):
        fill = fill_in(colour, place)
        assert lightness(fill.colour) - black > 45
        assert nobody - lightness(fill.colour) > lightest
        assert abs(lightness(fill.ink) - lightness(fill.colour)) > 20
        assert fill.drawing
    assert fill_in("#55AA55", 0).colour == "#55aa55"


def test_the_first_144_teams_look_different_and_have_letters_of_their_own() -> None:
    assert len({fill_of(place) for place in range(144)}) == 144
    assert len({fill_of(place).drawing for place in range(12)}) == 12
    assert list(letters(ids(28)))[25:] == ["Z", "AA", "AB"]
    assert len(set(letters(ids(800)))) == 800


def test_the_table_says_what_the_drawing_shows(world: Map) -> None:
    rows = equal_table(world, {"iceland": "red"}, TEAMS)
    assert len(rows) == 176
    assert [row.name for row in rows] == sorted((row.name for row in rows), key=str.casefold)
    iceland = next(row for row in rows if row.territory_id == "iceland")
    assert (iceland.owner_name, iceland.special) == ("Red Admirals", "Fortified")
    assert (iceland.land_neighbours, iceland.sea_neighbours) == ([], ["Greenland", "Norway", "United Kingdom"])
    assert next(row for row in rows if row.territory_id == "spain").owner_name == "nobody"
