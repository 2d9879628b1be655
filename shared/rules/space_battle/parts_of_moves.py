"""The parts of a move (SPB-34, SPB-35), and giving up (SPB-63)."""

from shared.rules.interface import Decision, Dice, Input
from shared.rules.space_battle.deployment_checks import square_of
from shared.rules.space_battle.endings import end
from shared.rules.space_battle.firing import refusal_of_shot, shoot
from shared.rules.space_battle.moving import displace, refusal_of_move, refusal_of_turn
from shared.rules.space_battle.play import Play
from shared.rules.space_battle.state import OTHER, SURRENDER, State
from shared.rules.space_battle.turns import complete_move


def move_craft(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-35, SPB-41: the move stays open for a shot, though the craft be lost."""
    craft, to = state.craft[command.payload["craft"]], square_of(command.payload["to"])
    if refusal := refusal_of_move(state, state.side_of(command.actor), craft, to):
        return refusal
    play = Play(state, dice)
    displace(play, craft, to)
    return play.events


def fire(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-35: a shot ends the move."""
    craft, target = state.craft[command.payload["craft"]], state.craft[command.payload["target"]]
    if refusal := refusal_of_shot(state, state.side_of(command.actor), craft, target):
        return refusal
    play = Play(state, dice)
    shoot(play, craft, target)
    if not play.over:
        complete_move(play, command.at, fired=True)
    return play.events


def end_move(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-35: behind a displacement, or a voluntary pass."""
    if refusal := refusal_of_turn(state, state.side_of(command.actor)):
        return refusal
    play = Play(state, dice)
    complete_move(play, command.at)
    return play.events


def surrender(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-63: in either player's move."""
    play = Play(state, dice)
    end(play, SURRENDER, OTHER[state.side_of(command.actor) or ""])
    return play.events
