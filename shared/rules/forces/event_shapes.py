"""Forms that several event types share."""

from collections.abc import Mapping

from shared.rules.forces.board import KINDS
from shared.rules.forces.tables import COMBAT, FACTORY, TYPES
from shared.rules.shapes import Array, Boolean, Choice, Id, Integer, Maybe, Object, Shape, Text

ID = Id()
COUNT = Integer(0)
SEAT = Integer(1)
YEAR = Integer(0)
TIME = Integer()
COMBAT_TYPE = Choice(COMBAT)
TYPE = Choice(TYPES)
SCOPE: Mapping[str, Shape] = {"scope": Maybe(Text(80)), "draws": COUNT}
"""Where it was drawn and with how many draws; null and 0 where nothing was (ENG-10)."""
TIMES: Mapping[str, Shape] = {"opened_at": TIME, "deadline": Maybe(TIME)}
COUNTS = Object(dict.fromkeys(COMBAT, COUNT))
"""Combat Forces by type."""
START_FORCES = Object({**dict.fromkeys(COMBAT, COUNT), FACTORY: Boolean()})
CENTROID = Maybe(Object({"x": Integer(), "y": Integer()}))
ZONE_ENTRY: Mapping[str, Shape] = {
    "name": Text(),
    "centroid": CENTROID,
    "kind": Choice(KINDS),
    "income": COUNT,
    "neighbours": Array(ID),
    "start_forces": START_FORCES,
}
"""Map data of a zone (FOR-16)."""
PURCHASE = Object({"type": TYPE, "zone": ID, "count": Integer(1)})
MOVE = Object({"from": ID, "type": COMBAT_TYPE, "count": Integer(1), "path": Array(ID)})
"""Items of an accepted submission (FOR-21)."""
