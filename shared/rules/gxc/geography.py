"""Connected groups, paths and the nearest own territory, on the owners of one moment (GXC-30, GXC-34, GXC-57)."""

from collections.abc import Sequence

from shared.rules.gxc.board import TRANSPORT, Board
from shared.rules.gxc.nearest import Nearest

_FEW = 16
"""Neighbours that are looked through one by one; more are left to a search, which all who start there share."""


class Geography:
    """Answers about one set of owners; whoever changes an owner throws it away.

    Searches are kept per source, so that all players who start from one territory share one breadth-first search.
    """

    __slots__ = ("_board", "_few", "_groups", "_near", "_nearest", "_owner", "_parts", "_searches", "short")

    def __init__(self, board: Board, owner: Sequence[int]) -> None:
        self._board = board
        self._owner = owner
        self._near: list[tuple[int, ...]] = []
        self.short: dict[int, int] = {}
        """Start * number of territories + goal -> 1, 2 or 3 steps, 0 if no path is so short; what was asked for."""
        self._few: list[tuple[int, ...]] = []
        """As `_near`, without the neighbours of who has more than _FEW: so a path may be missed, but none is false."""
        self._groups: tuple[list[int], dict[int, int]] | None = None
        self._parts: list[int] | None = None
        self._searches: dict[int, _Search] = {}
        self._nearest: Nearest | None = None

    def largest_group(self, team: int) -> int:
        """Size of the team's largest connected group of own territories; 0 without territory (GXC-30)."""
        return self._own_groups()[1].get(team, 0)

    def steps(self, start: int, goal: int, at_most: int) -> int | None:
        """Length of the shortest path over territories of the start's owner; beyond 3 `at_most` + 1 if it is longer.

        None without a path. Both ends must have the same owner.
        """
        move = start * len(self._owner) + goal
        known = self.short.get(move)  # since the order was given: a close looks for no path twice
        if known is None:
            known = self.short[move] = self._few_steps(start, goal)
        if known:
            return known
        groups = self._own_groups()[0]
        if groups[start] != groups[goal]:
            return None
        search = self._searches.get(start)
        if search is None:
            search = self._searches[start] = _Search(self._near_own(), start)
        return search.steps(goal, at_most)

    def _few_steps(self, start: int, goal: int) -> int:
        """1, 2 or 3, or 0 if no such path is found: most moves are short, and a search takes ten times as long."""
        few = self._few or self._find_few()
        first, last = few[start], few[goal]
        if goal in first:
            return 1
        for one in first:
            if one in last:
                return 2
        for one in first:
            for two in few[one]:
                if two in last:
                    return 3
        return 0

    def joined_by_any_path(self, start: int, goal: int) -> bool:
        """Whether some path in the whole map leads there (GXC-91)."""
        if self._parts is None:
            self._parts = _label(self._board.neighbours)[0]
        return self._parts[start] == self._parts[goal]

    def move_cost(self, start: int, goal: int, energy: int) -> int | None:
        """Cost of a move between two own territories (GXC-35, GXC-91); some cost above `energy` where it is too dear.

        None without a path.
        """
        if self._board.transport:
            special = self._board.special
            if special[start] == TRANSPORT or special[goal] == TRANSPORT:
                return 0 if self.joined_by_any_path(start, goal) else None
        affordable = (energy + 1).bit_length() - 1
        steps = self.steps(start, goal, affordable)
        return None if steps is None else (1 << steps) - 1

    def nearest_of(self, team: int, lost: int) -> int | None:
        """The team's territory with the smallest squared distance of centroids, tie to the lower id (GXC-57)."""
        if self._nearest is None:
            self._nearest = Nearest(self._board, self._owner)
        return self._nearest.of(team, lost)

    def _near_own(self) -> list[tuple[int, ...]]:
        """By territory: its neighbours of the same owner."""
        if not self._near:
            owner, neighbours = self._owner, self._board.neighbours
            self._near = [
                tuple([item for item in around if owner[item] == own])
                for own, around in zip(owner, neighbours, strict=True)
            ]
        return self._near

    def _find_few(self) -> list[tuple[int, ...]]:
        self._few = [near if len(near) <= _FEW else () for near in self._near_own()]
        return self._few

    def _own_groups(self) -> tuple[list[int], dict[int, int]]:
        if self._groups is None:
            labels, groups = _label(self._near_own())
            largest: dict[int, int] = {}
            for first, size in groups:
                team = self._owner[first]
                if size > largest.get(team, 0):
                    largest[team] = size
            self._groups = labels, largest
        return self._groups


class _Search:
    """A breadth-first search over the territories of one owner, carried on only as far as somebody asks."""

    __slots__ = ("_frontier", "_near", "_reached", "found")

    def __init__(self, near: Sequence[tuple[int, ...]], start: int) -> None:
        self._near = near
        self.found = {start: 0}
        """Steps to each territory reached so far."""
        self._frontier = [start]
        self._reached = 0

    def steps(self, goal: int, at_most: int) -> int:
        """Steps to a territory of the same group; `at_most` + 1 where it is farther than that."""
        found, near = self.found, self._near
        while goal not in found and self._reached < at_most:
            self._reached += 1
            frontier = []
            for territory in self._frontier:
                for neighbour in near[territory]:
                    if neighbour not in found:
                        found[neighbour] = self._reached
                        frontier.append(neighbour)
            self._frontier = frontier
        return min(found.get(goal, at_most + 1), at_most + 1)


def _label(near: Sequence[tuple[int, ...]]) -> tuple[list[int], list[tuple[int, int]]]:
    """Number the connected groups: label of each territory; first territory and size of each label."""
    labels = [-1] * len(near)
    groups: list[tuple[int, int]] = []
    for first in range(len(near)):
        if labels[first] >= 0:
            continue
        label = labels[first] = len(groups)
        group = [first]
        for territory in group:
            for neighbour in near[territory]:
                if labels[neighbour] < 0:
                    labels[neighbour] = label
                    group.append(neighbour)
        groups.append((first, len(group)))
    return labels, groups
