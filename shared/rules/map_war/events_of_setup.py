"""Event types of creation, start, periods and operators."""

from collections.abc import Mapping

from shared.rules.deadlines import time_events
from shared.rules.event_rows import types
from shared.rules.interface import EventType
from shared.rules.map_war.board import KINDS
from shared.rules.map_war.event_shapes import AMOUNT, CENTROID, COUNT, ID, LEDGER, PART, TIME, TURN
from shared.rules.map_war.state import FIX, NATION_KINDS, ORDERS, START
from shared.rules.shapes import Anything, Array, Choice, Keyed, Maybe, Object, Text

_ZONE = Object(
    {
        "kind": Choice(KINDS),
        "neighbours": Array(ID),
        "city_max": COUNT,
        "name": Maybe(Text()),
        "centroid": Maybe(CENTROID),
    }
)
_STANDING = Object(
    {"nation": ID, "zones": COUNT, "currency": AMOUNT, "technology": AMOUNT, "eliminated_turn": Maybe(TURN)}
)

_SETUP = types(
    1,
    (
        (
            "game_created",
            {"players": Array(ID), "config": Anything(), "zones": COUNT},
            "Public. Players of the creation, the whole configuration, and how many zones `map_zones` brings.",
        ),
        (
            "map_zones",
            {**PART, "zones": Keyed(_ZONE)},
            "Public. A part of the map; nobody owns anything, and nothing stands anywhere yet.",
        ),
        ("player_joined", {"player": ID}, "Public. The player may choose where to start."),
        (
            "nation_founded",
            {
                "nation": ID,
                "kind": Choice(NATION_KINDS),
                "player": Maybe(ID),
                "name": Text(),
                "color": Text(),
                "zone": Maybe(ID),
                "left": Maybe(ID),
                "turn": TURN,
                **LEDGER,
            },
            "Public. A nation with its start zone, which is its home; `left` is the zone of an earlier choice, without "
            "owner again. Barbaria has no zone.",
        ),
        (
            "players_left_out",
            {"players": Array(ID)},
            "Public. Turn 1 closed without a choice of these; they take no part.",
        ),
        (
            "turn_opened",
            {
                "turn": TURN,
                "phase": Choice((START, ORDERS)),
                "opened_at": TIME,
                "deadline": TIME,
                "began_with": COUNT,
            },
            "Public. No submission was made yet. `began_with` is how many player nations the game began with, 0 in "
            "turn 1.",
        ),
        (
            "fix_opened",
            {"turn": TURN, "nations": Array(ID), "deadline": TIME},
            "Public. The phase is `fix`: these nations have faulty submissions, and they alone may submit.",
        ),
        (
            "turn_closed",
            {
                "turn": TURN,
                "phase": Choice((START, ORDERS, FIX)),
                "closed_at": TIME,
                "by": Choice(("clock", "operator", "players")),
                "scoreboard": Array(_STANDING),
            },
            "Public. By `clock`, `operator`, or `players` of whom all had their orders given. Submissions are gone.",
        ),
        (
            "game_ended",
            {"turn": TURN, "winner": Maybe(ID), "ranking": Array(ID), "reason": Choice(("every_zone", "last_player"))},
            "Public. The winner owns every zone, or is the only player nation with one.",
        ),
    ),
)
_TIMES = time_events(
    "Public. The deadline of the open turn or correction; null: paused.",
    "Public. Opening of the turn and deadline afterwards.",
)

SETUP_EVENTS: Mapping[str, EventType] = {**_SETUP, **_TIMES}
