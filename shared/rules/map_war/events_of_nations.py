"""Event types of submissions, deals, and nations that lose or regain their ruler."""

from collections.abc import Mapping

from shared.rules.event_rows import types
from shared.rules.interface import EventType
from shared.rules.map_war.event_shapes import COUNT, DEAL_KIND, ID, LEDGER, NUMBER, ORDERS, TERMS, TURN
from shared.rules.shapes import Array, Choice, Keyed, Maybe, Shape, Text

_DEAL: Mapping[str, Shape] = {"deal": NUMBER, "kind": DEAL_KIND, "from": ID, "to": ID, "terms": TERMS}

NATION_EVENTS: Mapping[str, EventType] = types(
    1,
    (
        (
            "submission_made",
            {"nation": ID, "turn": TURN},
            "Public. The nation has submitted, for the first time in this turn (MAP-98).",
        ),
        (
            "turn_submitted",
            {
                "nation": ID,
                "turn": TURN,
                "orders": ORDERS,
                "faults": Array(Text()),
                "items": Array(Text()),
            },
            "Public, or Player. All orders, the code of each faulty item, and beside it which item; it replaces an "
            "earlier submission.",
        ),
        (
            "submission_numbered",
            {"nation": ID, "seq": NUMBER},
            "Operators. The number of the judgement that stored the submission just before: their order (MAP-47).",
        ),
        (
            "items_dropped",
            {"nation": ID, "orders": ORDERS, "faults": Array(Text()), "items": Array(Text())},
            "Public, or Player. The orders that are left when what was still faulty is dropped.",
        ),
        (
            "deal_offered",
            {**_DEAL, "until_turn": Maybe(TURN)},
            "Player. Both sides of an offer; `from` and `to` are `a` and `b` of an agreement.",
        ),
        (
            "deal_accepted",
            {"deal": NUMBER},
            "Player. Both sides: it is carried out when the turn is resolved.",
        ),
        (
            "acceptance_numbered",
            {"deal": NUMBER, "accepted_seq": NUMBER},
            "Operators. The number of the judgement that accepted the deal just before: their order (MAP-83).",
        ),
        (
            "agreement_begun",
            {**_DEAL, "turn": TURN},
            "Public. The agreement is in force from this turn on.",
        ),
        (
            "agreement_ending",
            {"deal": NUMBER, "by": ID, "ends_turn": TURN},
            "Player. Both sides: it counts in this turn for the last time.",
        ),
        (
            "agreement_ended",
            {"deal": NUMBER, "reason": Choice(("ended", "rulerless", "eliminated"))},
            "Public once it was in force, else Player. It is done.",
        ),
        (
            "deal_done",
            {**_DEAL, "zones": Keyed(ID), "turn": TURN, **LEDGER},
            "Public. An exchange or sale was carried out; zone -> owner afterwards, acquired in this turn.",
        ),
        (
            "deal_void",
            {
                "deal": NUMBER,
                "reason": Choice(
                    ("declined", "withdrawn", "expired", "lacking", "zone_lost", "rulerless", "eliminated")
                ),
            },
            "Player. Both sides: the offer or deal is void.",
        ),
        (
            "nation_rulerless",
            {"nation": ID, "ownerless_since": TURN, "reason": Choice(("abandoned", "inactive", "npc"))},
            "Public. From now on it has no ruler and gives no orders; its submission is gone.",
        ),
        ("nation_rejoined", {"nation": ID}, "Public. Its player rules it again."),
        (
            "inactivity_counted",
            {"missed": Keyed(COUNT)},
            "Public. Turns in a row without submission, afterwards, of the nations for whom the number changes.",
        ),
        ("war_declared", {"nation": ID, "npc": ID}, "Public. It conquered a zone of an NPC nation."),
    ),
)
