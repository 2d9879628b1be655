"""What a bot is: something that looks at what its player sees and names the next command (docs/bots.md)."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

View = Mapping[str, Any]


class Command(NamedTuple):
    """A command of a player and its payload."""

    type: str
    payload: dict[str, Any]


class Sight(Protocol):
    """What one player sees at one moment, and the questions that she may ask about it."""

    @property
    def view(self) -> View:
        """The pages `map` and `orders` of the game in one, as the player's token gets them."""
        ...

    def ask(self, type: str, /, **question: Any) -> View | None:
        """The rules' answer to a question (`POST /games/{id}/advice`); None if they refuse to answer."""
        ...


class Bot(Protocol):
    """A player. It may remember what it did; what it knows of the game it has from `choose` alone."""

    def choose(self, sight: Sight, /) -> Command | None:
        """The next command, or None if the player has nothing to do before something happens."""
        ...
