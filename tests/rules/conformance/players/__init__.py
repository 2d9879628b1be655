"""Who plays the games of the conformance suite: one module a game, of its name, with an object `PLAYER`.

A player makes games up at random and plays them more or less legally. She sees the canonical state, so that most of
what she says is legal, and now and then says something that is not. Everything she does follows from the `Random` she
is given. Without a module here a game of the registry fails the suite.
"""

import importlib
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol, cast

from shared.rules.interface import Role

Canonical = Mapping[str, Any]


class Move(NamedTuple):
    """One input, `wait_ms` after the one before."""

    actor: str
    role: Role
    type: str
    payload: Mapping[str, Any]
    wait_ms: int = 1


class Fork(NamedTuple):
    """Two continuations of one game that differ in secrets alone, and what all do after either.

    `viewers` must not be able to tell the two apart, neither by views nor by events that are public or theirs.
    """

    one: Sequence[Move]
    other: Sequence[Move]
    then: Sequence[Move]
    viewers: Sequence[str]


class Player(Protocol):
    """What the suite needs to know of a game."""

    def create(self, random: Random, /) -> Mapping[str, Any]:
        """The payload of a game's creation."""
        ...

    def move(self, random: Random, state: Canonical, /) -> Move:
        """The next input in this state."""
        ...

    def fork(self, random: Random, state: Canonical, /) -> Fork | None:
        """Secrets to tell apart in this state; None where there are none yet."""
        ...


def player_of(game: str) -> Player:
    """The player of a game. Raises ImportError for a game without one."""
    module = importlib.import_module(f"{__name__}.{game.replace('-', '_')}")
    return cast(Player, module.PLAYER)
