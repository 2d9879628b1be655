"""The command table (section 5): who may send what, in which form. Everything goes over `orders`."""

from collections.abc import Mapping

from shared.rules.deadlines import time_commands
from shared.rules.forces.event_shapes import ID, YEAR
from shared.rules.forces.state import OPEN_PHASES
from shared.rules.interface import Command, Role
from shared.rules.shapes import Array, Choice, Integer, Object, Shape, Text

_PLAYER: frozenset[Role] = frozenset({"player"})
_OPERATOR: frozenset[Role] = frozenset({"operator"})
_HOST: frozenset[Role] = frozenset({"operator", "clock"})

LONGEST_REASON = 200
LONGEST_TYPE = 64
LONGEST_PATH = 16
"""Steps that a path may name; which of them can be gone is a rule (FOR-37)."""
MOST_ITEMS = 5_000
LARGEST_COUNT = 1_000_000
"""Most Forces that an item may be for: whatever a submission lists, its cost stays far below 53 bits."""

_ITEM: Mapping[str, Shape] = {"type": Text(LONGEST_TYPE), "count": Integer(None, LARGEST_COUNT)}
PURCHASE = Object({**_ITEM, "zone": ID})
MOVE = Object({**_ITEM, "from": ID, "path": Array(ID, LONGEST_PATH)})
"""Types and counts of items are judged by rules, each with a code of its own (FOR-108)."""


def _command(
    type_: str, roles: frozenset[Role], fields: Mapping[str, Shape], summary: str, *, optional: tuple[str, ...] = ()
) -> Command:
    return Command(type_, roles, "orders", Object(fields, frozenset(optional)), summary)


COMMANDS: Mapping[str, Command] = {
    command.type: command
    for command in (
        _command("join", _PLAYER, {}, "Take part in the game."),
        _command("start_game", _OPERATOR, {}, "Give seats, and open the picking, or deal the zones."),
        _command("pick_zone", _PLAYER, {"zone": ID}, "Pick a land zone when it is your turn."),
        _command("choose_capital", _PLAYER, {"zone": ID}, "Choose your capital, unseen; it may be chosen anew."),
        _command(
            "submit_turn",
            _PLAYER,
            {"year": YEAR, "purchases": Array(PURCHASE, MOST_ITEMS), "moves": Array(MOVE, MOST_ITEMS)},
            "Hand in purchases and moves of the year; it may be replaced until everybody has.",
            optional=("year", "purchases", "moves"),
        ),
        _command("resign", _PLAYER, {}, "Leave the game for good; in the lobby, leave the list."),
        _command(
            "close_phase",
            _HOST,
            {"phase": Choice(OPEN_PHASES), "year": YEAR},
            "Make the overdue pick, choose the missing capitals, or resolve the year.",
            optional=("year",),
        ),
        _command(
            "remove_player",
            _OPERATOR,
            {"seat": Integer(1), "reason": Text(LONGEST_REASON)},
            "Take a player out of the game.",
        ),
        *time_commands("year"),
    )
}
"""Every command but the creation of the game (creation.py), by type."""

ERRORS: Mapping[str, str] = {
    "already_joined": "the player is in the list",
    "bad_config": "a key of the configuration is unknown or its value is not allowed",
    "bad_count": "an item is for less than one Force",
    "bad_deadline": "a resulting deadline lies before the time of the command, or a resulting time is outside of what "
    "can be stored",
    "bad_map": "neighbours are not symmetric, unknown or repeated, there is no land, or water has what land alone has",
    "bad_path": "a path is empty or a step does not lead to a neighbour",
    "duplicate_factory": "more than one factory is ordered for a zone",
    "eliminated": "the player is out of the game",
    "factory_exists": "the zone has a factory",
    "game_full": "the game has as many players as it takes",
    "immobile": "factories do not move",
    "no_deadline": "the clock closes nothing that has no deadline",
    "no_factory": "troops and tanks are ordered where a factory stands",
    "not_enough_credits": "the purchases cost more than the credits at the start of the year",
    "not_enough_forces": "fewer Forces of this type stand there than the moves use",
    "not_own_zone": "the zone belongs to somebody else or to nobody",
    "not_your_pick": "another player picks now",
    "over_capacity": "more troops and tanks are ordered than the zone's income allows",
    "pinned": "a foreign combat Force stands where the Force would leave",
    "too_early": "the clock closes nothing before its deadline",
    "too_far": "a path has more steps than the Force has movement points",
    "too_few_players": "fewer players have joined than the game needs",
    "too_few_zones": "there are fewer land zones than players",
    "too_many_forces": "the troops and tanks that the player has and orders are more than her share of a game",
    "unknown_type": "there is no such type of Force",
    "water_zone": "the zone is water",
    "wrong_turn": "the command names another year than the open one",
    "zone_taken": "the zone has an owner",
}
"""Codes of `decide` and `initial` besides those of ENG-5 (FOR-81)."""
