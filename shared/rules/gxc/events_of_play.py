"""Event types outside the closing of a turn: creation, players and their orders, offices, shield, talk, operators."""

from collections.abc import Mapping

from shared.rules.deadlines import time_events
from shared.rules.event_rows import PARTS, types
from shared.rules.gxc.event_shapes import (
    CENTROID,
    COUNT,
    ID,
    NOMINATION,
    ORDER,
    PART,
    POLL_ID,
    TURN,
    YES_NO,
)
from shared.rules.gxc.state import BONUSES, POLL_RESULTS
from shared.rules.interface import EventType
from shared.rules.shapes import Anything, Array, Choice, Integer, Keyed, Maybe, Object, Text

_CREATION = types(
    1,
    (
        (
            "game_created",
            {"teams": Keyed(Object({"name": Text()})), "config": Anything(), "territories": COUNT},
            "Public. Teams, the whole configuration with defaults, and how many territories `map_territories` brings.",
        ),
        (
            "map_territories",
            {
                **PARTS,
                "territories": Keyed(
                    Object(
                        {
                            "name": Text(),
                            "neighbours": Array(ID),
                            "centroid": CENTROID,
                            "special": Maybe(Text()),
                            "owner": Maybe(ID),
                        }
                    )
                ),
            },
            "Public. A part of the map with its owners at the start.",
        ),
        (
            "teams_assigned",
            {**PARTS, "assignments": Keyed(ID)},
            "Operators. Player -> team where `team_choice` is `assigned`; also of players who have not joined yet.",
        ),
    ),
)

_PLAYERS = types(
    1,
    (
        (
            "joined",
            {"player": ID, "team": ID},
            "Public. The player is unplaced with energy 0 and streak 0; she may see public, player and team events.",
        ),
        ("placed", {"player": ID, "team": ID, "territory": ID}, "Team. The player is active and stands there."),
        (
            "energized",
            {
                "player": ID,
                "team": ID,
                "turn": TURN,
                "amount": COUNT,
                "parts": Object({"base": COUNT, "reliability": COUNT, "conquer": COUNT, "empire": COUNT}),
                "ground": Maybe(Text()),
                "energy": COUNT,
                "streak": COUNT,
            },
            "Team. `amount` = sum of `parts`, doubled or halved by `ground`; `energy` and `streak` afterwards.",
        ),
        (
            "order_set",
            {"player": ID, "team": ID, "turn": TURN, **ORDER},
            "Team. The player's order for this turn, in place of any other; `order_numbered` follows.",
        ),
        ("order_numbered", {"player": ID, "seq": Integer(1)}, "Operators. The seq of the order set just before."),
        ("order_cleared", {"player": ID, "team": ID, "turn": TURN}, "Team. The player has no order."),
        (
            "order_reverted",
            {"player": ID, "team": ID, "turn": TURN, **ORDER},
            "Team. A shield turned the attack part into defence (GXC-82); the order afterwards, its seq unchanged.",
        ),
        (
            "player_removed",
            {"player": ID, "team": ID, "reason": Text()},
            "Public. Expelled by an operator: no location, energy 0, no order; she sees what is public.",
        ),
        (
            "players_out",
            {**PARTS, "team": ID, "players": Array(ID, PART)},
            "Public. Out with their team: no location, energy 0, no order; they see what is public.",
        ),
        (
            "sight_set",
            {"player": ID, "team": ID, "turn": TURN, "sight": Maybe(Choice(("high_ground", "low_ground")))},
            "Player. From now on she sees the events to `sight:<sight>`; null: no sight any more.",
        ),
        (
            "attack_sighted",
            {"player": ID, "turn": TURN, "target": Maybe(ID), "energy": COUNT},
            "sight:high_ground. Attack part of a player on Low Ground; target null and energy 0: none.",
        ),
        (
            "defence_sighted",
            {"player": ID, "turn": TURN, "energy": COUNT},
            "sight:low_ground. Defence of a player on High Ground if the turn closed now; 0: none.",
        ),
    ),
)

