"""Commands of operators and of the clock that move deadlines (ENG-12)."""

from shared.rules import deadlines
from shared.rules.interface import Decision, Dice, Input
from shared.rules.map_war.state import State


def set_deadline(state: State, command: Input, dice: Dice) -> Decision:
    """ENG-12; null pauses the turn or its correction."""
    return deadlines.set_deadline(command)


def shift_time(state: State, command: Input, dice: Dice) -> Decision:
    """ENG-12: the opening of the turn moves too."""
    return deadlines.shift_time(command, state.opened_at, state.deadline)
