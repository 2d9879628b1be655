"""What the clock does in each game at its shortest periods: one module a game, of its name, with its `CLOCKS`.

Games are created and entered as their load does it (tests/faults/loads), with other keys laid over the creation.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from shared.rules import GAMES
from tests.faults.loads import Said

PACKAGES = tuple(sorted({item.package for item in GAMES}))


@dataclass(frozen=True, slots=True)
class Clocked:
    """A game under its clock, and what is said while it runs; players are named by their numbers, from 0."""

    brings: frozenset[str]
    """Events of the game that come about by its clock alone here. None: nothing in this game has a deadline."""
    create: Mapping[str, Any] = field(default_factory=dict)
    """Laid over the creation of the load, key by key, and so is its `config`."""
    said: Sequence[tuple[int, Said]] = ()
    """Said when the game has begun and when its clock runs, by those who stay awake all the time; on topic `orders`."""

    def over(self, create: Mapping[str, Any]) -> dict[str, Any]:
        """The creation of this game, made from that of the load."""
        config = {**create.get("config", {}), **self.create.get("config", {})}
        return {**create, **self.create, "config": config}


def clocks_of(package: str) -> Mapping[str, Clocked]:
    """Name -> game, for everything with a clock of its own. Raises ImportError for a game without a module."""
    return cast(Mapping[str, Clocked], importlib.import_module(f"{__name__}.{package}").CLOCKS)
