"""The maps that come with Warledger are what the docs say they are."""

import json
from pathlib import Path

import pytest

import shared.maps
from shared.maps.check import read_map
from shared.maps.geometry import contains
from shared.maps.model import SPECIALS, Map
from shared.maps.starts import connected_parts

DATA = Path(shared.maps.__file__).parent / "data"
DOCS = Path(shared.maps.__file__).parents[2] / "docs" / "maps.md"


def supplied(name: str) -> Map:
    return read_map(DATA / f"{name}.json")


def parts(board: Map) -> list[list[str]]:
    return connected_parts({key: territory.neighbours for key, territory in board.territories.items()})


@pytest.mark.parametrize(
    ("name", "territories", "sea_links", "number_of_parts"),
    [("world-110m", 176, 78, 1), ("small-eight", 8, 0, 1), ("small-twelve", 12, 0, 2)],
)
def test_each_map_has_the_recorded_size(name: str, territories: int, sea_links: int, number_of_parts: int) -> None:
    board = supplied(name)
    assert len(board.territories) == territories
    assert len(board.sea_links) == sea_links
    assert len(parts(board)) == number_of_parts
    assert board.licence
    assert board.source


@pytest.mark.parametrize("name", ["world-110m", "small-eight", "small-twelve"])
def test_each_map_is_the_file_that_the_docs_record(name: str) -> None:
    board = supplied(name)
    assert (DATA / f"{name}.json").read_bytes() == board.canonical + b"\n"
    assert f"| `{name}` | {len(board.territories)} | {board.digest} |" in DOCS.read_text()


@pytest.mark.parametrize("name", ["world-110m", "small-twelve"])
def test_every_special_occurs(name: str) -> None:
    found = {territory.special for territory in supplied(name).territories.values()} - {None}
    assert found == set(SPECIALS)


def test_the_small_map_of_twelve_has_every_special_once() -> None:
    found = [territory.special for territory in supplied("small-twelve").territories.values() if territory.special]
    assert sorted(found) == sorted(SPECIALS)


def test_every_territory_of_the_world_has_a_neighbour_and_a_centroid_inside_it() -> None:
    world = supplied("world-110m")
    for territory_id, territory in world.territories.items():
        assert territory.neighbours
        assert contains(world.shapes[territory_id], territory.x, territory.y), territory_id
    assert len({(territory.x, territory.y) for territory in world.territories.values()}) == len(world.territories)


def test_the_world_is_small_enough_to_send() -> None:
    assert (DATA / "world-110m.json").stat().st_size < 250_000


def test_known_borders_of_the_world_are_there() -> None:
    world = supplied("world-110m").territories
    assert world["portugal"].neighbours == ("spain", "united-states-of-america")
    assert world["lesotho"].neighbours == ("south-africa",)
    assert "united-states-of-america" in world["russia"].neighbours
    assert "antarctica" not in world


def test_every_link_of_the_links_file_is_on_the_map() -> None:
    links = json.loads((DATA / "world-links.json").read_bytes())
    world = supplied("world-110m")
    assert sorted(tuple(sorted(link)) for link in links["sea_links"]) == list(world.sea_links)
    assert links["specials"] == {
        territory_id: territory.special for territory_id, territory in world.territories.items() if territory.special
    }
