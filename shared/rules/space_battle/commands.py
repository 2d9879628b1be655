"""The command table (section 11): who may send what, in which form. Texts go over `votes`, all else over `orders`."""

from collections.abc import Mapping

from shared.rules.deadlines import LATEST_MS, LONGEST_SHIFT_MS, REASON
from shared.rules.interface import Command, Role
from shared.rules.shapes import Array, Id, Integer, Maybe, Object, Shape, Text

_PLAYER: frozenset[Role] = frozenset({"player"})
_OPERATOR: frozenset[Role] = frozenset({"operator"})
_CLOCK: frozenset[Role] = frozenset({"clock"})
_HOST: frozenset[Role] = frozenset({"operator", "clock"})

CHAT_LIMIT = 500
REASON_LIMIT = 200
MOST_IN_A_LIST = 1_000
"""Longest list of craft or mines that is looked at; no grid has as many squares."""

ID = Id()
FULL_ID = Id(("C:", "D:"))
CHALLENGE = Integer(1)
TIME = Integer(0, LATEST_MS)
SQUARE = Array(Integer(), 2)

_TALK: Mapping[str, Shape] = {"text": Text(), "message": ID, "hash": Maybe(Text(64))}
"""What is said, and what the intake puts in its place."""


def _command(
    type_: str,
    roles: frozenset[Role],
    fields: Mapping[str, Shape],
    summary: str,
    *,
    optional: tuple[str, ...] = (),
    private: bool = False,
) -> Command:
    return Command(type_, roles, "orders", Object(fields, frozenset(optional)), summary, private=private)


COMMANDS: Mapping[str, Command] = {
    command.type: command
    for command in (
        _command("issue_challenge", _PLAYER, {"challenged": ID}, "Challenge another player to a battle."),
        _command(
            "accept_challenge",
            _PLAYER,
            {"challenge": CHALLENGE, "number": Integer(), "time": TIME},
            "Accept a challenge: so many craft on each side, and a time to start.",
        ),
        _command("refuse_challenge", _PLAYER, {"challenge": CHALLENGE}, "Refuse a challenge."),
        _command("propose_time", _PLAYER, {"challenge": CHALLENGE, "time": TIME}, "Propose another time to start."),
        _command("agree_time", _PLAYER, {"challenge": CHALLENGE, "time": TIME}, "Agree to the other's time."),
        _command("request_staff_time", _PLAYER, {"challenge": CHALLENGE}, "Ask an operator to set the time."),
        _command("set_time", _OPERATOR, {"challenge": CHALLENGE, "time": TIME}, "Set the time, for good."),
        _command("withdraw", _PLAYER, {"challenge": CHALLENGE}, "Take a challenge back."),
        _command(
            "deploy",
            _PLAYER,
            {
                "base": SQUARE,
                "craft": Array(Object({"id": ID, "class": ID, "at": SQUARE}), MOST_IN_A_LIST),
                "mines": Array(SQUARE, MOST_IN_A_LIST),
            },
            "Place base, craft and mines in secret; the last deployment counts.",
            optional=("mines",),
            private=True,
        ),
        _command("ready", _PLAYER, {}, "Be done with the deployment."),
        _command("start_battle", _HOST, {}, "Start the battle at its time."),
        _command(
            "move_craft",
            _PLAYER,
            {"craft": FULL_ID, "to": SQUARE},
            "Move an own craft; the move may go on with a shot.",
        ),
        _command("fire", _PLAYER, {"craft": FULL_ID, "target": FULL_ID}, "Fire a shot, which ends the move."),
        _command("end_move", _PLAYER, {}, "End the move without a shot."),
        _command("surrender", _PLAYER, {}, "Give up the battle."),
        Command(
            "chat",
            _PLAYER,
            "votes",
            Object(_TALK, frozenset(_TALK)),
            "Say something to the other player.",
            texts={"text": CHAT_LIMIT},
            in_digest=False,
        ),
        _command("tick", _CLOCK, {}, "Warn, forfeit moves, end the grace, let challenges expire."),
        _command("abort", _OPERATOR, {"reason": Text(REASON_LIMIT)}, "Cancel the battle for a technical fault."),
        _command(
            "shift_time",
            _HOST,
            {"by_ms": Integer(-LONGEST_SHIFT_MS, LONGEST_SHIFT_MS), "reason": REASON},
            "Move every deadline, the start and the running move.",
        ),
    )
}
"""Every command but the creation of the game (creation.py), by type."""

ERRORS: Mapping[str, str] = {
    "already_in_battle": "one of the two plays the battle, or the War Room has its battle",
    "already_moved": "a craft was moved in this move",
    "already_ready": "who is ready changes nothing any more",
    "bad_config": "a key of the configuration is unknown or its value is not allowed",
    "bad_count": "the deployment has another number of craft than was agreed, an id twice, or a second base",
    "bad_deadline": "a resulting deadline lies before the time of the command, or a resulting time is outside of what "
    "can be stored",
    "bad_number": "the number of craft is below 1, or above what both own or what two ranks hold",
    "bad_time": "the time is not after the command, or not the one that was proposed",
    "base_square": "the base stands on its row of the own rear column",
    "blocked": "a craft stands on the path",
    "destroyed": "the craft is destroyed",
    "duplicate_challenge": "a challenge between the two is open",
    "fleet_too_small": "the challenger owns no base or too few other craft",
    "mine_outside": "a mine lies outside of the columns for mines",
    "no_shots": "the craft has no shots left",
    "not_aligned": "the target is on no line with the craft",
    "not_deployed": "nothing is deployed yet",
    "not_owned": "more craft of a class are deployed than the hangar holds",
    "not_ready": "a side is not ready",
    "not_requested": "no player has asked for a time by the staff",
    "not_straight": "the squares are on no line",
    "not_your_craft": "the craft belongs to the other side",
    "not_your_move": "the other side has the move",
    "off_grid": "the square is not on the grid",
    "opponent_fleet_too_small": "the challenged owns no base or too few other craft",
    "out_of_range": "the shot would do no damage at the target",
    "outside_ranks": "a craft stands outside of the own ranks",
    "own_proposal": "the proposal is the player's own",
    "same_square": "the craft stands there",
    "self_challenge": "nobody challenges herself",
    "self_target": "a craft does not fire at itself",
    "square_taken": "two craft, or two own mines, are placed on one square",
    "too_early": "the battle starts at its time",
    "too_far": "the class moves less far",
    "too_long": "the text is too long",
    "too_many_mines": "more mines are placed than a player has",
    "unknown_target": "the target is destroyed",
}
"""Codes of `decide` and `initial` besides those of ENG-5 (SPB-82)."""
