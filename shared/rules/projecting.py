"""What the projections of all games have in common: audiences of documents, and writes that many events make."""

from collections.abc import Callable, Iterable
from typing import Any

from shared.rules.interface import Event, Write

PUBLIC, OPERATORS = "public", ""
"""Audiences of a document: everybody, and operators alone."""
Projection = Callable[[Event], Iterable[Write]]
"""What an event of one type writes into views."""


def nothing(event: Event) -> Iterable[Write]:
    """Told in feeds alone, or to nobody; the documents learn it from other events."""
    return ()


def game_write(**fields: Any) -> Write:
    """Fields of the game's own document, which everybody sees."""
    return Write("game", "game", PUBLIC, fields)
