"""Forms that several event types and the canonical state share."""

from collections.abc import Mapping, Sequence

from shared.rules.interface import EventType
from shared.rules.shapes import Array, Choice, Id, Integer, Keyed, Object, Shape

ID = Id()
FULL_ID = Id(("C:", "D:"))
COUNT = Integer(0)
CHALLENGE = Integer(1)
TIME = Integer()
SIDE = Choice(("C", "D"))
SQUARE = Array(Integer(), 2)
"""Column and row."""
PLAYERS = Array(ID, 2)
"""The challenger and the challenged."""
HANGAR = Keyed(COUNT)
"""Craft owned per class."""


def types(version: int, rows: Sequence[tuple[str, Mapping[str, Shape], str]]) -> dict[str, EventType]:
    """The types of some rows."""
    return {name: EventType(name, version, Object(data), summary) for name, data, summary in rows}
