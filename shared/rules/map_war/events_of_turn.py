"""Event types of a turn's resolution, in its order (MAP-82 to MAP-91)."""

from collections.abc import Mapping

from shared.rules.event_rows import types
from shared.rules.interface import EventType
from shared.rules.map_war.commands import FAILURES, ITEM_CODES
from shared.rules.map_war.event_shapes import (
    AMOUNT,
    COUNT,
    DRAW,
    ID,
    LEDGER,
    NUMBER,
    PART,
    PIECE_KIND,
    PRICE,
    STRUCTURE,
    TURN,
)
from shared.rules.shapes import Array, Boolean, Choice, Keyed, Maybe, Text

TURN_EVENTS: Mapping[str, EventType] = types(
    1,
    (
        (
            "order_failed",
            {"nation": ID, "item": Text(), "code": Choice((*ITEM_CODES, *FAILURES))},
            "Public. The item (`claims.0`) could not be carried out and cost nothing.",
        ),
        (
            "piece_moved",
            {
                "piece": NUMBER,
                "kind": PIECE_KIND,
                "nation": ID,
                "from": ID,
                "to": ID,
                "aboard": Maybe(NUMBER),
                "turn": TURN,
                "reason": Choice(("move", "board", "land", "advance")),
            },
            "Public. Where the piece is afterwards; armies aboard a ship go with it.",
        ),
        (
            "zone_claimed",
            {"nation": ID, "zone": ID, "cost": PRICE, "turn": TURN, **LEDGER},
            "Public. An ownerless zone has an owner.",
        ),
        (
            "zone_conquered",
            {"nation": ID, "zone": ID, "from": ID, "support": Array(NUMBER), "cost": PRICE, "turn": TURN, **LEDGER},
            "Public. A zone of another nation was conquered.",
        ),
        (
            "construction_lost",
            {"zone": ID, "structure": STRUCTURE, "reason": Choice(("cancelled", "owner_changed", "degraded"))},
            "Public. What was being built there is gone, without refund.",
        ),
        (
            "construction_started",
            {
                "nation": ID,
                "zone": ID,
                "structure": STRUCTURE,
                "level": NUMBER,
                "steps": NUMBER,
            },
            "Public. The level that is being built, and over how many turns; nothing is paid yet.",
        ),
        (
            "instalment_paid",
            {
                "nation": ID,
                "zone": ID,
                "structure": STRUCTURE,
                "step": NUMBER,
                "steps": NUMBER,
                "cost": PRICE,
                **LEDGER,
            },
            "Public. Instalments paid afterwards; with the first the resources of a defense level are due.",
        ),
        (
            "production",
            {"nation": ID, "efficiency_loss": COUNT, "hungry": Boolean(), "currency_produced": AMOUNT, **LEDGER},
            "Public. Yields, bonuses and upkeep of a nation by cause; what hunger forgave is the cause `hunger`.",
        ),
        ("hungry", {"nation": ID, "supply": AMOUNT, "demand": AMOUNT}, "Public. Food did not suffice in this turn."),
        ("points_gathered", {**PART, "points": Keyed(COUNT)}, "Public. Piece points of zones, before pieces are made."),
        (
            "piece_built",
            {"piece": NUMBER, "kind": PIECE_KIND, "nation": ID, "zone": ID, "points": COUNT},
            "Public. A new piece, and the points that are left in its zone.",
        ),
        (
            "construction_done",
            {"zone": ID, "structure": STRUCTURE, "level": NUMBER},
            "Public. The level works from the next turn on.",
        ),
        (
            "pieces_handed_over",
            {"pieces": Array(NUMBER), "nation": ID},
            "Public. Armies in a zone that changed its owner serve the new one.",
        ),
        (
            "piece_lost",
            {"piece": NUMBER, "reason": Choice(("captured", "barbaria", "eliminated"))},
            "Public. The piece is gone.",
        ),
        ("pollution_moved", {**PART, "pollution": Keyed(COUNT)}, "Public. Pollution of zones after it has spread."),
        ("pollution_emitted", {**PART, "pollution": Keyed(COUNT)}, "Public. Pollution of zones that emitted some."),
        ("pollution_absorbed", {**PART, "pollution": Keyed(COUNT)}, "Public. Pollution of zones that absorbed some."),
        (
            "degraded",
            {"zone": ID, "structure": STRUCTURE, "level": COUNT},
            "Public. A level was lost for want of technology; 0: the structure is gone.",
        ),
        ("riot", {"zone": ID, "nation": ID, **DRAW}, "Public. Whether a hungry city riots."),
        (
            "barbaria_spread",
            {"zone": Maybe(ID), "targets": Array(ID), "target": Maybe(ID), **DRAW},
            "Public. Whether Barbaria spreads from a zone, or as a whole (null), and to which of the targets.",
        ),
        (
            "decay_started",
            {"nation": ID},
            "Public. From the next turn on it may be attacked, and nobody can take it back.",
        ),
        (
            "decayed",
            {"nation": ID, "among": Array(ID), "zone": ID, "scope": Maybe(Text(80)), "draws": COUNT, "r": Maybe(COUNT)},
            "Public. The zone of a decaying nation that the dice picked; r is its place among those in question.",
        ),
        (
            "zone_fell",
            {"zone": ID, "from": ID, "riot_count": COUNT, "turn": TURN},
            "Public. The zone belongs to Barbaria.",
        ),
        ("npc_tested", {"nation": ID, **DRAW}, "Public. Whether an NPC nation becomes rulerless."),
        (
            "nation_eliminated",
            {"nation": ID, "turn": TURN, **LEDGER},
            "Public. It has no zone left; its stocks vanish.",
        ),
    ),
)
