"""What is wrong with a map (MAP-19): everything for which a creation is refused as `bad_map`."""

from collections.abc import Mapping
from typing import Any

from shared.rules.map_war.board import KINDS, MOST_CITY, SEA
from shared.rules.shapes import Array, Choice, Id, Integer, Keyed, Maybe, Object, Text, fault

LONGEST_NAME = 200
MOST_ZONES = 20_000
MOST_OF_IDS = 200_000
"""Most characters of the ids of all zones, each with 3 more: an event that names every zone stays below 256 KB."""
_COORDINATE = Integer(-1_000_000, 1_000_000)

ZONE = Object(
    {
        "kind": Choice(KINDS),
        "neighbours": Array(Id()),
        "city_max": Integer(),
        "name": Maybe(Text(LONGEST_NAME)),
        "centroid": Maybe(Object({"x": _COORDINATE, "y": _COORDINATE})),
    },
    optional=frozenset({"name", "centroid"}),
)
"""A zone of a map; name and centroid are for those who look at it."""


def fault_of_map(zones: Mapping[str, Any]) -> str | None:
    """One sentence with the place and what would be right, or None."""
    if not 1 <= len(zones) <= MOST_ZONES:
        return f"map.zones must hold 1 to {MOST_ZONES} zones; it holds {len(zones)}"
    return (
        fault(Keyed(ZONE), zones, "map.zones")
        or _fault_of_ids(zones)
        or _fault_of_cities(zones)
        or _fault_of_edges(zones)
    )


def _fault_of_ids(zones: Mapping[str, Any]) -> str | None:
    size = sum(len(id_) + 3 for id_ in zones)
    if size <= MOST_OF_IDS:
        return None
    return f"map.zones must have shorter ids: with 3 for each they may have {MOST_OF_IDS} characters in all, not {size}"


def _fault_of_cities(zones: Mapping[str, Any]) -> str | None:
    for id_ in sorted(zones):
        most = 0 if zones[id_]["kind"] == SEA else MOST_CITY
        if not 0 <= zones[id_]["city_max"] <= most:
            where = "at sea" if most == 0 else f"to {MOST_CITY} on land"
            return f"map.zones.{id_}.city_max must be 0 {where}"
    return None


def _fault_of_edges(zones: Mapping[str, Any]) -> str | None:
    for id_ in sorted(zones):
        place, neighbours = f"map.zones.{id_}.neighbours", zones[id_]["neighbours"]
        if not neighbours:
            return f"{place} must name at least one zone"
        if len(set(neighbours)) != len(neighbours):
            return f"{place} must name each neighbour once"
        for other in neighbours:
            if other == id_ or other not in zones:
                return f"{place} names {other}, which must be another zone of the map"
            if id_ not in zones[other]["neighbours"]:
                return f"{place} names {other}, which must name {id_} too"
    return None
