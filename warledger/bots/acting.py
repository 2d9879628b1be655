"""What the ready-made bots share: a seed, and nothing to do while their player cannot give commands."""

import random
from abc import ABC, abstractmethod

from warledger.bots.bot import Command, Sight
from warledger.bots.reading import Position


class ActingBot(ABC):
    """A bot that is asked only while its player is active in a running game."""

    def __init__(self, seed: str) -> None:
        """The same seed makes the same choices from the same views."""
        self._chance = random.Random(seed)

    def choose(self, sight: Sight, /) -> Command | None:
        position = Position(sight.view)
        return self._act(sight, position) if position.acts else None

    @abstractmethod
    def _act(self, sight: Sight, position: Position) -> Command | None:
        """The next command, or None if the player has nothing to do before something happens."""
