"""Forms that several event types share."""

from collections.abc import Mapping

from shared.rules.gxc.state import POLL_KINDS
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
ATTACK = Maybe(Object({"target": ID, "energy": COUNT}))
ORDER: Mapping[str, Shape] = {"move_to": Maybe(ID), "attack": ATTACK, "defend": COUNT}
NOMINATION: Mapping[str, Shape] = {"team": ID, "kind": Choice(POLL_KINDS), "target": ID}
CENTROID = Object({"x": INTEGER, "y": INTEGER})
