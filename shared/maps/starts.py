"""Splits a map into starting areas: as many territories each as possible, and each area in one piece."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from itertools import pairwise

from shared.maps.model import Map, MapError

# So many different first territories are tried where the first does not lead to sizes that differ by at most 1.
_ATTEMPTS = 24

Graph = Mapping[str, tuple[str, ...]]


def team_starts(board: Map, teams: int) -> dict[int, list[str]]:
    """Return the starting territories of teams 0 .. `teams` - 1, each list in canonical order.

    Every territory is given out, each area is contiguous, and the sizes are as even as handing territories from area to
    area makes them: on maps with enough borders they differ by at most 1. Parts of a map that no border joins count as
    joined where they come nearest. The same map and number always give the same areas. Raises `MapError` unless there
    are 1 to as many teams as territories.
    """
    if not 1 <= teams <= len(board.territories):
        raise MapError(
            board.name, "teams", f"must be 1 to {len(board.territories)}, one territory each at least, is {teams}"
        )
    graph = _joined(board)
    owner: dict[str, int] = {}
    for first in ([], *([territory] for territory in list(graph)[:_ATTEMPTS])):
        attempt = _grow(graph, _seeds(graph, teams, first))
        while _spread(attempt, teams) > 1 and (_shift(graph, attempt, teams) or _split(graph, attempt, teams)):
            pass
        if not owner or _spread(attempt, teams) < _spread(owner, teams):
            owner = attempt
        if _spread(owner, teams) <= 1:
            break
    return {team: [territory for territory in graph if owner[territory] == team] for team in range(teams)}


def connected_parts(graph: Graph) -> list[list[str]]:
    """Return the parts of a graph, each in canonical order, in the order of their first members."""
    parts: list[list[str]] = []
    seen: set[str] = set()
    for start in sorted(graph):
        if start not in seen:
            part = _distances(graph, [start])
            seen.update(part)
            parts.append(sorted(part))
    return parts


def _joined(board: Map) -> dict[str, tuple[str, ...]]:
    """Return the neighbours of each territory, with an edge more for each further part of the map."""
    graph = {territory_id: territory.neighbours for territory_id, territory in board.territories.items()}
    parts = connected_parts(graph)
    joined = parts[0]
    for part in parts[1:]:
        a, b = min(((a, b) for a in joined for b in part), key=lambda pair: (_squared(board, *pair), pair))
        graph[a] = tuple(sorted((*graph[a], b)))
        graph[b] = tuple(sorted((*graph[b], a)))
        joined = joined + part
    return {territory_id: graph[territory_id] for territory_id in sorted(graph)}


def _squared(board: Map, a: str, b: str) -> int:
    one, other = board.territories[a], board.territories[b]
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2


def _distances(graph: Graph, starts: Iterable[str]) -> dict[str, int]:
    distances = dict.fromkeys(starts, 0)
    queue = deque(distances)
    while queue:
        here = queue.popleft()
        for neighbour in graph[here]:
            if neighbour not in distances:
                distances[neighbour] = distances[here] + 1
                queue.append(neighbour)
    return distances


def _seeds(graph: Graph, teams: int, first: list[str]) -> list[str]:
    """Choose territories far from each other: each next one is the farthest from all before (ties: the lower id).

    They begin with `first`, or if it is empty with the farthest from the first in canonical order.
    """
    seeds = list(first)
    while len(seeds) < teams:
        distances = _distances(graph, seeds or [min(graph)])
        seeds.append(min(graph, key=lambda territory: (-distances[territory], territory)))
    return seeds


def _grow(graph: Graph, seeds: list[str]) -> dict[str, int]:
    """Let the smallest area that can still grow take the free neighbour nearest to its seed, until none is free."""
    owner = {seed: team for team, seed in enumerate(seeds)}
    sizes = [1] * len(seeds)
    nearness = [_distances(graph, [seed]) for seed in seeds]
    while len(owner) < len(graph):
        free = {
            (sizes[team], team, nearness[team][neighbour], neighbour)
            for territory, team in owner.items()
            for neighbour in graph[territory]
            if neighbour not in owner
        }
        _, team, _, taken = min(free)
        owner[taken] = team
        sizes[team] += 1
    return owner


def _sizes(owner: Mapping[str, int], teams: int) -> list[int]:
    sizes = [0] * teams
    for team in owner.values():
        sizes[team] += 1
    return sizes


def _spread(owner: Mapping[str, int], teams: int) -> int:
    sizes = _sizes(owner, teams)
    return max(sizes) - min(sizes)


def _shift(graph: Graph, owner: dict[str, int], teams: int) -> bool:
    """Move one territory along a chain of areas from a larger one to one smaller by 2 or more; say if it succeeded."""
    sizes = _sizes(owner, teams)
    takers = [sorted({taker for _, taker in _passable(graph, owner, team)}) for team in range(teams)]
    for giver in sorted(range(teams), key=lambda team: (-sizes[team], team)):
        chains = {giver: [giver]}
        queue = deque([giver])
        while queue:
            team = queue.popleft()
            for taker in (taker for taker in takers[team] if taker not in chains):
                chains[taker] = [*chains[team], taker]
                queue.append(taker)
                if sizes[taker] <= sizes[giver] - 2 and _pass_along(graph, owner, chains[taker]):
                    return True
    return False


def _pass_along(graph: Graph, owner: dict[str, int], chain: list[int]) -> bool:
    """Give one territory from each area of the chain to the next, the first pair first; undo all if one cannot."""
    before = dict(owner)
    for giver, taker in pairwise(chain):
        moved = [territory for territory, to in _passable(graph, owner, giver) if to == taker]
        if not moved:
            owner.update(before)
            return False
        owner[moved[0]] = taker
    return True


def _passable(graph: Graph, owner: Mapping[str, int], giver: int) -> list[tuple[str, int]]:
    """Return the territories that an area can give away and stay in one piece, each with who can take it."""
    found = []
    for territory in (territory for territory in graph if owner[territory] == giver):
        takers = {owner[neighbour] for neighbour in graph[territory]} - {giver}
        if takers and len(_pieces_without(graph, owner, territory)) == 1:
            found += [(territory, taker) for taker in sorted(takers)]
    return found


def _pieces_without(graph: Graph, owner: Mapping[str, int], territory: str) -> list[list[str]]:
    rest = {other for other, team in owner.items() if team == owner[territory] and other != territory}
    return connected_parts({other: tuple(n for n in graph[other] if n in rest) for other in rest})


def _split(graph: Graph, owner: dict[str, int], teams: int) -> bool:
    """Give away a territory together with what it alone holds to the rest, if that evens two areas out."""
    sizes = _sizes(owner, teams)
    for giver in sorted(range(teams), key=lambda team: (-sizes[team], team)):
        for territory in [territory for territory in graph if owner[territory] == giver]:
            takers = sorted({owner[neighbour] for neighbour in graph[territory]} - {giver})
            pieces = sorted(_pieces_without(graph, owner, territory), key=lambda piece: (-len(piece), piece))
            given = [territory, *(member for piece in pieces[1:] for member in piece)]
            for taker in takers:
                if len(given) < sizes[giver] - sizes[taker]:
                    owner.update(dict.fromkeys(given, taker))
                    return True
    return False
