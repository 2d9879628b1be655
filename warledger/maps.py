"""Maps that the command line can name: those that come with the project, or a file."""

from pathlib import Path

import shared.maps
from shared.maps.check import read_map
from shared.maps.model import Map

SUPPLIED = Path(shared.maps.__file__).parent / "data"
SHORT_NAMES = {"world": "world-110m"}

TEAM_NAMES = (
    "ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "willow",
)  # fmt: skip
"""Ids of teams that are made without a name of their own, in order. No colours: maps give each team its own."""


def map_named(name: str) -> Map:
    """The map of a short name, of a supplied file, or in a file. Raises MapError."""
    supplied = SUPPLIED / f"{SHORT_NAMES.get(name, name)}.json"
    return read_map(supplied if supplied.exists() else Path(name))
