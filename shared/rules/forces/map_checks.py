"""What is wrong with a map (FOR-84, FOR-108): everything for which a creation is refused as `bad_map`."""

from collections.abc import Mapping
from typing import Any

from shared.rules.forces.board import KINDS, LAND, WATER
from shared.rules.forces.tables import COMBAT, FACTORY, MOST_FORCES
from shared.rules.shapes import Array, Boolean, Choice, Id, Integer, Keyed, Maybe, Object, Shape, Text, fault

LONGEST_NAME = 200
MOST_ZONES = 5_000
MOST_NEIGHBOURS = 1_000
MOST_BORDERS = 50_000
"""Pairs of neighbours: while a creation is judged, every other game of the process waits."""
MOST = 1_000_000
"""Largest income of a zone and largest number of start Forces; sums stay far below 53 bits."""
_COORDINATE = Integer(-1_000_000, 1_000_000)
_START: Mapping[str, Shape] = {**{type_: Integer(0, MOST) for type_ in COMBAT}, FACTORY: Boolean()}

ZONE = Object(
    {
        "name": Text(LONGEST_NAME),
        "centroid": Maybe(Object({"x": _COORDINATE, "y": _COORDINATE})),
        "kind": Choice(KINDS),
        "income": Integer(0, MOST),
        "neighbours": Array(Id(), MOST_NEIGHBOURS),
        "start_forces": Object(_START, frozenset(_START)),
    },
    optional=frozenset({"name", "centroid", "income", "start_forces"}),
)
"""A zone of the map of a creation (FOR-101)."""


def fault_of_map(zones: Mapping[str, Any]) -> str | None:
    """One sentence with the place and what would be right, or None."""
    if len(zones) > MOST_ZONES:
        return f"map.zones must hold at most {MOST_ZONES} zones; it holds {len(zones)}"
    if found := fault(Keyed(ZONE), zones, "map.zones"):
        return found
    borders = sum(len(entry["neighbours"]) for entry in zones.values()) // 2
    if borders > MOST_BORDERS:
        return f"map.zones must have at most {MOST_BORDERS} pairs of neighbours; it has {borders}"
    if all(entry["kind"] == WATER for entry in zones.values()):
        return "map.zones must hold at least one land zone"
    named = {id_: frozenset(entry["neighbours"]) for id_, entry in zones.items()}
    for id_ in sorted(zones):
        if found := _fault_of_zone(id_, zones[id_]) or _fault_of_edges(id_, zones[id_]["neighbours"], named):
            return found
    return None


def fault_of_start_forces(zones: Mapping[str, Any]) -> str | None:
    """What is wrong with how many Forces a new game would begin with, on a map without fault."""
    start = sum(entry.get("start_forces", {}).get(type_, 0) for entry in zones.values() for type_ in COMBAT)
    if start <= MOST_FORCES:
        return None
    return f"map.zones must have at most {MOST_FORCES} troops and tanks in start_forces together; they have {start}"


def _fault_of_zone(id_: str, entry: Mapping[str, Any]) -> str | None:
    if entry["kind"] == LAND:
        return None if "income" in entry else f"map.zones.{id_}.income is missing; a land zone has one"
    if entry.get("income", 0):
        return f"map.zones.{id_}.income must be 0 or missing on water"
    if any(entry.get("start_forces", {}).values()):
        return f"map.zones.{id_}.start_forces must be empty or missing on water"
    return None


def _fault_of_edges(id_: str, neighbours: list[str], named: Mapping[str, frozenset[str]]) -> str | None:
    place = f"map.zones.{id_}.neighbours"
    if len(named[id_]) != len(neighbours):
        return f"{place} must name each neighbour once"
    for other in neighbours:
        if other == id_ or other not in named:
            return f"{place} names {other}, which must be another zone of the map"
        if id_ not in named[other]:
            return f"{place} names {other}, whose neighbours must name {id_} in turn"
    return None
