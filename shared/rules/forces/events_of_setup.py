"""Event types of creation, lobby, picking, capitals and operators."""

from collections.abc import Mapping

from shared.rules.deadlines import time_events
from shared.rules.event_rows import PARTS, types
from shared.rules.forces.event_shapes import COUNT, COUNTS, ID, SCOPE, SEAT, TIMES, ZONE_ENTRY
from shared.rules.interface import EventType
from shared.rules.shapes import Anything, Array, Boolean, Choice, Integer, Keyed, Object

_SETUP = types(
    1,
    (
        (
            "game_created",
            {"config": Anything(), "zones": COUNT},
            "Public. The whole configuration with defaults, and how many zones `map_zones` brings.",
        ),
        (
            "map_zones",
            {**PARTS, "zones": Keyed(Object(ZONE_ENTRY))},
            "Public. A part of the map; nobody owns anything yet, factories stand as `start_forces` says.",
        ),
        ("joined", {"player": ID, "joined": Integer(1)}, "Public. `joined` counts the accepted joins."),
        ("left", {"player": ID}, "Public. She is no more in the lobby."),
        (
            "seats_given",
            {**SCOPE, "seats": Array(ID), "credits_public": Boolean()},
            "Public. Players by seat; null scope where they sit in the order of joining. Nobody has credits yet, and "
            "whether they will be shown to all.",
        ),
        (
            "zones_shuffled",
            {**SCOPE, **PARTS, "zones": Array(ID)},
            "Public. The land zones in the order in which they are dealt; draws are those of all parts.",
        ),
        (
            "pick_opened",
            {"pick_index": COUNT, "seat": SEAT, **TIMES},
            "Public. The phase is `picking`, and it is this seat's pick.",
        ),
        (
            "zone_picked",
            {
                "zone": ID,
                "seat": SEAT,
                "pick_index": COUNT,
                "forces": COUNTS,
                "by": Choice(("player", "clock", "operator", "deal")),
            },
            "Public. The zone is the seat's, and `forces` are all of its Forces there. `pick_index`: which pick.",
        ),
        ("capitals_opened", TIMES, "Public. The phase is `capitals`."),
        (
            "capital_chosen",
            {"seat": SEAT, "zone": ID, "by": Choice(("player", "clock", "operator"))},
            "Player. Her choice, which may be changed until `capitals_revealed`.",
        ),
        ("capital_dropped", {"seat": SEAT}, "Player. She leaves before the reveal, and her choice lapses."),
        ("capitals_revealed", {"capitals": Keyed(ID)}, "Public. The capital of each active seat."),
        (
            "credits_granted",
            {"seat": SEAT, "amount": COUNT, "credits": COUNT},
            "Public, or the player with `credits_public` false. Starting credits, and what she has afterwards.",
        ),
    ),
)

SETUP_EVENTS: Mapping[str, EventType] = {
    **_SETUP,
    **time_events(
        "Public. The deadline of the open pick, phase or year; null: the clock closes nothing.",
        "Public. Opening and deadline of the open pick, phase or year afterwards.",
    ),
}
