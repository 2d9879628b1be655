"""Writes that many events make."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.interface import Write
from shared.rules.projecting import PUBLIC


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
