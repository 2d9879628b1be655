"""The map of a game: it never changes after creation (FOR-16). Zones are dense integers in canonical order."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from shared.rules.forces.tables import COMBAT, FACTORY, Counts
from shared.rules.interface import Json

LAND, WATER = "land", "water"
KINDS = (LAND, WATER)


class Place(NamedTuple):
    """A zone of a map; `start` are the combat Forces that stand there by map data, `factory` whether one does."""

    name: str
    centroid: tuple[int, int] | None
    kind: str
    income: int
    neighbours: tuple[str, ...]
    start: Counts
    factory: bool


class Board:
    """Zones 0, 1, ... in the canonical order of their ids; everything else is a column over that number."""

    __slots__ = (
        "beside",
        "factory",
        "ids",
        "income",
        "index",
        "land",
        "land_zones",
        "longest_id",
        "neighbours",
        "places",
        "start",
    )

    def __init__(self, places: Mapping[str, Place]) -> None:
        self.ids = tuple(sorted(places))
        self.index: Mapping[str, int] = {item: number for number, item in enumerate(self.ids)}
        self.places = tuple(places[item] for item in self.ids)
        self.land = tuple(place.kind == LAND for place in self.places)
        self.land_zones = tuple(zone for zone, is_land in enumerate(self.land) if is_land)
        self.income = tuple(place.income for place in self.places)
        self.neighbours = tuple(tuple(sorted(self.index[item] for item in place.neighbours)) for place in self.places)
        self.beside: Mapping[str, frozenset[str]] = {
            item: frozenset(near for near in places[item].neighbours if places[near].kind == LAND) for item in self.ids
        }
        """Id of a zone -> those of the land zones that one step leads to (FOR-37)."""
        self.longest_id = max(map(len, self.ids))
        self.start = tuple(place.start for place in self.places)
        self.factory = tuple(place.factory for place in self.places)

    def entry(self, zone: int) -> dict[str, Json]:
        """The map data of a zone with the names of the canonical state."""
        place = self.places[zone]
        return {
            "name": place.name,
            "centroid": None if place.centroid is None else {"x": place.centroid[0], "y": place.centroid[1]},
            "kind": place.kind,
            "income": place.income,
            "neighbours": [self.ids[item] for item in self.neighbours[zone]],
            "start_forces": {**counts_form(place.start), FACTORY: place.factory},
        }


def counts_form(counts: Counts) -> dict[str, int]:
    """Combat Forces by type, every type named."""
    return dict(zip(COMBAT, counts, strict=True))


def counts_of(given: Mapping[str, Any]) -> Counts:
    """Back from the form; a type that is not named is not there."""
    return tuple(given.get(type_, 0) for type_ in COMBAT)


def board_of(zones: Mapping[str, Any]) -> Board:
    """The board of a map without fault (map_checks.py)."""
    places = {}
    for id_, entry in zones.items():
        centroid, start = entry.get("centroid"), entry.get("start_forces", {})
        places[id_] = Place(
            entry.get("name", id_),
            None if centroid is None else (centroid["x"], centroid["y"]),
            entry["kind"],
            entry.get("income", 0),
            tuple(entry["neighbours"]),
            counts_of(start),
            start.get(FACTORY, False),
        )
    return Board(places)
