"""Tables of event types, and large events in parts: the same in every game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from shared.rules.interface import EventType
from shared.rules.shapes import Integer, Object, Shape

T = TypeVar("T")

PARTS: Mapping[str, Shape] = {"part": Integer(1), "parts": Integer(1)}
"""Fields of an event that is cut: part i of n, from 1."""
_JOURNAL_ONLY = "Journal."


def types(version: int, rows: Sequence[tuple[str, Mapping[str, Shape] | Object, str]]) -> dict[str, EventType]:
    """The types of rows (name, data, summary); one whose summary begins with `Journal.` is of the journal alone."""
    return {
        name: EventType(
            name,
            version,
            data if isinstance(data, Object) else Object(data),
            summary,
            summary.startswith(_JOURNAL_ONLY),
        )
        for name, data, summary in rows
    }


def parts_of(entries: Sequence[T], size: int) -> Iterator[tuple[int, int, Sequence[T]]]:
    """Cut entries into parts of at most `size`: part, parts, entries of the part. Nothing gives no part."""
    parts = -(-len(entries) // size)
    for part in range(parts):
        yield part + 1, parts, entries[part * size : (part + 1) * size]
