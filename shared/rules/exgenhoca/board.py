"""The map of a game: it never changes after creation (EXG-14). Territories are dense integers in canonical order."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shared.rules.interface import Json

NORTH_AMERICA, SOUTH_AMERICA, EUROPE = "north_america", "south_america", "europe"
AFRICA, ASIA, OCEANIA = "africa", "asia", "oceania"
"""Continents with an advantage (EXG-36); on a map without one of them nobody has its advantage."""


class Place(NamedTuple):
    """A territory of a map, with its name in Portuguese and its English label."""

    name: str
    label: str
    centroid: tuple[int, int] | None
    continent: str
    neighbours: Sequence[str]


class Continent(NamedTuple):
    """A continent with its name in Portuguese and its English label."""

    name: str
    label: str


class Board:
    """Territories and continents 0, 1, ... in the canonical order of their ids; the rest is columns over a number."""

    __slots__ = (
        "_second",
        "africa",
        "asia",
        "continent",
        "continent_ids",
        "continent_index",
        "continents",
        "europe",
        "ids",
        "index",
        "members",
        "neighbours",
        "north_america",
        "oceania",
        "places",
        "sizes",
        "south_america",
    )

    def __init__(self, places: Mapping[str, Place], continents: Mapping[str, Continent]) -> None:
        self.ids = tuple(sorted(places))
        self.index: Mapping[str, int] = {item: number for number, item in enumerate(self.ids)}
        self.places = tuple(places[item] for item in self.ids)
        self.neighbours = tuple(tuple(sorted(self.index[item] for item in place.neighbours)) for place in self.places)
        self._second: tuple[tuple[int, ...], ...] = ()
        self.continent_ids = tuple(sorted(continents))
        self.continent_index: Mapping[str, int] = {item: number for number, item in enumerate(self.continent_ids)}
        self.continents = tuple(continents[item] for item in self.continent_ids)
        self.continent = tuple(self.continent_index[place.continent] for place in self.places)
        """Territory -> continent."""
        self.members = tuple(
            tuple(territory for territory, item in enumerate(self.continent) if item == continent)
            for continent in range(len(self.continent_ids))
        )
        self.sizes = tuple(len(item) for item in self.members)
        self.africa, self.asia, self.europe, self.north_america, self.oceania, self.south_america = (
            self.continent_index.get(item, -1) for item in (AFRICA, ASIA, EUROPE, NORTH_AMERICA, OCEANIA, SOUTH_AMERICA)
        )

    @property
    def second(self) -> tuple[tuple[int, ...], ...]:
        """Territory -> those at distance 2 (EXG-38); worked out when first asked for, which few questions need."""
        if not self._second:
            self._second = tuple(self._at_two(territory) for territory in range(len(self.ids)))
        return self._second

    def _at_two(self, territory: int) -> tuple[int, ...]:
        near = {territory, *self.neighbours[territory]}
        return tuple(sorted({far for item in self.neighbours[territory] for far in self.neighbours[item]} - near))

    def entry(self, territory: int) -> dict[str, Json]:
        """Everything but owner and token, with the names of the canonical state."""
        place = self.places[territory]
        centroid = None if place.centroid is None else {"x": place.centroid[0], "y": place.centroid[1]}
        return {
            "name": place.name,
            "label": place.label,
            "continent": place.continent,
            "neighbours": [self.ids[item] for item in self.neighbours[territory]],
            "centroid": centroid,
        }

    def continent_entries(self) -> dict[str, Json]:
        """Names of the continents by id."""
        return {
            item: {"name": continent.name, "label": continent.label}
            for item, continent in zip(self.continent_ids, self.continents, strict=True)
        }


def board_of(map_: Mapping[str, Any]) -> Board:
    """The board of a map without fault (map_checks.py)."""
    lies_in = {territory: id_ for id_, entry in map_["continents"].items() for territory in entry["territories"]}
    places = {}
    for territory, entry in map_["territories"].items():
        name, centroid = entry.get("name", territory), entry.get("centroid")
        at = None if centroid is None else (centroid["x"], centroid["y"])
        places[territory] = Place(name, entry.get("label", name), at, lies_in[territory], entry["neighbours"])
    continents = {}
    for id_, entry in map_["continents"].items():
        name = entry.get("name", id_)
        continents[id_] = Continent(name, entry.get("label", name))
    return Board(places, continents)
