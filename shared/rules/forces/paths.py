"""Where Forces can go: reach within a year, and the shortest way over land (FOR-36 to FOR-38, FOR-51)."""

from collections.abc import Sequence

from shared.rules.forces.state import State
from shared.rules.forces.tables import MOVEMENT

Way = tuple[int, ...]
"""The zones of a path, as a move names them."""


def reach_of(state: State, source: int, type_: int) -> dict[int, Way]:
    """Goal -> shortest path that a Force of this type may submit, of several the first in canonical order.

    The start itself is among the goals of a Force that may come back to it (FOR-37).
    """
    ways: dict[int, Way] = {}
    last: dict[int, Way] = {source: ()}
    for _ in range(MOVEMENT[type_]):
        found: dict[int, Way] = {}
        for zone in sorted(last):
            for goal in state.board.neighbours[zone]:
                if state.board.land[goal] and goal not in ways and goal not in found:
                    found[goal] = (*last[zone], goal)
        ways.update(found)
        last = found
    return dict(sorted(ways.items()))


def shortest_way(state: State, source: int, goal: int) -> Way | None:
    """The zones of a shortest path over land, of several the first in canonical order; None if there is none."""
    if not state.board.land[source]:
        return None
    came_from: dict[int, int] = {source: source}
    reached = [source]
    for zone in reached:
        if zone == goal:
            return _back(came_from, source, goal)
        for neighbour in state.board.neighbours[zone]:
            if state.board.land[neighbour] and neighbour not in came_from:
                came_from[neighbour] = zone
                reached.append(neighbour)
    return None


def _back(came_from: dict[int, int], source: int, goal: int) -> Way:
    way: list[int] = []
    at = goal
    while at != source:
        way.append(at)
        at = came_from[at]
    return tuple(reversed(way))


def stops_on(state: State, seat: int, way: Sequence[int]) -> list[int]:
    """Zones on a path, its end left out, where a foreign combat Force stands now; one that stays stops (FOR-51)."""
    return [zone for zone in way[:-1] if state.foreign_in(zone, seat)]


def years_for(state: State, seat: int, type_: int, way: Sequence[int]) -> int:
    """Years that a path takes if nothing else moves; after a stop nothing goes on while it is pinned (FOR-38)."""
    years, left = 0, 0
    for number, zone in enumerate(way):
        if not left:
            years, left = years + 1, MOVEMENT[type_]
        left = 0 if number + 1 < len(way) and state.foreign_in(zone, seat) else left - 1
    return years
