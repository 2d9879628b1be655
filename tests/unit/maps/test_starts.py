"""Starting areas are whole, in one piece, and as even as the map allows."""

from pathlib import Path

import pytest

import shared.maps
from shared.maps.check import map_of_territories, read_map
from shared.maps.model import Map, MapError
from shared.maps.starts import connected_parts, team_starts

DATA = Path(shared.maps.__file__).parent / "data"


def line(length: int) -> Map:
    ids = [f"t{index}" for index in range(length)]
    return map_of_territories(
        {
            territory_id: {
                "name": territory_id,
                "neighbours": [ids[near] for near in (index - 1, index + 1) if 0 <= near < length],
                "centroid": {"x": index, "y": 0},
                "special": None,
            }
            for index, territory_id in enumerate(ids)
        }
    )


def assert_is_a_split(board: Map, areas: dict[int, list[str]], teams: int) -> None:
    assert list(areas) == list(range(teams))
    assert sorted(territory for area in areas.values() for territory in area) == list(board.territories)
    for area in areas.values():
        inside = {key: tuple(n for n in board.territories[key].neighbours if n in area) for key in area}
        assert len(connected_parts(inside)) == 1


@pytest.mark.parametrize("teams", [1, 2, 3, 4, 5, 6, 7, 8, 12, 20, 30])
def test_the_world_is_split_evenly_into_contiguous_areas(teams: int) -> None:
    world = read_map(DATA / "world-110m.json")
    areas = team_starts(world, teams)
    assert_is_a_split(world, areas, teams)
    sizes = [len(area) for area in areas.values()]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("teams", range(1, 9))
def test_a_small_map_is_split_evenly_for_any_number_of_teams(teams: int) -> None:
    board = read_map(DATA / "small-eight.json")
    areas = team_starts(board, teams)
    assert_is_a_split(board, areas, teams)
    sizes = [len(area) for area in areas.values()]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("teams", [2, 3, 4, 5])
def test_a_line_is_cut_into_equal_stretches(teams: int) -> None:
    board = line(teams * 4)
    areas = team_starts(board, teams)
    assert_is_a_split(board, areas, teams)
    assert [len(area) for area in areas.values()] == [4] * teams


def test_two_teams_on_a_map_of_two_parts_get_a_part_each() -> None:
    board = read_map(DATA / "small-twelve.json")
    parts = connected_parts({key: territory.neighbours for key, territory in board.territories.items()})
    assert sorted(team_starts(board, 2).values()) == sorted(parts)


def test_a_star_that_cannot_be_split_evenly_is_still_given_out_whole() -> None:
    ids = [f"leaf{index}" for index in range(6)]
    star = {
        name: {"name": name, "neighbours": ["hub"], "centroid": {"x": index, "y": 1}, "special": None}
        for index, name in enumerate(ids)
    }
    star["hub"] = {"name": "hub", "neighbours": ids, "centroid": {"x": 0, "y": 0}, "special": None}
    board = map_of_territories(star)
    areas = team_starts(board, 2)
    assert_is_a_split(board, areas, 2)
    assert sorted(len(area) for area in areas.values()) == [1, 6]


def test_the_same_map_is_always_split_the_same_way() -> None:
    assert team_starts(read_map(DATA / "world-110m.json"), 6) == team_starts(read_map(DATA / "world-110m.json"), 6)


@pytest.mark.parametrize("teams", [0, -1, 9])
def test_more_teams_than_territories_and_fewer_than_one_are_refused(teams: int) -> None:
    with pytest.raises(MapError, match="must be 1 to 8"):
        team_starts(read_map(DATA / "small-eight.json"), teams)
