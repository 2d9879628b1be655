"""Quitting and coming back (MAP-68, MAP-69, MAP-110)."""

from shared.rules.interface import Decision, Dice, Input, Refusal
from shared.rules.map_war.close import close_what_is_complete
from shared.rules.map_war.owners import become_rulerless
from shared.rules.map_war.play import Play
from shared.rules.map_war.state import RULERLESS, State


def abandon(state: State, command: Input, dice: Dice) -> Decision:
    """The nation is rulerless at once and counts as ownerless from the next turn."""
    play = Play(state)
    become_rulerless(play, command.actor, "abandoned")
    close_what_is_complete(play, command.at, dice)
    return play.events


def rejoin(state: State, command: Input, dice: Dice) -> Decision:
    """MAP-69: until its decay begins."""
    nation = state.nations[command.actor]
    if nation.kind != RULERLESS:
        return Refusal("not_rulerless", "MAP-69", "a nation that was abandoned can be taken back")
    if nation.decaying:
        return Refusal("decaying", "MAP-69", "a nation can be taken back until its decay begins")
    play = Play(state)
    play.emit("nation_rejoined", {"nation": nation.id})
    close_what_is_complete(play, command.at, dice)
    return play.events
