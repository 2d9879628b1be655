"""The map of a game: zones that never change after creation (MAP-15, MAP-19), dense integers in canonical order."""

from collections.abc import Mapping
from typing import Any

from shared.rules.interface import Json

LAND, SEA = "land", "sea"
KINDS = (LAND, SEA)
MOST_CITY = 6
"""Highest `city_max` of a zone."""


class Board:
    """Zones 0, 1, ... in the code point order of their ids; everything else is a column over that number."""

    __slots__ = ("centroid", "city_max", "ids", "index", "name", "neighbours", "sea")

    def __init__(self, zones: Mapping[str, Mapping[str, Any]]) -> None:
        self.ids = tuple(sorted(zones))
        self.index: Mapping[str, int] = {id_: number for number, id_ in enumerate(self.ids)}
        entries = [zones[id_] for id_ in self.ids]
        self.sea = tuple(entry["kind"] == SEA for entry in entries)
        self.city_max = tuple(int(entry["city_max"]) for entry in entries)
        self.neighbours = tuple(tuple(sorted(self.index[other] for other in entry["neighbours"])) for entry in entries)
        self.name: tuple[str | None, ...] = tuple(entry.get("name") for entry in entries)
        self.centroid: tuple[Mapping[str, int] | None, ...] = tuple(entry.get("centroid") for entry in entries)

    def entry(self, zone: int) -> dict[str, Json]:
        """What never changes of a zone, as state and events have it."""
        centroid = self.centroid[zone]
        return {
            "kind": SEA if self.sea[zone] else LAND,
            "neighbours": [self.ids[other] for other in self.neighbours[zone]],
            "city_max": self.city_max[zone],
            "name": self.name[zone],
            "centroid": None if centroid is None else {"x": centroid["x"], "y": centroid["y"]},
        }
