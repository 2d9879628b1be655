"""Who leaves the game, and what that completes (FOR-70, FOR-102)."""

from shared.rules.forces.capitals import drop_choice, reveal_when_complete
from shared.rules.forces.elimination import remove
from shared.rules.forces.picking import open_pick, seat_at
from shared.rules.forces.play import Play
from shared.rules.forces.state import CAPITALS, ELIMINATED, LOBBY, PICKING, Player, State
from shared.rules.forces.victory import end_with_the_last
from shared.rules.forces.year import all_have_submitted, resolve_year
from shared.rules.interface import Decision, Dice, Event, Input, Refusal


def resign(state: State, command: Input, dice: Dice) -> Decision:
    """FOR-70; in the lobby she leaves the list (FOR-102)."""
    player = state.players[command.actor]
    if state.phase == LOBBY:
        return [Event("left", {"player": player.id})]
    return _leave(state, player, "resigned", command.at, dice)


def remove_player(state: State, command: Input, dice: Dice) -> Decision:
    """FOR-70, FOR-77, FOR-108."""
    player = state.seats[command.payload["seat"] - 1]
    if player.status == ELIMINATED:
        return Refusal("eliminated", "FOR-108", "remove a player who is active; this one is out already")
    return _leave(state, player, "removed", command.at, dice)


def _leave(state: State, player: Player, reason: str, at: int, dice: Dice) -> Decision:
    """She is out at once; the phase goes on, ends, or the game does (FOR-102, FOR-105)."""
    play = Play(state)
    if state.phase == CAPITALS:
        drop_choice(play, player)
    remove(play, player.seat, reason)
    if end_with_the_last(play):
        return play.events
    if state.phase == PICKING:
        if seat_at(state, state.pick_index) == player.seat:
            open_pick(play, state.pick_index, at)
    elif state.phase == CAPITALS:
        reveal_when_complete(play, at)
    elif all_have_submitted(play.state):
        resolve_year(play, dice, at, "players")
    return play.events
