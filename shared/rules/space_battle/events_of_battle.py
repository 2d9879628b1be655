"""Event types of deployment, battle, talk and result."""

from collections.abc import Mapping

from shared.rules.event_rows import types
from shared.rules.interface import EventType
from shared.rules.shapes import Array, Boolean, Choice, Integer, Keyed, Maybe, Object, Text
from shared.rules.space_battle.commands import REASON_LIMIT
from shared.rules.space_battle.event_shapes import (
    CHALLENGE,
    COUNT,
    FULL_ID,
    HANGAR,
    ID,
    PLAYERS,
    SIDE,
    SQUARE,
    TIME,
)
from shared.rules.space_battle.state import RESULTS

PLACED = Object({"class": ID, "col": Integer(1), "row": Integer(1), "shots_left": COUNT})
LAID = Object({"col": Integer(1), "row": Integer(1)})
FIGHTING = Object({"side": SIDE, **PLACED.fields})
REVEALED = Object({"side": SIDE, **LAID.fields, "live": Boolean()})

_DEPLOYMENT = types(
    1,
    (
        (
            "deployed",
            {"side": SIDE, "craft": Keyed(PLACED, keys_are_ids=False), "mines": Keyed(LAID, keys_are_ids=False)},
            "Player. Her whole deployment, which replaces an earlier one.",
        ),
        ("side_ready", {"side": SIDE}, "Public. The side is ready, its deployment final."),
        (
            "no_show",
            {"absent": Array(SIDE, 2)},
            "Public. The sides that were not ready when the grace was over; `battle_ended` follows.",
        ),
        (
            "battle_started",
            {
                "scope": Maybe(Text(64)),
                "draws": COUNT,
                "challenge": CHALLENGE,
                "players": PLAYERS,
                "to_move": SIDE,
                "move_started_at": TIME,
                "craft": Keyed(FIGHTING, keys_are_ids=False),
            },
            "Public. The phase is `running`, move 1 is that of `to_move`. All craft, none of them damaged.",
        ),
    ),
)

_MOVES = types(
    1,
    (
        (
            "craft_moved",
            {"move_no": Integer(1), "side": SIDE, "craft": FULL_ID, "from": SQUARE, "path": Array(SQUARE)},
            "Public. The squares entered, in their order; the craft is on the last. A craft was moved in this move.",
        ),
        (
            "mine_exploded",
            {"move_no": Integer(1), "craft": FULL_ID, "square": SQUARE, "count": Integer(1, 2)},
            "Public. So many mines on the square, by the craft that came there or whose shot passed.",
        ),
        ("mine_spent", {"side": SIDE, "mine": FULL_ID}, "Player. The own mine is gone."),
        (
            "shot_fired",
            {
                "move_no": Integer(1),
                "side": SIDE,
                "from": FULL_ID,
                "target": FULL_ID,
                "hit": FULL_ID,
                "distance": Integer(1),
                "damage": COUNT,
                "shots_left": COUNT,
            },
            "Public. What was named and what was hit, and the damage of the hit; `shots_left` of `from`.",
        ),
        (
            "craft_damaged",
            {"side": SIDE, "craft": FULL_ID, "hit": Integer(1), "damage": Integer(1)},
            "Public. By a shot or a mine; `damage` in all afterwards.",
        ),
        (
            "shield_down",
            {"move_no": Integer(1), "side": SIDE, "craft": FULL_ID},
            "Public. The next hit destroys the craft.",
        ),
        (
            "craft_destroyed",
            {"move_no": Integer(1), "side": SIDE, "craft": FULL_ID, "class": ID, "square": SQUARE},
            "Public. It is not alive; its damage stays as it was before the hit.",
        ),
        (
            "time_warning",
            {"side": SIDE, "move_no": Integer(1), "seconds": COUNT},
            "Public. So much is left of the move.",
        ),
        (
            "move_forfeited",
            {"side": SIDE, "move_no": Integer(1), "wholly": Boolean(), "forfeits": COUNT},
            "Public. The move lapsed; `forfeits` of the side in a row. `wholly`: no part of it was completed.",
        ),
        (
            "move_ended",
            {
                "side": SIDE,
                "lapsed": Boolean(),
                "quiet_moves": COUNT,
                "move_no": Integer(2),
                "to_move": SIDE,
                "move_started_at": TIME,
            },
            "Public. The move of `side` is over; number, side and start of the next. Nothing was moved in it, and its "
            "warning is to come.",
        ),
    ),
)

_END = types(
    1,
    (
        ("battle_aborted", {"reason": Text(REASON_LIMIT)}, "Public. By an operator; `battle_ended` follows."),
        (
            "battle_ended",
            {"result": Choice(RESULTS), "winner": Maybe(SIDE), "challenge": CHALLENGE, "players": PLAYERS},
            "Public. The phase is `ended`; the challenge is `cancelled` if the result is, else `ended`.",
        ),
        (
            "mines_revealed",
            {"mines": Keyed(REVEALED, keys_are_ids=False)},
            "Public. All mines of both sides.",
        ),
        (
            "hangar_changed",
            {"player": ID, "side": SIDE, "lost": HANGAR, "mines": COUNT, "hangar": HANGAR},
            "Public. Craft lost by class, mines that exploded, and the hangar afterwards.",
        ),
        (
            "experience_changed",
            {"player": ID, "side": SIDE, "by": Integer(), "experience": Integer()},
            "Public. Her experience afterwards.",
        ),
        (
            "chat_sent",
            {"author": ID, "message": ID, "hash": Maybe(Text())},
            "Player. Said to the other player of the battle; the text is kept under `message`.",
        ),
    ),
)

BATTLE_EVENTS: Mapping[str, EventType] = {**_DEPLOYMENT, **_MOVES, **_END}
