"""Forms that several event types share."""

from collections.abc import Mapping, Sequence

from shared.rules.gxc.state import POLL_KINDS
from shared.rules.interface import EventType
from shared.rules.shapes import Choice, Id, Integer, Maybe, Object, Shape, Text

PART = 500
"""Most entries of one part of an event (GXC-104)."""

ID = Id()
INTEGER = Integer()
COUNT = Integer(0)
TURN = Integer(0)
TIME = Integer()
POLL_ID = Text(80)
YES_NO = Choice(("yes", "no"))
PARTS: Mapping[str, Shape] = {"part": Integer(1), "parts": Integer(1)}
"""Part i of n, from 1."""
ATTACK = Maybe(Object({"target": ID, "energy": COUNT}))
ORDER: Mapping[str, Shape] = {"move_to": Maybe(ID), "attack": ATTACK, "defend": COUNT}
NOMINATION: Mapping[str, Shape] = {"team": ID, "kind": Choice(POLL_KINDS), "target": ID}
CENTROID = Object({"x": INTEGER, "y": INTEGER})
REASON = Choice(("schedule", "pause", "credit", "operator"))


def types(version: int, rows: Sequence[tuple[str, Mapping[str, Shape] | Object, str]]) -> dict[str, EventType]:
    return {
        name: EventType(name, version, data if isinstance(data, Object) else Object(data), summary)
        for name, data, summary in rows
    }
