"""Event types of submissions and of the resolution of a year, in its order (section 9), and of the end."""

from collections.abc import Mapping

from shared.rules.event_rows import types
from shared.rules.forces.event_shapes import (
    COMBAT_TYPE,
    COUNT,
    COUNTS,
    ID,
    MOVE,
    PURCHASE,
    SCOPE,
    SEAT,
    TIMES,
    TYPE,
    YEAR,
)
from shared.rules.forces.state import ENDINGS
from shared.rules.interface import EventType
from shared.rules.shapes import Array, Boolean, Choice, Integer, Maybe

NOT_PRODUCED = ("zone_lost", "contested", "eliminated")
ELIMINATIONS = ("capital_lost", "no_zones_and_forces", "no_zones", "resigned", "removed")

YEAR_EVENTS: Mapping[str, EventType] = types(
    1,
    (
        ("year_opened", {"year": YEAR, **TIMES}, "Public. The phase is `year`; nobody has submitted."),
        ("turn_submitted", {"year": YEAR, "seat": SEAT}, "Public. She has submitted; once a year."),
        (
            "submission_stored",
            {"year": YEAR, "seat": SEAT, "purchases": Array(PURCHASE), "moves": Array(MOVE)},
            "Player. Her whole submission, in the place of the one before.",
        ),
        (
            "submission_numbered",
            {"year": YEAR, "seat": SEAT, "seq": Integer(1)},
            "Operators. The number of the judgement that stores what follows; from it others' could be counted.",
        ),
        (
            "paid",
            {"seat": SEAT, "amount": COUNT, "credits": COUNT},
            "Public, or the player with `credits_public` false. What her purchases cost, and what is left.",
        ),
        (
            "moved",
            {
                "seat": SEAT,
                "item": COUNT,
                "step": Integer(1),
                "from": ID,
                "to": ID,
                "type": COMBAT_TYPE,
                "count": Integer(1),
                "left": COUNT,
                "there": COUNT,
            },
            "Public. `item` is the move in her list; so many of that type are hers in `from` and in `to` afterwards.",
        ),
        (
            "stopped",
            {"seat": SEAT, "item": COUNT, "zone": ID, "type": COMBAT_TYPE, "count": Integer(1)},
            "Public. A foreign combat Force stands there: the second step is not taken.",
        ),
        (
            "combat_roll",
            {
                **SCOPE,
                "year": YEAR,
                "zone": ID,
                "number": Integer(1),
                "seat": SEAT,
                "type": COMBAT_TYPE,
                "r": Integer(0, 99),
                "odds": COUNT,
                "hit": Boolean(),
            },
            "Public. One die; `number` counts those of the zone.",
        ),
        (
            "casualty",
            {
                **SCOPE,
                "year": YEAR,
                "zone": ID,
                "number": Integer(1),
                "by": SEAT,
                "seat": SEAT,
                "type": COMBAT_TYPE,
                "of": Integer(1),
                "pick": Maybe(COUNT),
                "left": COUNT,
            },
            "Public. A hit of `by` removes one Force of `seat`, of which `left` of that type stand there. It was drawn "
            "from `of` Forces as number `pick`, null where nothing was drawn. `number` counts those of the zone.",
        ),
        (
            "zone_taken",
            {"zone": ID, "seat": SEAT, "from": Maybe(SEAT)},
            "Public. The zone's owner is `seat`; `from` null: it was neutral.",
        ),
        ("zone_neutral", {"zone": ID, "from": SEAT}, "Public. The zone has no owner."),
        (
            "factory_captured",
            {"zone": ID, "seat": SEAT, "from": Maybe(SEAT)},
            "Public. The factory went with the zone.",
        ),
        (
            "player_eliminated",
            {"seat": SEAT, "year": Maybe(YEAR), "reason": Choice(ELIMINATIONS)},
            "Public. She is out and has no submission; null before the first year. What was hers goes in "
            "`forces_removed`, `zone_neutral` and `zone_taken`.",
        ),
        ("forces_removed", {"seat": SEAT, "zone": ID, "forces": COUNTS}, "Public. These were all of hers there."),
        (
            "placed",
            {"seat": SEAT, "item": COUNT, "zone": ID, "type": TYPE, "count": Integer(1), "there": COUNT},
            "Public. `item` is the purchase in her list; so many of that type are her own there afterwards.",
        ),
        (
            "not_produced",
            {
                "seat": SEAT,
                "item": COUNT,
                "zone": ID,
                "type": TYPE,
                "count": Integer(1),
                "reason": Choice(NOT_PRODUCED),
            },
            "Public. Nothing is placed for this purchase.",
        ),
        (
            "refunded",
            {"seat": SEAT, "item": COUNT, "amount": COUNT, "credits": COUNT},
            "Public, or the player with `credits_public` false. Credits afterwards.",
        ),
        (
            "income",
            {"seat": SEAT, "amount": COUNT, "credits": COUNT},
            "Public, or the player with `credits_public` false. 0 without the capital. Credits afterwards.",
        ),
        (
            "year_resolved",
            {"year": YEAR, "by": Choice(("players", "clock", "operator")), "seats": Array(SEAT)},
            "Public. The year is over: everybody had submitted, or it was closed. `seats` are those who are still in.",
        ),
        (
            "game_ended",
            {"winner": Array(SEAT), "condition": Choice(ENDINGS), "ranking": Array(Array(SEAT))},
            "Public. The phase is `ended`, `deadline` null, submissions are gone. The ranks, each a list of seats.",
        ),
    ),
)
