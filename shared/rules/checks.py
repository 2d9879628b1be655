"""Checks of ENG-5 that say the same in every game; each `decide` calls them in its order, among those of its own."""

from collections.abc import Iterable

from shared.rules.interface import Command, Input, Refusal

GAME_OVER = Refusal("game_over", "ENG-5", "the game has ended; it can be looked at and replayed")


def unknown_type(types: Iterable[str]) -> Refusal:
    """`malformed` for a command that none of the game's is."""
    return Refusal("malformed", "ENG-5", f"the type of a command must be one of {', '.join(types)}")


def wrong_role(row: Command, command: Input) -> Refusal | None:
    """`not_authorised` for a role that the row of the command does not list."""
    if command.role in row.roles:
        return None
    return Refusal("not_authorised", "ENG-5", f"{command.type} is for {' and '.join(sorted(row.roles))}")


def wrong_period(command: Input, period: str, present: int) -> Refusal | None:
    """ENG-3: `wrong_turn` for a command that names another turn than the present one; `period` is the game's word."""
    named = command.payload.get(period)
    if named is None or named == present:
        return None
    return Refusal(f"wrong_{period}", "ENG-3", f"the present {period} is {present}")


def deadline_passed(command: Input, deadline: int | None, what: str) -> Refusal | None:
    """For players alone. A host that keeps ENG-3 never brings it about: it closes `what` first."""
    if command.role != "player" or deadline is None or command.at <= deadline:
        return None
    return Refusal("deadline_passed", "ENG-3", f"a command of {what} must be in by its deadline")
