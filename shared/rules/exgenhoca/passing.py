"""Passing a round, and leaving the game (EXG-52, EXG-53)."""

from shared.rules.exgenhoca.departures import eliminate
from shared.rules.exgenhoca.endings import judge
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.round_close import close_what_is_complete
from shared.rules.exgenhoca.state import State
from shared.rules.interface import Decision, Dice, Input, Refusal


def pass_round(state: State, command: Input, dice: Dice) -> Decision:
    """She attacks no more in this round; refused with `pending_choice`, `already_passed`."""
    seat = state.index[command.actor]
    player = state.players[seat - 1]
    if player.pending is not None:
        return Refusal("pending_choice", "EXG-43", f"answer the {player.pending} first")
    if player.passed:
        return Refusal("already_passed", "EXG-49", "you have passed; the next round gives new attacks")
    play = Play(state)
    play.emit("passed", {"seat": seat})
    close_what_is_complete(play, command.at, dice)
    return play.events


def resign(state: State, command: Input, dice: Dice) -> Decision:
    """EXG-53: her territories have no owner any more."""
    play = Play(state)
    seat = state.index[command.actor]
    eliminate(play, [seat], "resigned")
    judge(play, seat)
    close_what_is_complete(play, command.at, dice)
    return play.events
