"""Forms of the canonical state (FOR-15 to FOR-17, FOR-101)."""

from shared.rules.forces.event_shapes import COUNT, COUNTS, ID, MOVE, PURCHASE, SEAT, YEAR, ZONE_ENTRY
from shared.rules.forces.state import ACTIVE, ELIMINATED, ENDINGS, PHASES
from shared.rules.shapes import Anything, Array, Boolean, Choice, Integer, Keyed, Maybe, Object

SUBMISSION = Object({"purchases": Array(PURCHASE), "moves": Array(MOVE), "seq": Integer(1)})
PLAYER = Object(
    {
        "id": ID,
        "joined": Integer(1),
        "seat": Maybe(SEAT),
        "status": Choice((ACTIVE, ELIMINATED)),
        "eliminated_year": Maybe(YEAR),
        "credits": COUNT,
        "capital": Maybe(ID),
        "submission": Maybe(SUBMISSION),
        "last_income": COUNT,
    }
)
ZONE = Object(
    {"id": ID, **ZONE_ENTRY, "owner": Maybe(SEAT), "factory": Boolean(), "picked": Boolean(), "forces": Keyed(COUNTS)}
)
FORM = Object(
    {
        "phase": Choice(PHASES),
        "year": Maybe(YEAR),
        "opened_at": Maybe(Integer()),
        "deadline": Maybe(Integer()),
        "pick_index": COUNT,
        "winner": Array(SEAT),
        "condition": Maybe(Choice(ENDINGS)),
        "ranking": Array(Array(SEAT)),
        "config": Keyed(Anything(), keys_are_ids=False),
        "zones": Keyed(ZONE),
        "players": Keyed(PLAYER),
    }
)
"""The whole canonical state."""
