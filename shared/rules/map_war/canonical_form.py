"""Forms of the canonical state (MAP-14 to MAP-18, MAP-105)."""

from shared.rules.map_war.board import KINDS
from shared.rules.map_war.event_shapes import (
    AMOUNT,
    CENTROID,
    CONSTRUCTION,
    COUNT,
    DEAL_KIND,
    ID,
    ITEMS,
    LEVELS,
    NUMBER,
    PIECE_KIND,
    STOCKS,
    TERMS,
    TURN,
)
from shared.rules.map_war.state import (
    ACTIVE,
    DEAL_STATUSES,
    ELIMINATED,
    NATION_KINDS,
    PHASES,
    PLAYER_STATUSES,
)
from shared.rules.map_war.tables import PIECE_POINTS
from shared.rules.shapes import Anything, Array, Boolean, Choice, Integer, Keyed, Maybe, Object, Text

ZONE = Object(
    {
        "id": ID,
        "kind": Choice(KINDS),
        "neighbours": Array(ID),
        "city_max": COUNT,
        "name": Maybe(Text()),
        "centroid": Maybe(CENTROID),
        "owner": Maybe(ID),
        "levels": LEVELS,
        "building": Keyed(CONSTRUCTION),
        "pollution": COUNT,
        "acquired_turn": Maybe(TURN),
        "home_of": Maybe(ID),
        "riot_count": COUNT,
        "piece_points": Integer(0, PIECE_POINTS),
    }
)
SUBMISSION = Object({"seq": COUNT, **ITEMS, "faults": Array(Text()), "items": Array(Text())})
NATION = Object(
    {
        "id": ID,
        "kind": Choice(NATION_KINDS),
        "player": Maybe(ID),
        "name": Text(),
        "color": Text(),
        "founded_turn": TURN,
        **STOCKS.fields,
        "hungry": Boolean(),
        "ownerless_since": Maybe(TURN),
        "decaying": Boolean(),
        "missed": COUNT,
        "status": Choice((ACTIVE, ELIMINATED)),
        "eliminated_turn": Maybe(TURN),
        "currency_last_turn": AMOUNT,
        "submission": Maybe(SUBMISSION),
    }
)
PIECE = Object(
    {"id": NUMBER, "kind": PIECE_KIND, "nation": ID, "zone": ID, "aboard": Maybe(NUMBER), "moved_turn": TURN}
)
DEAL = Object(
    {
        "id": NUMBER,
        "kind": DEAL_KIND,
        "a": ID,
        "b": ID,
        "from": ID,
        "to": ID,
        **TERMS.fields,
        "status": Choice(DEAL_STATUSES),
        "until_turn": Maybe(TURN),
        "accepted_seq": Maybe(NUMBER),
        "begun_turn": Maybe(TURN),
        "ends_turn": Maybe(TURN),
    },
    optional=frozenset({"a", "b", "from", "to", *TERMS.fields}),
)
FORM = Object(
    {
        "phase": Choice(PHASES),
        "turn": NUMBER,
        "opened_at": Maybe(Integer()),
        "deadline": Maybe(Integer()),
        "winner": Maybe(ID),
        "ranking": Array(ID),
        "began_with": COUNT,
        "pieces_made": COUNT,
        "config": Keyed(Anything(), keys_are_ids=False),
        "players": Keyed(Object({"status": Choice(PLAYER_STATUSES)})),
        "zones": Keyed(ZONE),
        "nations": Keyed(NATION),
        "pieces": Keyed(PIECE),
        "deals": Keyed(DEAL),
    }
)
"""The whole canonical state."""
