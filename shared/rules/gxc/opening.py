"""Opening a turn: what is recorded and announced (GXC-19, GXC-70, GXC-84, GXC-99)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.rules.gxc import sight
from shared.rules.gxc.events import parts_of
from shared.rules.gxc.geography import Geography
from shared.rules.gxc.state import NOBODY, State
from shared.rules.interface import Event


@dataclass(slots=True)
class Position:
    """Who owns what and who stands where with what, when the turn opens; columns as in the state."""

    owner: Sequence[int]
    location: Sequence[int]
    energy: Sequence[int]
    teams: Sequence[int]
    """The active teams."""
    geography: Geography


def open_turn(state: State, position: Position, turn: int, opened_at: int) -> Iterator[Event]:
    """The events of an opening; the deadline is the configured time away (GXC-13)."""
    deadline = opened_at + state.config.turn_ms
    yield Event("turn_opened", {"turn": turn, "opened_at": opened_at, "deadline": deadline})
    largest = position.geography.largest_group
    empires = {state.teams[team].id: largest(team) for team in position.teams}
    yield Event("empires_measured", {"turn": turn, "empires": empires})
    yield from _strength(state, position, turn)
    yield from _sights(state, position, turn)


def _strength(state: State, position: Position, turn: int) -> Iterator[Event]:
    """GXC-99: per territory the number of players and the sum of their energy; each team's own if it is not public."""
    size = len(state.board.ids)
    count, energy = [0] * (size + 1), [0] * (size + 1)  # NOBODY is the last one
    for location, amount in zip(position.location, position.energy, strict=True):
        count[location] += 1
        energy[location] += amount
    held = [territory for territory in range(size) if count[territory]]
    if state.config.public_energy:
        yield from _strength_of(state, None, held, count, energy, turn)
        return
    for team in position.teams:
        own = [territory for territory in held if position.owner[territory] == team]
        yield from _strength_of(state, state.teams[team].id, own, count, energy, turn)


def _strength_of(
    state: State, team: str | None, held: Sequence[int], count: Sequence[int], energy: Sequence[int], turn: int
) -> Iterator[Event]:
    ids, audience = state.board.ids, ("public",) if team is None else (f"team:{team}",)
    for part, parts, territories in parts_of(held):
        sums = {ids[territory]: [count[territory], energy[territory]] for territory in territories}
        data = {"part": part, "parts": parts, "turn": turn, "team": team, "territories": sums}
        yield Event("strength", data, audience)


def _sights(state: State, position: Position, turn: int) -> Iterator[Event]:
    """Sights change for those alone whose start changes now (GXC-84)."""
    if not state.board.watched:
        return
    players = state.players
    for player in players.canonical():
        start, location = players.start[player], position.location[player]
        if start == location or location == NOBODY:
            continue
        before, now = sight.sight_on(state, start), sight.sight_on(state, location)
        if before != now:
            yield sight.sight_set(state, player, turn, now)
