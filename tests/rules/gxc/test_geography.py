"""Paths, groups and nearest territories against the plain definitions (GXC-30, GXC-34, GXC-57, GXC-91)."""

import random
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.gxc.board import TRANSPORT, Board
from shared.rules.gxc.geography import Geography


def _random(seed: int) -> tuple[Board, list[int]]:
    chance = random.Random(seed)
    size = chance.randint(1, 25)
    edges = {(a, b) for a in range(size) for b in range(a) if chance.random() < 2.5 / size}
    neighbours = [tuple(sorted({b for a, b in edges if a == n} | {a for a, b in edges if b == n})) for n in range(size)]
    ids = [f"t{number:02d}" for number in range(size)]
    centroids = [(chance.randint(-5, 5), chance.randint(-5, 5)) for _ in ids]
    special = [chance.choice([TRANSPORT, None, None, None, None]) for _ in ids]
    return Board(ids, ids, neighbours, centroids, special), [chance.randint(-1, 2) for _ in ids]


def _distances(board: Board, start: int, allowed: set[int]) -> dict[int, int]:
    found, frontier, steps = {start: 0}, [start], 0
    while frontier:
        steps += 1
        frontier = sorted({b for a in frontier for b in board.neighbours[a] if b in allowed} - set(found))
        found |= dict.fromkeys(frontier, steps)
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 40), min_size=1, max_size=6), st.sampled_from([0, 1, 2, 16]))
def test_the_cost_of_a_move_is_that_of_the_shortest_own_path(seed: int, energies: list[int], few: int) -> None:
    """However many neighbours are looked through one by one."""
    with patch("shared.rules.gxc.geography._FEW", few):
        _costs_are_those_of_the_shortest_paths(seed, energies)


def _costs_are_those_of_the_shortest_paths(seed: int, energies: list[int]) -> None:
    board, owner = _random(seed)
    geography = Geography(board, owner)
    everywhere = set(range(len(owner)))
    for energy in energies:  # one search serves askers of any energy, in any order
        for start, team in enumerate(owner):
            own = {number for number, other in enumerate(owner) if other == team}
            for goal in own - {start}:
                cost = geography.move_cost(start, goal, energy)
                if TRANSPORT in (board.special[start], board.special[goal]):
                    assert cost == (0 if goal in _distances(board, start, everywhere) else None)
                    continue
                steps = _distances(board, start, own).get(goal)
                if steps is None:
                    assert cost is None
                else:
                    assert cost is not None
                    assert (cost == 2**steps - 1) if 2**steps - 1 <= energy else cost > energy


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([1, 2, 4]))
def test_groups_and_nearest_territories_are_those_of_the_definition(seed: int, rows: int) -> None:
    """However high the bands are in which the nearest is looked for."""
    with patch("shared.rules.gxc.nearest._ROWS", rows):
        _groups_and_nearest_territories_are_those_of_the_definition(seed)


def _groups_and_nearest_territories_are_those_of_the_definition(seed: int) -> None:
    board, owner = _random(seed)
    geography = Geography(board, owner)
    for team in range(4):
        own = {number for number, other in enumerate(owner) if other == team}
        assert geography.largest_group(team) == max((len(_distances(board, one, own)) for one in own), default=0)
        for lost in range(len(owner)):
            far = [((board.x[n] - board.x[lost]) ** 2 + (board.y[n] - board.y[lost]) ** 2, n) for n in sorted(own)]
            assert geography.nearest_of(team, lost) == (min(far)[1] if far else None)
