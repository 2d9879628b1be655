"""The command table of GXC (section 4): who may send what, over which topic, in which form."""

from collections.abc import Mapping

from shared.rules.deadlines import time_commands
from shared.rules.gxc.event_shapes import COUNT, ID, INTEGER, POLL_ID, YES_NO
from shared.rules.gxc.state import POLL_KINDS
from shared.rules.interface import Command, Role, Topic
from shared.rules.shapes import Choice, Maybe, Object, Shape, Text

_PLAYER: frozenset[Role] = frozenset({"player"})
_OPERATOR: frozenset[Role] = frozenset({"operator"})
_HOST: frozenset[Role] = frozenset({"operator", "clock"})

PLAN_LIMIT, SUBJECT_LIMIT, BODY_LIMIT, CHAT_LIMIT = 10_000, 200, 10_000, 2_000
"""Longest texts in characters (section 4)."""

_BONUS: Shape = Text(64)
"""Any name; `bad_bonus` is a check of the command itself."""
_TALK: Mapping[str, Shape] = {"message": ID, "hash": Maybe(Text(64))}
"""What the intake puts in the place of the texts."""


def _command(
    type_: str,
    roles: frozenset[Role],
    topic: Topic,
    fields: Mapping[str, Shape],
    summary: str,
    *,
    optional: tuple[str, ...] = (),
    texts: Mapping[str, int] | None = None,
    in_digest: bool = True,
) -> Command:
    """A command; every one may name the turn that it means (ENG-3)."""
    all_fields: dict[str, Shape] = {"turn": COUNT, **fields}
    if texts:
        all_fields.update({name: Text() for name in texts})
        all_fields.update(_TALK)
        optional = (*optional, *texts, *_TALK)
    free = {"turn", *optional} if "turn" not in fields else set(optional)
    return Command(type_, roles, topic, Object(all_fields, frozenset(free)), summary, texts or {}, in_digest)


COMMANDS: Mapping[str, Command] = {
    command.type: command
    for command in (
        _command("start_game", _OPERATOR, "orders", {}, "Open turn 1."),
        _command("join", _PLAYER, "orders", {"team": ID}, "Join a team."),
        _command("place", _PLAYER, "orders", {"territory": ID}, "Enter the map on a territory of the own team, once."),
        _command("energize", _PLAYER, "orders", {}, "Log in for this turn and earn its energy."),
        _command(
            "set_order",
            _PLAYER,
            "orders",
            {
                "move_to": Maybe(ID),
                "attack": Maybe(Object({"target": ID, "energy": INTEGER})),
                "defend": INTEGER,
            },
            "Give or replace the order of this turn: move, attack, defend, each may be missing.",
            optional=("move_to", "attack", "defend"),
        ),
        _command("clear_order", _PLAYER, "orders", {}, "Take back the order of this turn."),
        _command(
            "nominate",
            _PLAYER,
            "votes",
            {"kind": Choice(POLL_KINDS), "target": ID},
            "Nominate a team mate as commander, for impeachment or as a spy.",
        ),
        _command("vote", _PLAYER, "votes", {"poll": POLL_ID, "choice": YES_NO}, "Vote in an open poll of the team."),
        _command("activate_shield", _PLAYER, "votes", {}, "Start the force shield of a small team (commanders)."),
        _command("vote_shield", _PLAYER, "votes", {"choice": YES_NO}, "Vote on the force shield (commanders)."),
        _command(
            "edit_battle_plan",
            _PLAYER,
            "votes",
            {},
            "Replace the battle plan of the team (commanders).",
            texts={"text": PLAN_LIMIT},
        ),
        _command(
            "send_team_mail",
            _PLAYER,
            "votes",
            {},
            "Mail the whole team (commanders).",
            texts={"subject": SUBJECT_LIMIT, "body": BODY_LIMIT},
            in_digest=False,
        ),
        _command(
            "chat",
            _PLAYER,
            "votes",
            {"channel": Choice(("team", "all"))},
            "Say something to the team or to all.",
            texts={"text": CHAT_LIMIT},
            in_digest=False,
        ),
        _command(
            "suspend_bonus",
            _OPERATOR,
            "orders",
            {"team": ID, "bonus": _BONUS},
            "Make a bonus of a team worth 0 until it is restored.",
        ),
        _command("restore_bonus", _OPERATOR, "orders", {"team": ID, "bonus": _BONUS}, "End the suspension of a bonus."),
        _command(
            "remove_player",
            _OPERATOR,
            "orders",
            {"player": ID, "reason": Text(200)},
            "Expel a player for the rest of the game.",
            optional=("reason",),
        ),
        _command(
            "disqualify_team",
            _OPERATOR,
            "orders",
            {"team": ID, "reason": Text(200)},
            "Take a team out of the game.",
            optional=("reason",),
        ),
        _command("close_turn", _HOST, "orders", {"turn": COUNT}, "Close and process the turn."),
        *time_commands("turn"),
    )
}
"""Every command but the creation of the game (creation.py), by type."""

ERRORS: Mapping[str, str] = {
    "already_energized": "energize was given in this turn before",
    "already_joined": "the player has a team",
    "already_nominated": "the player nominated this target for this before",
    "already_commander": "the target is a commander of the team",
    "already_placed": "placement is final",
    "bad_amount": "an amount is negative, or an attack has less than 1 energy",
    "bad_bonus": "there is no such bonus",
    "bad_config": "a key of the configuration is unknown or its value is not allowed",
    "bad_deadline": "a resulting deadline lies before the time of the command, or a resulting time is outside of what "
    "can be stored",
    "bad_map": "the map has a one-sided edge, an unknown owner or a territory without centroid, is too large, or fewer "
    "than two teams own a part of it",
    "commander_only": "only commanders nominate spies",
    "deadline_passed": "the turn's deadline has passed",
    "expelled": "the player was convicted or removed",
    "insufficient_energy": "move cost, attack and defence together exceed the energy",
    "joining_closed": "the last turn for joining has passed",
    "no_path": "no permitted path leads to the destination",
    "not_a_commander": "the target holds no command",
    "not_active": "the actor is unplaced, out or expelled",
    "not_adjacent": "the target is no neighbour of the place that the order acts from",
    "not_commander": "only commanders of the team may do this",
    "not_energized": "an order needs energize in the same turn",
    "not_own_territory": "the territory belongs to somebody else",
    "not_placed": "the player has not entered the map",
    "not_team_member": "the target is no active player of the team",
    "own_territory": "the target belongs to the own team",
    "poll_closed": "the poll is closed",
    "poll_open": "a poll of this kind on this target is open",
    "recruitment_mode": "there are no attacks during recruitment",
    "same_territory": "the destination is the present location",
    "self_nomination": "nobody may nominate herself",
    "shield_used": "the team has used its shield",
    "target_shielded": "the target is protected by a shield",
    "team_assigned": "another team, or none, was assigned to the player",
    "team_not_active": "the team is out of the game",
    "too_early": "the clock closes no turn before its deadline",
    "too_long": "a text is above its limit",
    "too_many_territories": "the team owns no territory or too many for a shield",
    "vote_not_needed": "a commander activates the shield alone",
    "vote_required": "the commanders vote on the shield",
}
"""Codes of `decide` and `initial` besides those of ENG-5 (section 16)."""
