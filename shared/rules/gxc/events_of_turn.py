"""Event types of the closing and opening of a turn."""

from collections.abc import Mapping

from shared.rules.event_rows import PARTS, types
from shared.rules.gxc.event_shapes import COUNT, ID, ORDER, PART, TIME, TURN
from shared.rules.interface import EventType
from shared.rules.shapes import Array, Boolean, Choice, Integer, Keyed, Maybe, Object, OneOf, Text

DUEL = Array(OneOf((Integer(0), ID)), 5)
"""[step, a, b, winner, what is left of the winner's stack]; a is the side named first or the attacker."""
REVEALED = Array(OneOf((Maybe(ID), COUNT)), 5)
"""[player, move_to, target, attack energy, defend]; null and 0 where the order has no such part."""

TURN_EVENTS: Mapping[str, EventType] = types(
    1,
    (
        (
            "orders_revealed",
            {**PARTS, "turn": TURN, "orders": Array(REVEALED, PART)},
            "Public. The orders as they stood when the turn closed: [player, move_to, target, attack energy, defend].",
        ),
        (
            "order_voided",
            {"player": ID, "part": Choice(("move", "attack")), "code": Text(), **ORDER},
            "Public. A part that had become impossible (GXC-40) and the order that is carried out instead.",
        ),
        (
            "moved",
            {"player": ID, "from": ID, "to": ID, "cost": COUNT},
            "Public. She stands on `to`; the cost is paid.",
        ),
        (
            "battle",
            {
                "scope": Text(),
                "draws": COUNT,
                "stage": Choice(("border", "melee", "siege")),
                "place": Text(),
                **PARTS,
                "duels": Array(DUEL, PART),
            },
            "Public. One stage of the fighting at a border `<x>:<y>` or a territory; `draws` of the whole stage. A "
            "duel is [step, a, b, winner, left], a named first or attacking; the loser's stack is 0 (ENG-10).",
        ),
        (
            "assaults_ordered",
            {"scope": Text(), "draws": COUNT, **PARTS, "targets": Array(ID, PART)},
            "Public. The order in which the targets are assaulted.",
        ),
        (
            "captured",
            {"step": Integer(1), "territory": ID, "from": Maybe(ID), "to": ID},
            "Public. The territory's owner is team `to`.",
        ),
        ("moved_in", {"player": ID, "from": ID, "to": ID}, "Public. She stands on the captured territory `to`."),
        ("retreated", {"player": ID, "from": ID, "to": ID}, "Public. She stands on `to`, the nearest of her team."),
        (
            "energies",
            {**PARTS, "team": ID, "energy": Keyed(COUNT)},
            "Team. Energy after the turn of each player whose energy changed.",
        ),
        (
            "team_eliminated",
            {"team": ID, "turn": TURN, "step": COUNT},
            "Public. Step of its last loss (GXC-93); `players_out` follows.",
        ),
        (
            "conquests_counted",
            {"team": ID, "conquered_last_turn": Boolean(), "conquests_total": COUNT},
            "Public. Emitted where one of the two changes.",
        ),
        (
            "turn_closed",
            {"turn": TURN, "closed_at": TIME, "by": Choice(("clock", "operator"))},
            "Public. All orders are gone; whoever did not energize in this turn has streak 0.",
        ),
        (
            "turn_opened",
            {"turn": Integer(1), "opened_at": TIME, "deadline": TIME},
            "Public. The phase is `running`; everybody's start location is where she stands.",
        ),
        (
            "empires_measured",
            {"turn": Integer(1), "empires": Keyed(COUNT)},
            "Public. Size of the largest connected group of each active team at the opening.",
        ),
        (
            "strength",
            {
                **PARTS,
                "turn": Integer(1),
                "team": Maybe(ID),
                "territories": Keyed(Array(COUNT, 2)),
            },
            "Public with `team` null, or the team with its own territories (`public_energy` false). Territory -> "
            "[players, sum of their energy] at the opening; a territory that is not named has none.",
        ),
        (
            "game_ended",
            {
                "winner": Maybe(ID),
                "ranking": Array(Object({"team": ID, "rank": Integer(1)})),
            },
            "Public. The phase is `ended`, `turn_deadline` null.",
        ),
    ),
)
