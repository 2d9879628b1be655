"""Closing a turn: everything of section 9 of the rules, in its order, in one resolution (GXC-12, GXC-19)."""

from itertools import chain
from operator import add

from shared.rules.gxc.aftermath import (
    conquests,
    count_conquests,
    count_down_shields,
    eliminate,
    energies,
    last_losses,
    settle,
)
from shared.rules.gxc.battle import assaults, borders
from shared.rules.gxc.departures import Politics
from shared.rules.gxc.geography import Geography
from shared.rules.gxc.muster import muster
from shared.rules.gxc.opening import Position, open_turn
from shared.rules.gxc.ranking import Standing, rank, winner
from shared.rules.gxc.state import ACTIVE, ELIMINATED, NOBODY, State
from shared.rules.gxc.turn import Turn
from shared.rules.interface import Dice, Event, Input, Refusal, resolved


def close_turn(state: State, command: Input, dice: Dice) -> list[Event] | Refusal:
    """Process the open turn; the last event is the mark of the resolution `turn:<n>`.

    Victory is judged behind the eliminations (GXC-67) and announced at the end.
    """
    by_clock, deadline = command.role == "clock", state.turn_deadline
    if by_clock and (deadline is None or command.at < deadline):
        legal = "the turn is paused" if deadline is None else f"its deadline is {deadline}"
        return Refusal("too_early", "GXC-107", f"the clock closes turn {state.turn} at its deadline; {legal}")
    closed_at = deadline if by_clock and deadline is not None else command.at
    label = f"turn:{state.turn}"
    turn = Turn(state, dice.resolve(label))
    politics = Politics(state)
    politics.close_polls()
    _take(turn, politics)
    for player in politics.gone:
        turn.location[player] = NOBODY
        turn.energy[player] = 0
    muster(turn)
    borders(turn)
    assaults(turn)
    _pay(turn)
    geography = Geography(state.board, turn.owner) if turn.captures else state.geography
    settle(turn, geography)
    going_on = eliminate(turn, politics)
    _take(turn, politics)
    turn.events += count_down_shields(turn, going_on)
    turn.events += count_conquests(turn)
    by = "clock" if by_clock else "operator"
    turn.events.append(Event("turn_closed", {"turn": state.turn, "closed_at": closed_at, "by": by}))
    turn.events += energies(turn, going_on)  # behind the end of the orders, which never ask for more than there is
    last = state.config.last_turn
    if len(going_on) <= 1 or (last is not None and state.turn >= last):
        turn.events.append(_game_ended(turn, going_on))
    else:
        position = Position(turn.owner, turn.location, turn.energy, going_on, geography)
        turn.events += open_turn(state, position, state.turn + 1, closed_at)
    turn.events.append(resolved(label))
    state.players.decided_places = chain.from_iterable(turn.placings)
    return turn.events


def _pay(turn: Turn) -> None:
    """A stack pays for the exchanges it lost and for nothing else: what is left of it is hers again (GXC-44)."""
    turn.energy = list(map(add, turn.energy, map(add, turn.attack, turn.defence)))


def _take(turn: Turn, politics: Politics) -> None:
    """Move the events of departures into the turn's."""
    turn.events += politics.events
    politics.events.clear()


def _game_ended(turn: Turn, going_on: list[int]) -> Event:
    """GXC-95, GXC-96, on owners, energies and conquests after this turn."""
    state = turn.state
    taken = conquests(turn)
    energy = [0] * len(state.teams)
    for player, location in enumerate(turn.location):
        if location >= 0:
            energy[state.players.team[player]] += turn.energy[player]
    lost = last_losses(turn)
    standings = []
    for number, team in enumerate(state.teams):
        eliminated_now = team.status == ACTIVE and number not in going_on
        standings.append(
            Standing(
                team.id,
                ELIMINATED if eliminated_now else team.status,
                turn.owner.count(number),
                energy[number],
                team.conquests_total + taken.get(number, 0),
                (state.turn, lost[number]) if eliminated_now else team.eliminated_at,
            )
        )
    ranking = rank(standings)
    return Event("game_ended", {"winner": winner(ranking, standings), "ranking": ranking})