_OFFICES = types(
    1,
    (
        (
            "nominated",
            {**NOMINATION, "player": ID, "nominators": Array(ID), "needed": Integer(1)},
            "Team. A nomination by `player`; all nominators afterwards, and how many open the poll.",
        ),
        (
            "nomination_dropped",
            {**NOMINATION, "nominators": Array(ID)},
            "Team. Nominators or target left the team; who is left, an empty list ends the record.",
        ),
        (
            "poll_opened",
            {**NOMINATION, "poll": POLL_ID, "opened_turn": TURN, "closes_turn": TURN},
            "Team. The nominations for it are used up.",
        ),
        ("voted", {"poll": POLL_ID, "team": ID, "player": ID, "choice": YES_NO}, "Player. The voter's present choice."),
        ("vote_dropped", {"poll": POLL_ID, "team": ID, "player": ID}, "Player. Her vote went with her (GXC-109)."),
        ("poll_counted", {"poll": POLL_ID, "team": ID, "yes": COUNT, "no": COUNT}, "Team. The votes as they stand."),
        (
            "poll_closed",
            {**NOMINATION, "poll": POLL_ID, "result": Choice(POLL_RESULTS), "yes": COUNT, "no": COUNT},
            "Team. The result, and the votes that counted.",
        ),
        (
            "commander_elected",
            {"team": ID, "player": ID, "commanders": Array(ID)},
            "Public. All commanders of the team afterwards.",
        ),
        (
            "commander_removed",
            {"team": ID, "player": ID, "commanders": Array(ID)},
            "Public. By impeachment, expulsion or the end of the team; all commanders afterwards.",
        ),
        (
            "spy_expelled",
            {"player": ID, "team": ID},
            "Public. Convicted: no location, energy 0, no order; she sees what is public.",
        ),
    ),
)

_SHIELD_VOTES = Keyed(YES_NO)
_SHIELD_AND_PLAN = types(
    1,
    (
        (
            "shield_voted",
            {"team": ID, "player": ID, "choice": YES_NO, "votes": _SHIELD_VOTES},
            "Team. All shield votes of its commanders afterwards.",
        ),
        (
            "shield_vote_dropped",
            {"team": ID, "player": ID, "votes": _SHIELD_VOTES},
            "Team. The vote went with the office; all votes afterwards.",
        ),
        (
            "shield_activated",
            {"team": ID, "protected": Array(ID), "turns_left": Integer(1)},
            "Public, or the team with `shield_public` false. The shield is used.",
        ),
        (
            "shield_counted",
            {"team": ID, "turns_left": Integer(1)},
            "As `shield_activated`. One processed turn less to go.",
        ),
        ("shield_ended", {"team": ID}, "As `shield_activated`. Nothing is protected any more."),
        (
            "battle_plan_edited",
            {"team": ID, "author": ID, "message": ID, "hash": Maybe(Text())},
            "Team. Where the text is kept and its salted hash; `battle_plan_numbered` follows.",
        ),
        ("battle_plan_numbered", {"team": ID, "seq": Integer(1)}, "Operators. The seq of the plan edited just before."),
        (
            "mail_sent",
            {"team": ID, "author": ID, "message": ID, "hash": Maybe(Text())},
            "Team. A commander's mail; subject and body are kept under `message`.",
        ),
        (
            "chat_sent",
            {"team": ID, "author": ID, "channel": Choice(("team", "all")), "message": ID, "hash": Maybe(Text())},
            "Public for channel `all`; else the team and the author.",
        ),
    ),
)

_OPERATORS = types(
    1,
    (
        (
            "bonus_suspended",
            {"team": ID, "bonus": Choice(BONUSES), "suspended_bonuses": Array(Choice(BONUSES))},
            "Team. All suspended bonuses afterwards.",
        ),
        (
            "bonus_restored",
            {"team": ID, "bonus": Choice(BONUSES), "suspended_bonuses": Array(Choice(BONUSES))},
            "Team. All suspended bonuses afterwards.",
        ),
        (
            "team_disqualified",
            {"team": ID, "reason": Text()},
            "Public. `territories_abandoned` and `players_out` follow.",
        ),
        (
            "territories_abandoned",
            {**PARTS, "team": ID, "territories": Array(ID, PART)},
            "Public. Without owner from now on (GXC-94).",
        ),
    ),
)
_TIMES = time_events(
    "Public. `turn_deadline`; null = paused.", "Public. `turn_opened_at` and `turn_deadline` afterwards."
)

PLAY: Mapping[str, EventType] = {**_CREATION, **_PLAYERS, **_OFFICES, **_SHIELD_AND_PLAN, **_OPERATORS, **_TIMES}
