"""A map with land and sea for games like Map War: the zones of a land war, with what may be built in each.

How large a city may grow follows from the map alone, so that a map of any kind can be played. Where a land war has a
factory, and so at none of its neighbours before it, a zone bears a great city: up to 3, and one more for each land
beside it, 6 at most (commerce from 3, research from 5, MAP-24). Around it small cities leave room for agriculture.
"""

from collections.abc import Mapping
from typing import Any

from shared.maps import land_war
from shared.maps.model import Map

SMALL_CITY, GREAT_CITY, GREATEST_CITY = 2, 3, 6
"""`city_max` of most lands, and the least and the most of the others."""


def zones_of(board: Map, seas: Mapping[str, Any]) -> dict[str, Any]:
    """The `map.zones` of a creation of Map War. Raises MapError for a sea that does not fit the map."""
    return {id_: _zone(zone, seas) for id_, zone in land_war.zones_of(board, seas).items()}


def _zone(zone: Mapping[str, Any], seas: Mapping[str, Any]) -> dict[str, Any]:
    place = {key: zone[key] for key in ("name", "centroid", "neighbours")}
    if zone["kind"] != "land":
        return {**place, "kind": "sea", "city_max": 0}
    if not zone["start_forces"]["factory"]:
        return {**place, "kind": "land", "city_max": SMALL_CITY}
    lands = sum(other not in seas for other in zone["neighbours"])
    return {**place, "kind": "land", "city_max": min(GREAT_CITY + lands, GREATEST_CITY)}


def document_of(board: Map, seas: Mapping[str, Any]) -> dict[str, Any]:
    """The `map` of a creation: zones, and what pictures need of the map file."""
    document = {name: value for name, value in board.document().items() if name != "territories"}
    return {**document, "zones": zones_of(board, seas)}
