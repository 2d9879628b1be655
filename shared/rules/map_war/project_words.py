"""Writes that many events make."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.rules.interface import Event, Write

PUBLIC, OPERATORS = "public", ""


def nothing(event: Event) -> Iterable[Write]:
    """Told in feeds alone, or to nobody; the documents learn it from other events."""
    return ()


def game(**fields: Any) -> Write:
    """Fields of the game."""
    return Write("game", "game", PUBLIC, fields)


def nation(id_: str, **fields: Any) -> Write:
    """Fields of a nation."""
    return Write("nation", id_, PUBLIC, fields)


def zone(id_: str, **fields: Any) -> Write:
    """Fields of a zone."""
    return Write("zone", id_, PUBLIC, fields)


def piece(number: int, **fields: Any) -> Write:
    """Fields of a piece; ascending ids are ascending numbers."""
    return Write("piece", f"{number:08}", PUBLIC, fields)


def stocks(data: Mapping[str, Any]) -> Iterator[Write]:
    """The stocks behind a ledger."""
    for id_, amounts in data["stocks"].items():
        yield nation(id_, **amounts)
