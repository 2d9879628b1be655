"""What is wrong with a map (EXG-59): everything for which a creation is refused as `bad_map`."""

from collections.abc import Mapping
from typing import Any

from shared.rules.shapes import Array, Id, Integer, Keyed, Maybe, Object, Text, fault

LONGEST_NAME = 200
MOST_TERRITORIES = 1_000
"""Far more than any board of this kind has; creations must not hold up the games beside them."""
_COORDINATE = Integer(-1_000_000, 1_000_000)

_TERRITORY = Object(
    {
        "name": Text(LONGEST_NAME),
        "label": Text(LONGEST_NAME),
        "neighbours": Array(Id()),
        "centroid": Maybe(Object({"x": _COORDINATE, "y": _COORDINATE})),
    },
    optional=frozenset({"name", "label", "centroid"}),
)
_CONTINENT = Object(
    {"name": Text(LONGEST_NAME), "label": Text(LONGEST_NAME), "territories": Array(Id())},
    optional=frozenset({"name", "label"}),
)


def fault_of_map(map_: Mapping[str, Any], shared_territories: int) -> str | None:
    """One sentence with the place and what would be right, or None."""
    territories, continents = map_["territories"], map_["continents"]
    if len(territories) > MOST_TERRITORIES:
        return f"map.territories must hold at most {MOST_TERRITORIES} territories; it holds {len(territories)}"
    for place, shape, entries in (
        ("map.territories", Keyed(_TERRITORY), territories),
        ("map.continents", Keyed(_CONTINENT), continents),
    ):
        if found := fault(shape, entries, place):
            return found
    return (
        _fault_of_edges(territories)
        or _fault_of_connection(territories)
        or _fault_of_continents(territories, continents)
        or _fault_of_size(territories, shared_territories)
    )


def _fault_of_edges(territories: Mapping[str, Any]) -> str | None:
    for id_ in sorted(territories):
        place, neighbours = f"map.territories.{id_}.neighbours", territories[id_]["neighbours"]
        if len(set(neighbours)) != len(neighbours):
            return f"{place} must name each neighbour once"
        for other in neighbours:
            if other == id_ or other not in territories:
                return f"{place} names {other}, which must be another territory of the map"
            if id_ not in territories[other]["neighbours"]:
                return f"{place} names {other}, which must name {id_} too"
    return None


def _fault_of_connection(territories: Mapping[str, Any]) -> str | None:
    if not territories:
        return "map.territories must hold at least one territory"
    reached = [min(territories)]
    seen = set(reached)
    for id_ in reached:
        for other in territories[id_]["neighbours"]:
            if other not in seen:
                seen.add(other)
                reached.append(other)
    if len(seen) == len(territories):
        return None
    apart = min(set(territories) - seen)
    return f"map.territories must be connected; {apart} cannot be reached from {reached[0]}"


def _fault_of_continents(territories: Mapping[str, Any], continents: Mapping[str, Any]) -> str | None:
    lies_in: dict[str, str] = {}
    for continent in sorted(continents):
        members = continents[continent]["territories"]
        if not members:
            return f"map.continents.{continent}.territories must name at least one territory"
        for id_ in members:
            if id_ not in territories:
                return f"map.continents.{continent}.territories names {id_}, which must be a territory of the map"
            if id_ in lies_in:
                return f"{id_} must lie in one continent; it is named by {lies_in[id_]} and {continent}"
            lies_in[id_] = continent
    for id_ in sorted(territories):
        if id_ not in lies_in:
            return f"{id_} must lie in a continent; none of map.continents names it"
    return None


def _fault_of_size(territories: Mapping[str, Any], shared_territories: int) -> str | None:
    if len(territories) >= shared_territories:
        return None
    return f"map.territories must hold at least shared_territories = {shared_territories}; it holds {len(territories)}"
