"""Maps whose places are zones of land and water: how they are drawn, whatever else their game says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shared.maps.check import check_map, map_of_territories
from shared.maps.model import Map
from shared.maps.reading import TOP, Node

WATER = ("water", "sea")
"""The kinds of a zone that are water, in the words of the games."""
_DRAWN_KEYS = ("name", "neighbours", "centroid", "special")


def check_map_of_zones(document: object, file: str) -> Map:
    """Return the map that a game with `zones` in the place of territories draws. Raises `MapError` if it is none."""
    entries = Node(file, TOP, document).entries()
    zones = entries.pop("zones", Node(file, "zones", {})).entries()
    places = {id_: {key: item.value for key, item in zone.entries().items()} for id_, zone in zones.items()}
    territories, water = _drawn(places)
    file_of_territories = {**{key: entry.value for key, entry in entries.items()}, "territories": territories}
    return replace(check_map(file_of_territories, file), water=water)


def map_of_places(places: Mapping[str, Mapping[str, object]], name: str = "map") -> Map:
    """Return the map of places that have no map file: a disc each. Raises `MapError` if they cannot be drawn."""
    territories, water = _drawn(places)
    return replace(map_of_territories(territories, name), water=water)


def _drawn(places: Mapping[str, Mapping[str, object]]) -> tuple[dict[str, object], dict[str, tuple[str, ...]]]:
    """Territories of a map file, and what lies beside each that is water.

    No line leads from a land to the water at its coast: the sea is seen between the lands. Waters keep their own.
    """
    water = {id_ for id_, place in places.items() if place.get("kind") in WATER}
    territories: dict[str, object] = {}
    beside: dict[str, tuple[str, ...]] = {}
    for id_, place in places.items():
        drawn = {key: place[key] for key in _DRAWN_KEYS if place.get(key) is not None}
        near = place.get("neighbours")
        if water and isinstance(near, (list, tuple)):
            drawn["neighbours"] = [] if id_ in water else [other for other in near if other not in water]
            if id_ in water:
                beside[id_] = tuple(sorted(other for other in near if isinstance(other, str)))
        territories[id_] = {"name": id_, "special": None, **drawn}
    return territories, dict(sorted(beside.items()))
