"""Forms of the canonical state (GXC-13 to GXC-18)."""

from shared.rules.gxc.event_shapes import CENTROID, COUNT, ID, YES_NO
from shared.rules.gxc.state import BONUSES, ENDED, LOBBY, PLAYER_STATUSES, POLL_KINDS, POLL_RESULTS, RUNNING
from shared.rules.gxc.state import TEAM_STATUSES as STATUSES
from shared.rules.shapes import Anything, Array, Boolean, Choice, Integer, Keyed, Maybe, Object, Text

ORDER = Object(
    {
        "move_to": Maybe(ID),
        "attack": Maybe(Object({"target": ID, "energy": Integer(1)})),
        "defend": COUNT,
        "seq": COUNT,
    }
)
PLAYER = Object(
    {
        "team": ID,
        "status": Choice(PLAYER_STATUSES),
        "location": Maybe(ID),
        "energy": COUNT,
        "turn_start_location": Maybe(ID),
        "energized_turn": COUNT,
        "streak": COUNT,
        "order": Maybe(ORDER),
    }
)
TERRITORY = Object(
    {"name": Text(), "neighbours": Array(ID), "centroid": CENTROID, "special": Maybe(Text()), "owner": Maybe(ID)}
)
TEAM = Object(
    {
        "name": Text(),
        "status": Choice(STATUSES),
        "eliminated_at": Maybe(Object({"turn": COUNT, "step": COUNT})),
        "commander_ever": Boolean(),
        "commanders": Array(ID),
        "shield": Object({"used": Boolean(), "turns_left": COUNT, "protected": Array(ID)}),
        "shield_votes": Keyed(YES_NO),
        "conquered_last_turn": Boolean(),
        "conquests_total": COUNT,
        "empire": COUNT,
        "suspended_bonuses": Array(Choice(BONUSES)),
        "battle_plan": Maybe(Object({"message": ID, "hash": Maybe(Text()), "author": ID, "seq": COUNT})),
    }
)
NOMINATION = Object({"team": ID, "kind": Choice(POLL_KINDS), "target": ID, "nominators": Array(ID)})
POLL = Object(
    {
        "team": ID,
        "kind": Choice(POLL_KINDS),
        "target": ID,
        "opened_turn": COUNT,
        "closes_turn": COUNT,
        "votes": Keyed(YES_NO),
        "result": Maybe(Choice(POLL_RESULTS)),
    }
)
FORM = Object(
    {
        "phase": Choice((LOBBY, RUNNING, ENDED)),
        "turn": COUNT,
        "turn_opened_at": Maybe(Integer()),
        "turn_deadline": Maybe(Integer()),
        "clock_closed_at": Maybe(Integer()),
        "winner": Maybe(ID),
        "ranking": Array(Object({"team": ID, "rank": Integer(1)})),
        "nominations": Array(NOMINATION),
        "polls": Keyed(POLL, keys_are_ids=False),
        "config": Keyed(Anything(), keys_are_ids=False),
        "assignments": Keyed(ID),
        "teams": Keyed(TEAM),
    }
)
"""Everything but players and territories, which decoding.py reads as columns."""
