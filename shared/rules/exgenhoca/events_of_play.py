"""Event types of attacks and what follows from them, of choices, eliminations and the end."""

from collections.abc import Mapping

from shared.rules.event_rows import types
from shared.rules.exgenhoca.event_shapes import (
    COUNT,
    EFFECT,
    ID,
    INVENTORY,
    PENALTIES,
    PENDING,
    ROUND,
    SCOPE,
    SEAT,
)
from shared.rules.exgenhoca.objectives import OBJECTIVE
from shared.rules.exgenhoca.state import END_REASONS
from shared.rules.interface import EventType
from shared.rules.shapes import Array, Boolean, Choice, Integer, Keyed, Maybe, Object, Shape

_DICE = Array(Integer(1, 6), 3)
_MODIFIERS = Keyed(Integer())
_ATTACK: Mapping[str, Shape] = {
    "round": ROUND,
    "attack": Integer(1),
    "attacker": SEAT,
    "defender": Maybe(SEAT),
    "target": ID,
}

_ATTACKS = types(
    1,
    (
        (
            "attack_rolled",
            {
                **SCOPE,
                **_ATTACK,
                "roll_no": Integer(1),
                "attack_dice": _DICE,
                "defence_dice": _DICE,
                "A": Integer(),
                "D": Integer(),
                "modifiers": Object({"attack": _MODIFIERS, "defence": _MODIFIERS}),
            },
            "Public. One roll of six dice; `A` and `D` with the modifiers. The last roll of an attack counts.",
        ),
        (
            "attack_resolved",
            {
                **_ATTACK,
                "taken": Boolean(),
                "tie": Maybe(Choice(("oceania", "P6"))),
                "repeat": Boolean(),
                "global": Boolean(),
                "attacks_left": COUNT,
                "global_attacks": COUNT,
                "attacks_made": Integer(1),
                "repeat_used": Boolean(),
                "conquests": COUNT,
            },
            "Public. The target may not be attacked by her for a while; the attacker's counts afterwards. `tie`: by "
            "what a tie was won. She was not idle: `idle_row` is 0. `sa_swapped` or `captured` follows if `taken`.",
        ),
        (
            "extra_attack",
            {"seat": SEAT, "source": Choice(("europe", "P4", "P5")), "attacks_left": COUNT, "global_attacks": COUNT},
            "Public. Her rights afterwards.",
        ),
        (
            "captured",
            {"territory": ID, "from": Maybe(SEAT), "to": SEAT},
            "Public. The territory's owner is seat `to`.",
        ),
        (
            "sa_swapped",
            {"kept": ID, "given": ID, "from": SEAT, "to": SEAT},
            "Public. The loser kept what was taken and handed over `given`, whose owner is `to`.",
        ),
        (
            "effect_revealed",
            {"territory": ID, "effect": EFFECT, "seat": SEAT},
            "Public. The token is removed.",
        ),
        (
            "effect_applied",
            {"seat": SEAT, "effect": EFFECT, "inventory": INVENTORY, "penalties": PENALTIES},
            "Public, or the player with `inventory_public` false. Inventory and penalties afterwards.",
        ),
        (
            "item_used",
            {"seat": SEAT, "effect": EFFECT, "inventory": INVENTORY},
            "As `effect_applied`. Inventory afterwards.",
        ),
        (
            "items_expired",
            {"seat": SEAT, "expired": INVENTORY, "inventory": INVENTORY},
            "As `effect_applied`. Inventory afterwards.",
        ),
        (
            "penalties_changed",
            {"seat": SEAT, "penalties": PENALTIES},
            "As `effect_applied`. One was used up, began or ended; all penalties afterwards.",
        ),
    ),
)

_OTHERS = types(
    1,
    (
        ("choice_pending", {"seat": SEAT, "choice": PENDING}, "Public. She may not attack or pass before she answers."),
        (
            "choice_lapsed",
            {"seat": SEAT, "choice": PENDING, "reason": Choice(("declined", "closed"))},
            "Public. The choice is no more pending, and nothing came of it.",
        ),
        (
            "swapped",
            {"seat": SEAT, "give": ID, "take": ID, "other": Maybe(SEAT)},
            "Public. `take` is hers, `give` belongs to its former owner `other` or to nobody. No choice is pending.",
        ),
        (
            "territory_lost",
            {**SCOPE, "seat": SEAT, "territory": ID},
            "Public. It has no owner. No choice is pending.",
        ),
        ("passed", {"seat": SEAT}, "Public. No more attacks by her in this round."),
        (
            "player_eliminated",
            {
                "seat": SEAT,
                "round": ROUND,
                "order": Integer(1),
                "by": Maybe(SEAT),
                "reason": Choice(("conquest", "loss", "resigned", "inactivity")),
            },
            "Public. She has no items, rights and pending choice. `by`: whose attack took the last territory.",
        ),
        ("territories_released", {"seat": SEAT, "territories": Array(ID)}, "Public. They have no owner."),
        (
            "objective_changed",
            {"seat": SEAT, "objective": OBJECTIVE},
            "Player. Her rival was eliminated by somebody or something else.",
        ),
        (
            "idle_counted",
            {"players": Keyed(Object({"idle_row": COUNT, "idle_total": COUNT}))},
            "Public. By seat, those who made no attack in a round that counts.",
        ),
        (
            "objectives_revealed",
            {"objectives": Keyed(Maybe(OBJECTIVE)), "tokens": Keyed(EFFECT)},
            "Public. Objectives by seat, and the tokens that nobody found.",
        ),
        (
            "game_ended",
            {
                "winner": Maybe(SEAT),
                "reason": Choice(END_REASONS),
                "ranking": Array(SEAT),
                "points": Keyed(COUNT),
            },
            "Public. The phase is `ended`, `round_deadline` null; no rights are left, no choice is pending.",
        ),
    ),
)

PLAY_EVENTS: Mapping[str, EventType] = {**_ATTACKS, **_OTHERS}
