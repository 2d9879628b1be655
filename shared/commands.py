"""The command table: the host's own commands and those of every game, by type, with the topic each travels on."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from shared.events import HOST
from shared.rules import GAMES
from shared.rules.interface import Command, Role
from shared.rules.shapes import Anything, Array, Boolean, Choice, Id, Integer, Maybe, Object, OneOf, Text

_OPERATOR: frozenset[Role] = frozenset({"operator"})

CREATE_GAME = "create_game"
SET_SCHEDULE = "set_schedule"
RELEASE_GAME = "release_game"

REMINDERS = Array(OneOf((Integer(1, 10_080), Object({"seconds": Integer(1, 604_800)}))), most=4)
"""Times before a deadline, up to a week: minutes, or as in a configuration {"seconds": n} (ENG-12)."""
DEFAULT_REMINDERS = (120,)
"""What the gateway writes into a creation that names none; a turn of less than four hours has no such reminder."""

HOST_COMMANDS: Mapping[str, Command] = {
    command.type: command
    for command in (
        Command(
            CREATE_GAME,
            _OPERATOR,
            "orders",
            Object(
                {
                    "game": Id(),
                    "rules": Text(16),
                    "create": Anything(),
                    "reminders": REMINDERS,
                    "private_apart": Boolean(),
                },
                optional=frozenset({"rules", "reminders", "private_apart"}),
            ),
            "Create a game; `create` is the creation that the game's rules take, large data named by `sha256`. "
            "`reminders`: so long before each deadline those whom the game waits for are told; none if absent. "
            "`private_apart`: commands that the rules call private are certified apart (ENG-7); false if absent.",
        ),
        Command(
            SET_SCHEDULE,
            _OPERATOR,
            "orders",
            Object(
                {
                    "zone": Maybe(Text(64)),
                    "times": Array(Text(5), most=24),
                    "days": Array(Choice(("mon", "tue", "wed", "thu", "fri", "sat", "sun")), most=7),
                },
                optional=frozenset({"times", "days"}),
            ),
            "Close turns at these local times (HH:MM) of an IANA time zone; zone null ends the schedule.",
        ),
        Command(
            RELEASE_GAME,
            _OPERATOR,
            "orders",
            Object({"rules": Text(16), "shift_ms": Integer(0)}, optional=frozenset({"rules", "shift_ms"})),
            "Release a quarantined game, if need be with another rules version and its deadlines moved.",
        ),
    )
}


class Ruleset(NamedTuple):
    """Whose commands: those of a game's rules in one version, or the host's."""

    kind: str
    rules: str

    def __str__(self) -> str:
        return f"{self.kind} {self.rules}".strip()


HOST_RULESET = Ruleset(HOST, "")
"""The host's commands; they are the same whatever rules a game is played by."""


@cache
def commands_of(topic: str) -> Mapping[str, Mapping[Ruleset, Command]]:
    """Command type -> whose it is -> command, for all commands that travel on a topic.

    A game keeps the rules version it was created with, so a type may stand here with a form for each version.
    """
    table: dict[str, dict[Ruleset, Command]] = {}
    games: list[tuple[Ruleset, Mapping[str, Command]]] = [(HOST_RULESET, HOST_COMMANDS)]
    games += [(Ruleset(item.game, item.version), item.load().commands) for item in GAMES]
    for ruleset, commands in games:
        for command in commands.values():
            if command.topic == topic:
                table.setdefault(command.type, {})[ruleset] = command
    return table


WRITERS: Mapping[str, str] = {"orders": "orders", "polls": "votes", "economy": "trades"}
"""Key id of an intake service -> the one topic that it writes."""


def may_write(signer: str, topic: str, type: str) -> bool:
    """Whether a command type may stand on this topic under this service's signature."""
    return WRITERS.get(signer) == topic and type in commands_of(topic)
