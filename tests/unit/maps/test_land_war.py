"""The world with its seas, as a map of FORCES."""

import pytest

from shared.maps.check import check_drawing
from shared.maps.land_war import document_of, world_seas, zones_of
from shared.maps.model import MapError
from shared.maps.zones import check_map_of_zones
from shared.rules import rules_of
from shared.scenarios.table import Table
from warledger.maps import map_named


def test_the_world_with_seas_is_a_map_of_the_rules() -> None:
    """FOR-84: symmetric, incomes on land alone; every sea has a coast and can be drawn."""
    document = document_of(map_named("world"), world_seas())
    created = Table(rules_of("forces"), "0" * 64).create({"map": document})
    assert created.refusal is None
    zones = document["zones"]
    water = {id_ for id_, zone in zones.items() if zone["kind"] == "water"}
    assert len(water) == len(world_seas())
    assert all(set(zones[id_]["neighbours"]) - water for id_ in water)
    assert all(0 <= zone["centroid"]["x"] <= document["width"] for zone in zones.values())
    assert all(0 <= zone["centroid"]["y"] <= document["height"] for zone in zones.values())


def test_lands_stay_neighbours_and_factories_are_never_side_by_side() -> None:
    board = map_named("small-twelve")
    zones = zones_of(board, {})
    for id_, territory in board.territories.items():
        assert zones[id_]["neighbours"] == sorted(territory.neighbours)
        assert zones[id_]["income"] == 1 + len(territory.neighbours)
        if zones[id_]["start_forces"]["factory"]:
            assert not any(zones[near]["start_forces"]["factory"] for near in territory.neighbours)
    assert any(zone["start_forces"]["factory"] for zone in zones.values())


def test_a_sea_at_an_unknown_coast_is_refused() -> None:
    sea = {"name": "Sea", "centroid": {"x": 0, "y": 0}, "coasts": ["atlantis"], "seas": []}
    with pytest.raises(MapError, match="atlantis must be a territory"):
        zones_of(map_named("small-twelve"), {"sea": sea})


def test_a_map_of_zones_is_drawn_as_the_lands_it_was_made_of() -> None:
    """Outlines and links are those of the map file; seas have none and are discs."""
    board = map_named("world")
    document = document_of(board, world_seas())
    check_drawing(document, "map")
    drawn = check_map_of_zones(document, "map")
    assert drawn.shapes == board.shapes
    assert set(drawn.territories) == {*board.territories, *world_seas()}
    assert drawn.territories["portugal"].neighbours == board.territories["portugal"].neighbours
    assert drawn.territories["black-sea"].neighbours == ()
    with pytest.raises(MapError):
        check_map_of_zones({**document, "zones": {"sea": {"neighbours": []}}}, "map")
    with pytest.raises(MapError, match="which the map does not have"):
        check_drawing({**document, "zones": {}}, "map")
