"""How each game is played under load while its processes are killed: one module a game, of its name, with a `LOAD`.

A load knows no rule: most of what it says is legal, the rest is refused, and both count. The game goes on until the
load ends: nobody is put out for doing nothing, and hardly ever somebody wins it (of GXC's a third within 500 turns).
"""

import importlib
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol, cast

from shared.rules import GAMES
from warledger.api import Client

PACKAGES = tuple(sorted({item.package for item in GAMES}))
Said = tuple[str, Mapping[str, Any]]
"""Type and payload of a command."""


class GameLoad(Protocol):
    """What bots that know nothing need to know of a game."""

    game: str

    def create(self, people: Sequence[str], period_seconds: int, /) -> Mapping[str, Any]:
        """The `create` of a game for these accounts, whose turns last so long."""
        ...

    def enter(self, game: str, people: Sequence[tuple[str, Client]], /) -> None:
        """Everybody takes her place in the game that was created, before it starts."""
        ...

    def said(self, chance: Random, people: Sequence[str], /) -> Said:
        """The next command of one of these accounts, drawn from everything that players may say."""
        ...


def load_of(package: str) -> GameLoad:
    """The load of a game, by the name of its package. Raises ImportError for a game without one."""
    return cast(GameLoad, importlib.import_module(f"{__name__}.{package}").LOAD)
