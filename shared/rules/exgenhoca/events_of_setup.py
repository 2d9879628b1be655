"""Event types of creation, setup, policies and operators."""

from collections.abc import Mapping

from shared.rules.deadlines import time_events
from shared.rules.event_rows import types
from shared.rules.exgenhoca.event_shapes import (
    CENTROID,
    COUNT,
    EFFECT,
    ID,
    POLICY,
    ROUND,
    SCOPE,
    SEAT,
    TIME,
)
from shared.rules.exgenhoca.objectives import OBJECTIVE
from shared.rules.interface import EventType
from shared.rules.shapes import Anything, Array, Choice, Integer, Keyed, Maybe, Object, Shape, Text

_NAMES: Mapping[str, Shape] = {"name": Text(), "label": Text()}

_SETUP = types(
    1,
    (
        (
            "game_created",
            {
                "players": Array(ID),
                "config": Anything(),
                "continents": Keyed(Object(_NAMES)),
                "territories": COUNT,
            },
            "Public. Players by seat, the whole configuration with defaults, the continents, and how many territories "
            "`map_territories` brings.",
        ),
        (
            "map_territories",
            {
                "part": Integer(1),
                "parts": Integer(1),
                "territories": Keyed(
                    Object({**_NAMES, "continent": ID, "neighbours": Array(ID), "centroid": Maybe(CENTROID)})
                ),
            },
            "Public. A part of the map; nobody owns anything yet.",
        ),
        (
            "dealt",
            {**SCOPE, "owners": Keyed(SEAT)},
            "Public. Territory -> seat; a territory that is not named has no owner.",
        ),
        (
            "tokens_placed",
            {**SCOPE, "tokens": Keyed(EFFECT)},
            "Journal. Territory -> hidden effect.",
        ),
        (
            "objectives_shuffled",
            {**SCOPE, "order": Array(ID)},
            "Operators. The objectives in the order in which they are looked through.",
        ),
        (
            "objective_dealt",
            {"seat": SEAT, "objective": OBJECTIVE},
            "Player. Her secret objective.",
        ),
        (
            "policy_set",
            {"seat": SEAT, "policy": POLICY},
            "Player. Her whole policy afterwards; also when an attack used `next` up.",
        ),
        (
            "round_opened",
            {
                "round": ROUND,
                "opened_at": TIME,
                "deadline": TIME,
                "attacks_left": Keyed(COUNT),
                "counts_idle": Array(SEAT),
            },
            "Public. The phase is `running`, no attack was made yet. Rights by seat, 0 of who is out; seats for "
            "whom a round without attack counts as idle. Nobody has passed; nobody may attack at any distance.",
        ),
        (
            "round_closed",
            {"round": ROUND, "closed_at": TIME, "by": Choice(("clock", "operator", "players"))},
            "Public. By `clock`, `operator`, or `players` with nothing left to do. All rights of the round are gone.",
        ),
    ),
)
_TIMES = time_events(
    "Public. The deadline of the open round; null: paused.", "Public. Opening and deadline of the round afterwards."
)

SETUP_EVENTS: Mapping[str, EventType] = {**_SETUP, **_TIMES}
