"""Event types of the creation, of challenges and their times."""

from collections.abc import Mapping

from shared.rules.deadlines import REASON
from shared.rules.event_rows import PARTS, types
from shared.rules.interface import EventType
from shared.rules.shapes import Anything, Integer, Keyed, Maybe
from shared.rules.space_battle.event_shapes import CHALLENGE, COUNT, HANGAR, ID, PLAYERS, TIME

CHALLENGE_EVENTS: Mapping[str, EventType] = types(
    1,
    (
        (
            "game_created",
            {"config": Anything(), "players": COUNT},
            "Public. The whole configuration with defaults, and how many players `players_entered` brings.",
        ),
        (
            "players_entered",
            {**PARTS, "hangars": Keyed(HANGAR)},
            "Public. A part of the players with their hangars; nobody has experience.",
        ),
        (
            "challenge_issued",
            {"challenge": CHALLENGE, "challenger": ID, "challenged": ID, "expires_at": TIME},
            "Public. A new challenge, `issued`.",
        ),
        (
            "challenge_accepted",
            {"challenge": CHALLENGE, "challenger": ID, "number": Integer(1), "proposed_time": TIME, "proposed_by": ID},
            "Public. It is `accepted`, with so many craft on each side and a first proposal of a time.",
        ),
        ("challenge_refused", {"challenge": CHALLENGE, "challenger": ID, "challenged": ID}, "Public. It is `refused`."),
        (
            "challenge_withdrawn",
            {"challenge": CHALLENGE, "challenger": ID, "challenged": ID},
            "Public. It is `withdrawn`.",
        ),
        ("challenge_expired", {"challenge": CHALLENGE, "players": PLAYERS}, "Public. It is `expired`."),
        (
            "time_proposed",
            {"challenge": CHALLENGE, "proposed_time": TIME, "proposed_by": ID, "to": ID},
            "Public. The last proposal, which `to` may agree to.",
        ),
        (
            "staff_time_requested",
            {"challenge": CHALLENGE, "by": ID},
            "Public. An operator is asked to set the time.",
        ),
        (
            "time_agreed",
            {"challenge": CHALLENGE, "start_time": TIME, "by": Maybe(ID), "players": PLAYERS},
            "Public. Challenge and phase are `deploying`. `by`: who agreed; null: an operator set the time.",
        ),
        (
            "time_shifted",
            {
                "by_ms": Integer(),
                "reason": REASON,
                "battle": Maybe(CHALLENGE),
                "start_time": Maybe(TIME),
                "move_started_at": Maybe(TIME),
                "expires": Keyed(TIME),
            },
            "Public. The times that moved, afterwards: expiry by challenge, start of `battle`. Null: none could move, "
            "or the event before, of the same shift, told it; each names up to 5,000 expiries.",
        ),
    ),
)
