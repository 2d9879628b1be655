"""Closing what is open, by clock or operator (FOR-76, FOR-77, FOR-105)."""

from shared.rules.forces.capitals import choose_what_is_missing, reveal
from shared.rules.forces.picking import overdue_pick, picked
from shared.rules.forces.play import Play
from shared.rules.forces.state import CAPITALS, PICKING, State
from shared.rules.forces.year import resolve_year
from shared.rules.interface import Decision, Dice, Input, Refusal


def close_phase(state: State, command: Input, dice: Dice) -> Decision:
    """The open pick, all missing capitals, or the year; the clock's close happens at the deadline itself."""
    by_clock, deadline = command.role == "clock", state.deadline
    if by_clock and deadline is None:
        return Refusal("no_deadline", "FOR-77", "the clock closes what has a deadline; nothing open has one")
    if by_clock and deadline is not None and command.at < deadline:
        return Refusal("too_early", "FOR-76", f"the clock closes at the deadline, which is {deadline}")
    at = deadline if by_clock and deadline is not None else command.at
    if state.phase == PICKING:
        return picked(state, overdue_pick(state), at, command.role)
    play = Play(state)
    if state.phase == CAPITALS:
        choose_what_is_missing(play, command.role)
        reveal(play, at)
    else:
        resolve_year(play, dice, at, command.role)
    return play.events
