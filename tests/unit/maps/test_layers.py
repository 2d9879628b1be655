"""Layers of a map: what stands in places is written where nobody takes it for that of another, or in the key."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from shared.maps import land_war
from shared.maps.badges import Badge, placed, rows_of
from shared.maps.labels import layout_of
from shared.maps.model import Map
from shared.maps.overlay import Overlay, Sign, Spot, Stack
from shared.maps.shading import NOTHING, colour_of, shades_of
from shared.maps.starts import team_starts
from shared.maps.svg import render_svg
from shared.maps.symbols import PIECES
from shared.maps.table import equal_table
from shared.maps.zones import check_map_of_zones, map_of_places
from shared.rules import GAMES
from shared.rules.interface import Layer
from tests.unit.maps.test_svg import SVG, lightness, texts
from warledger.maps import map_named

NAMES = {"1": "Ana", "2": "Bia"}
LETTERS = {"1": "A", "2": "B"}
FORCES = Overlay(
    "Forces",
    kinds=(Sign("disc", "troop", "troops"), Sign("square", "army", "armies")),
    marks=(Sign("star", "capital", ""), Sign("factory", "factory", "")),
    spots=(
        ("brazil", Spot(stacks=(Stack("1", (3, 1)), Stack("2", (0, 2))), marks=((0, "1"), (1, None)))),
        ("luxembourg", Spot(stacks=(Stack("2", (1, 0)),))),
    ),
)


@pytest.fixture(scope="module")
def world() -> Map:
    board = map_named("world")
    return check_map_of_zones(land_war.document_of(board, land_war.world_seas()), "world")


def everywhere(world: Map) -> Overlay:
    """Forces of two sides in every land, as many as a long war brings."""
    spot = Spot(stacks=(Stack("1", (12, 3)), Stack("2", (5, 0))), marks=((1, None),))
    return Overlay(
        "Forces", kinds=FORCES.kinds, marks=FORCES.marks, spots=tuple((id_, spot) for id_ in world.territories)
    )


def badges(world: Map, overlay: Overlay) -> tuple[dict[str, Badge], list[str]]:
    return placed(layout_of(world), {id_: rows_of(overlay, spot, LETTERS) for id_, spot in overlay.spots})


def layers() -> Iterator[tuple[str, tuple[Layer, ...]]]:
    for listed in GAMES:
        yield listed.game, listed.load().parts.layers


def test_no_badge_covers_a_name_or_another_and_each_place_has_one_or_stands_in_the_key(world: Map) -> None:
    found, full = badges(world, everywhere(world))
    layout = layout_of(world)
    boxes = [badge.box for badge in found.values()]
    assert not [(a, b) for n, a in enumerate(boxes) for b in boxes[n + 1 :] if a.meets(b)]
    assert not [(a, id_) for a in boxes for id_, box in layout.boxes.items() if a.meets(box)]
    numbered = {label.territory_id for label in layout.labels if label.number is not None}
    assert set(found) | set(full) | numbered == set(world.territories)
    assert len(found) > 30


def test_the_key_tells_what_has_no_room_on_the_map(world: Map) -> None:
    overlay = everywhere(world)
    _, full = badges(world, overlay)
    written = texts(render_svg(world, {}, NAMES, overlay=overlay))
    for territory_id in full:
        assert world.territories[territory_id].name in written
    in_the_key = 2  # number 12 stands on the map and in the key
    assert written.count("12") == len(world.territories) + in_the_key


def test_a_place_says_in_words_what_is_drawn_there(world: Map) -> None:
    root = ElementTree.fromstring(render_svg(world, {"brazil": "1"}, NAMES, overlay=FORCES))
    said = {node.get("id"): node.findtext(f"{SVG}title") for node in root.iter(f"{SVG}path")}
    assert said["territory-brazil"] == "Brazil – Ana – Ana: 3 troops, 1 army; Bia: 2 armies – capital of Ana – factory"
    assert said["territory-black-sea"] == "Black Sea – water"
    assert {"capital", "factory", "troop", "army"} <= set(texts(render_svg(world, {}, NAMES, overlay=FORCES)))


def test_the_table_says_the_same(world: Map) -> None:
    assert FORCES.columns == ("Forces", "Capital", "Factory")
    brazil, luxembourg = (spot for _, spot in FORCES.spots)
    assert FORCES.cells(brazil, NAMES) == ("Ana: 3 troops, 1 army; Bia: 2 armies", "Ana", "yes")
    assert FORCES.cells(luxembourg, NAMES) == ("Bia: 1 troop", "", "")
    assert FORCES.cells(None, NAMES) == ("", "", "")


def test_a_side_has_its_letter_and_stands_in_the_key_by_its_number(world: Map) -> None:
    found, full = badges(world, FORCES)
    shown = [[part.sign or part.text for part in row] for row in found["brazil"].rows]
    assert shown == [["star", "A", "factory"], ["A", "disc", "3", "square", "1"], ["B", "square", "2"]]
    assert "luxembourg" not in {*found, *full}
    assert "Bia: 0 zones" in texts(render_svg(world, {}, NAMES, overlay=FORCES, words=("zone", "zones")))


def test_the_darker_a_place_the_more_is_there_and_the_number_stands_beside(world: Map) -> None:
    amounts = {"brazil": 7, "canada": 60, "russia": 25, "north-pacific": 12}
    overlay = Overlay("Pollution", shaded=True, spots=tuple((id_, Spot(n)) for id_, n in sorted(amounts.items())))
    svg = render_svg(world, {"brazil": "1"}, NAMES, overlay=overlay, words=("zone", "zones"))
    root = ElementTree.fromstring(svg)
    fill = {node.get("id"): node.get("fill") for node in root.iter(f"{SVG}path")}
    tones = [lightness(str(fill[f"territory-{id_}"])) for id_ in sorted(amounts, key=amounts.__getitem__)]
    assert tones == sorted(tones, reverse=True)
    assert fill["territory-india"] == NOTHING
    written = texts(svg)
    assert set(map(str, amounts.values())) <= set(written)
    assert {"none: 173 zones", "1 to 12: 2 zones", "49 to 60: 1 zone", "Water with none: 18 zones", "pollution"} <= set(
        written
    )
    assert "Ana: 1 zone" not in written
    assert overlay.cells(Spot(7), NAMES) == (7,)


@pytest.mark.parametrize("most", [0, 1, 4, 5, 6, 23, 1_000])
def test_every_amount_has_one_shade(most: int) -> None:
    shades = shades_of(most)
    for amount in range(1, most + 1):
        assert sum(shade.least <= amount <= shade.most for shade in shades) == 1
    assert colour_of(0, shades) == NOTHING
    assert all(after.least == before.most + 1 for before, after in pairwise(shades))


def test_water_is_drawn_as_water_and_has_no_owner(world: Map) -> None:
    owners = {id_: team for team, area in team_starts(map_named("world"), 2).items() for id_ in area}
    svg = render_svg(world, {id_: str(team + 1) for id_, team in owners.items()}, NAMES, words=("zone", "zones"))
    written = texts(svg)
    assert {"Water: 19 zones", "Ana: 88 zones", "Bia: 88 zones"} <= set(written)
    assert not [text for text in written if text.startswith("Nobody")]
    assert 'id="territory-arctic-ocean" fill="url(#water)"' in svg
    rows = {row.territory_id: row for row in equal_table(world, {}, NAMES)}
    assert (rows["black-sea"].owner_name, rows["brazil"].owner_name) == ("water", "nobody")
    assert rows["brazil"].waters == ["South Atlantic"]
    assert rows["persian-gulf"].waters[:3] == ["Arabian Sea", "Iran", "Iraq"]
    assert "South Atlantic" not in [*rows["brazil"].land_neighbours, *rows["brazil"].sea_neighbours]


def test_places_without_a_map_file_are_discs_of_land_and_water() -> None:
    places: dict[str, dict[str, Any]] = {
        "a": {"name": "Shore", "kind": "land", "neighbours": ["b", "c"], "centroid": {"x": 0, "y": 0}, "levels": {}},
        "b": {"name": "Bay", "kind": "sea", "neighbours": ["a"], "centroid": {"x": 9, "y": 0}},
        "c": {"name": "Hill", "kind": "land", "neighbours": ["a"], "centroid": {"x": 0, "y": 9}},
    }
    board = map_of_places(places)
    assert (board.water, board.territories["a"].neighbours) == ({"b": ("a",)}, ("c",))
    assert board != map_of_places({**places, "b": {**places["b"], "kind": "land"}})
    assert 'fill="url(#water)"' in render_svg(board, {}, {})


@pytest.mark.parametrize(("game", "found"), list(layers()))
def test_the_layers_of_every_game_can_be_drawn(game: str, found: tuple[Layer, ...]) -> None:
    assert len({layer.name for layer in found}) == len(found) >= 1
    for layer in found:
        assert layer.name.isidentifier(), f"{game}: {layer.name} stands in an address"
        assert bool(layer.kinds) == bool(layer.pieces)
        assert {item.sign for item in layer.kinds} | {item.sign for item in layer.marks} <= set(PIECES)
        assert layer.amount is None or not (layer.pieces or layer.marks)
