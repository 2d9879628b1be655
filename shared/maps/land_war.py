"""A map with land and water for games like FORCES: the territories of a map file, and the seas beside them.

Land zones keep their neighbours, links over straits among them; a sea lies beside the lands at its coast and the seas
that it opens to. What a zone brings and where factories stand follows from the map alone, so that a map of any kind can
be played: a land brings one credit for each neighbour and one more, and a factory stands where no neighbour before it
in canonical order has one.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shared.maps.model import Map, MapError

SEAS = Path(__file__).parent / "data" / "world-seas.json"
"""The seas of world-110m."""
GARRISON: Mapping[str, int] = {"troop": 2, "tank": 1}
"""What stands beside a factory at the start; one troop stands elsewhere."""


def world_seas() -> Mapping[str, Any]:
    """The sea zones of the world by id, with name, centroid, coasts and seas."""
    seas: Mapping[str, Any] = json.loads(SEAS.read_bytes())["seas"]
    return seas


def seas_of(board: Map) -> Mapping[str, Any]:
    """The seas beside the lands of a map: those of the world, or none where they are not known."""
    return (
        world_seas()
        if set(board.territories) >= {land for sea in world_seas().values() for land in sea["coasts"]}
        else {}
    )


def zones_of(board: Map, seas: Mapping[str, Any]) -> dict[str, Any]:
    """The `map.zones` of a creation of FORCES. Raises MapError for a sea that does not fit the map."""
    coasts: dict[str, list[str]] = {}
    for sea in sorted(seas):
        for land in seas[sea]["coasts"]:
            if land not in board.territories:
                raise MapError(board.name, f"seas.{sea}.coasts", f"{land} must be a territory of the map")
            coasts.setdefault(land, []).append(sea)
    zones: dict[str, Any] = {}
    for id_, territory in board.territories.items():
        factory = not any(near in zones and zones[near]["start_forces"]["factory"] for near in territory.neighbours)
        zones[id_] = {
            "name": territory.name,
            "centroid": {"x": territory.x, "y": territory.y},
            "kind": "land",
            "income": 1 + len(territory.neighbours),
            "neighbours": sorted([*territory.neighbours, *coasts.get(id_, ())]),
            "start_forces": {**(GARRISON if factory else {"troop": 1, "tank": 0}), "factory": factory},
        }
    for id_, sea in sorted(seas.items()):
        zones[id_] = {
            "name": sea["name"],
            "centroid": sea["centroid"],
            "kind": "water",
            "neighbours": sorted([*sea["coasts"], *sea["seas"]]),
        }
    return zones


def document_of(board: Map, seas: Mapping[str, Any]) -> dict[str, Any]:
    """The `map` of a creation: zones, and what pictures need of the map file."""
    document = {name: value for name, value in board.document().items() if name != "territories"}
    return {**document, "zones": zones_of(board, seas)}
