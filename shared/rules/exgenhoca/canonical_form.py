"""Forms of the canonical state (EXG-13 to EXG-15)."""

from shared.rules.exgenhoca.event_shapes import (
    CENTROID,
    COUNT,
    EFFECT,
    ID,
    INVENTORY,
    PENALTIES,
    PENDING,
    POLICY,
    SEAT,
)
from shared.rules.exgenhoca.objectives import OBJECTIVE
from shared.rules.exgenhoca.state import ACTIVE, ELIMINATED, END_REASONS, ENDED, LOBBY, RUNNING
from shared.rules.shapes import Anything, Array, Boolean, Choice, Integer, Keyed, Maybe, Object, Text

PLAYER = Object(
    {
        "seat": SEAT,
        "id": ID,
        "status": Choice((ACTIVE, ELIMINATED)),
        "eliminated_at": Maybe(Object({"round": COUNT, "order": Integer(1)})),
        "eliminated_by": Maybe(SEAT),
        "objective": Maybe(OBJECTIVE),
        "attacks_left": COUNT,
        "global_attacks": COUNT,
        "attacks_made": COUNT,
        "repeat_used": Boolean(),
        "cooldown": Keyed(COUNT),
        "attacked_this_round": Array(ID),
        "idle_row": COUNT,
        "idle_total": COUNT,
        "passed": Boolean(),
        "inventory": INVENTORY,
        "penalties": PENALTIES,
        "counts_idle": Boolean(),
        "pending": Maybe(PENDING),
        "policy": POLICY,
        "conquests": COUNT,
    }
)
TERRITORY = Object(
    {
        "id": ID,
        "name": Text(),
        "label": Text(),
        "continent": ID,
        "neighbours": Array(ID),
        "centroid": Maybe(CENTROID),
        "owner": Maybe(SEAT),
        "token": Maybe(EFFECT),
    }
)
FORM = Object(
    {
        "phase": Choice((LOBBY, RUNNING, ENDED)),
        "round": COUNT,
        "round_opened_at": Maybe(Integer()),
        "round_deadline": Maybe(Integer()),
        "attack_count": COUNT,
        "winner": Maybe(SEAT),
        "end_reason": Maybe(Choice(END_REASONS)),
        "ranking": Array(SEAT),
        "points": Keyed(COUNT),
        "config": Keyed(Anything(), keys_are_ids=False),
        "continents": Keyed(Object({"name": Text(), "label": Text()})),
        "territories": Keyed(TERRITORY),
        "players": Keyed(PLAYER),
    }
)
"""The whole canonical state."""
