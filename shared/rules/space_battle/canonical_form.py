"""Forms of the canonical state (SPB-13 to SPB-17, SPB-101)."""

from shared.rules.shapes import Anything, Boolean, Choice, Integer, Keyed, Maybe, Object
from shared.rules.space_battle.event_shapes import CHALLENGE, COUNT, FULL_ID, HANGAR, ID, SIDE, TIME
from shared.rules.space_battle.state import PHASES, RESULTS, STATUSES

PLAYER = Object({"hangar": HANGAR, "experience": Integer()})
CHALLENGE_FORM = Object(
    {
        "id": CHALLENGE,
        "challenger": ID,
        "challenged": ID,
        "status": Choice(STATUSES),
        "expires_at": TIME,
        "number": Maybe(Integer(1)),
        "proposed_time": Maybe(TIME),
        "proposed_by": Maybe(ID),
        "staff_requested": Boolean(),
        "start_time": Maybe(TIME),
    }
)
CRAFT = Object(
    {
        "id": FULL_ID,
        "side": SIDE,
        "class": ID,
        "col": Integer(1),
        "row": Integer(1),
        "shots_left": COUNT,
        "damage": COUNT,
        "alive": Boolean(),
    }
)
MINE = Object({"id": FULL_ID, "side": SIDE, "col": Integer(1), "row": Integer(1), "live": Boolean()})
FORM = Object(
    {
        "phase": Maybe(Choice(PHASES)),
        "ready": Object({"C": Boolean(), "D": Boolean()}),
        "to_move": Maybe(SIDE),
        "move_no": COUNT,
        "move_started_at": Maybe(TIME),
        "moved_this_move": Boolean(),
        "warned": Boolean(),
        "lapsed": Boolean(),
        "forfeits": Object({"C": COUNT, "D": COUNT}),
        "quiet_moves": COUNT,
        "result": Maybe(Choice(RESULTS)),
        "winner": Maybe(SIDE),
        "config": Keyed(Anything(), keys_are_ids=False),
        "players": Keyed(PLAYER),
        "challenges": Keyed(CHALLENGE_FORM),
        "craft": Keyed(CRAFT, keys_are_ids=False),
        "mines": Keyed(MINE, keys_are_ids=False),
    }
)
"""The whole canonical state."""
