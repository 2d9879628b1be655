"""The command table (section 4): who may send what, in which form. Everything goes over `orders`."""

from collections.abc import Mapping

from shared.rules.deadlines import time_commands
from shared.rules.exgenhoca.event_shapes import COUNT, ID
from shared.rules.interface import Command, Role
from shared.rules.shapes import Anything, Boolean, Integer, Object, Shape

_PLAYER: frozenset[Role] = frozenset({"player"})
_OPERATOR: frozenset[Role] = frozenset({"operator"})
_HOST: frozenset[Role] = frozenset({"operator", "clock"})

MOST_REROLLS = 2
"""Second chances that one attack may declare (section 4)."""

_USE: Mapping[str, Shape] = {
    "plus5": Boolean(),
    "tie": Boolean(),
    "rerolls": Integer(0, MOST_REROLLS),
    "global": Boolean(),
    "repeat": Boolean(),
}
USE = Object(_USE, frozenset(_USE))
"""What an attack uses; a field that is missing is not used."""


def _command(
    type_: str,
    roles: frozenset[Role],
    fields: Mapping[str, Shape],
    summary: str,
    *,
    optional: tuple[str, ...] = (),
    private: bool = False,
) -> Command:
    """A command; every one may name the round that it means (ENG-3)."""
    free = {"round", *optional} if "round" not in fields else set(optional)
    shape = Object({"round": COUNT, **fields}, frozenset(free))
    return Command(type_, roles, "orders", shape, summary, private=private)


COMMANDS: Mapping[str, Command] = {
    command.type: command
    for command in (
        _command("start_game", _OPERATOR, {}, "Deal territories, hidden effects and objectives, and open round 1."),
        _command(
            "attack",
            _PLAYER,
            {"target": ID, "use": USE},
            "Attack a territory; the dice are thrown at once.",
            optional=("use",),
        ),
        _command(
            "set_policy",
            _PLAYER,
            {"defence_plus5": Anything(), "defence_rerolls": Anything(), "sa_give": Anything()},
            "Say what is used and given when others attack; the fields that are given change.",
            optional=("defence_plus5", "defence_rerolls", "sa_give"),
            private=True,
        ),
        _command(
            "resolve_swap",
            _PLAYER,
            {"give": ID, "take": ID, "decline": Boolean()},
            "Swap an own territory for any other, or decline.",
            optional=("give", "take", "decline"),
        ),
        _command("resolve_loss", _PLAYER, {"territory": ID}, "Choose the territory that is lost."),
        _command("pass_round", _PLAYER, {}, "Make no more attacks in this round."),
        _command("resign", _PLAYER, {}, "Leave the game for good."),
        _command("close_round", _HOST, {"round": COUNT}, "Close the round."),
        *time_commands("round"),
    )
}
"""Every command but the creation of the game (creation.py), by type."""

ERRORS: Mapping[str, str] = {
    "already_passed": "the player has passed this round",
    "bad_amount": "more second chances are declared than are usable",
    "bad_config": "a key of the configuration is unknown or its value is not allowed, or there are too few objectives",
    "bad_deadline": "a resulting deadline lies before the time of the command, or a resulting time is outside of what "
    "can be stored",
    "bad_map": "the map is not symmetric, not connected, too small, or has a territory in no or two continents",
    "bad_player_count": "a game has 2 to 14 players, and at least two of the shared territories for each",
    "bad_policy": "a field of the policy has no allowed value",
    "cooldown": "the territory was attacked by the player too short a time ago",
    "eliminated": "the player is out of the game",
    "item_missing": "an item that is used is not held",
    "item_not_usable": "an item that is used is outside its window",
    "no_attacks_left": "the player has no attack left that would do",
    "no_pending": "no choice of this kind is pending",
    "not_own_territory": "the territory belongs to somebody else or to nobody",
    "out_of_reach": "the target is no neighbour of an own territory",
    "own_territory": "the territory belongs to the player",
    "passed": "who has passed makes no attack in this round",
    "pending_choice": "a swap or a loss must be answered first",
    "repeat_forbidden": "a penalty forbids repeating an attack",
    "repeat_not_needed": "the target was not attacked in this round",
    "repeat_used": "one attack a round may be repeated",
    "too_early": "the clock closes no round before its deadline",
    "wrong_round": "the command names another round than the open one",
}
"""Codes of `decide` and `initial` besides those of ENG-5 (section 16)."""
