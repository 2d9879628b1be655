"""The lines of a map that belong to no single territory: sea links, land borders of discs, and fronts."""

from __future__ import annotations

from collections.abc import Mapping

from shared.maps.canvas import WIDTH, Canvas
from shared.maps.geometry import edges
from shared.maps.model import Map

SEA_STROKE = 'fill="none" stroke="#2f5f8a" stroke-width="2.5" stroke-dasharray="3 9" stroke-linecap="round"'

Line = tuple[int, int, int, int]


def sea_lines(board: Map, canvas: Canvas) -> list[Line]:
    """Return a line between the coasts of each sea link; one around a wrapping map is two, to either edge."""
    lines: list[Line] = []
    for a, b in board.sea_links:
        if not board.wraps:
            lines.append(_between(canvas, a, b, 0))
            continue
        ways = [(shift, _between(canvas, a, b, shift)) for shift in (0, WIDTH, -WIDTH)]
        shift, line = min(ways, key=lambda way: (_squared(way[1]), way[0]))
        if shift:
            # The other half of the way, as seen from the far end.
            lines.append(_clipped(line))
            x0, y0, x1, y1 = line
            lines.append(_clipped((x1 - shift, y1, x0 - shift, y0)))
        else:
            lines.append(line)
    return lines


def land_lines(board: Map, canvas: Canvas) -> list[Line]:
    """Return a line between the centroids of each pair of neighbours, one of them a disc, that no sea link joins."""
    by_sea = set(board.sea_links)
    return [
        (*canvas.centroids[a], *canvas.centroids[b])
        for a, territory in board.territories.items()
        for b in territory.neighbours
        if a < b and (a, b) not in by_sea and (a in canvas.discs or b in canvas.discs)
    ]


def fronts(canvas: Canvas, owners: Mapping[str, str | None]) -> list[list[tuple[int, int]]]:
    """Return the borders between territories of different owners, as chains of points."""
    holders: dict[Line, str] = {}
    chains: list[list[tuple[int, int]]] = []
    for territory_id in sorted(canvas.rings):
        for ring in canvas.rings[territory_id]:
            chain: list[tuple[int, int]] = []
            for x0, y0, x1, y1 in edges(ring):
                key = (x0, y0, x1, y1) if (x0, y0) <= (x1, y1) else (x1, y1, x0, y0)
                other = holders.setdefault(key, territory_id)
                if owners.get(other) == owners.get(territory_id):
                    continue
                if not chain or chain[-1] != (x0, y0):
                    chain = [(x0, y0)]
                    chains.append(chain)
                chain.append((x1, y1))
    return chains


def _between(canvas: Canvas, a: str, b: str, shift: int) -> Line:
    """Return the line between the nearest coasts of `a` and of `b` moved right by `shift`; for discs, the centroids."""
    start, end = canvas.centroids[a], canvas.centroids[b]
    end = (end[0] + shift, end[1])
    if a in canvas.discs or b in canvas.discs:
        return (*start, *end)
    # From one coast to the other and back until the pair no longer changes: close to the shortest, and quick.
    for _ in range(8):
        before = (start, end)
        start = _nearest(canvas, a, 0, end)
        end = _nearest(canvas, b, shift, start)
        if (start, end) == before:
            break
    return (*start, *end)


def _nearest(canvas: Canvas, territory_id: str, shift: int, to: tuple[int, int]) -> tuple[int, int]:
    return min(
        ((x + shift, y) for ring in canvas.rings[territory_id] for x, y in zip(ring[::2], ring[1::2], strict=True)),
        key=lambda point: ((point[0] - to[0]) ** 2 + (point[1] - to[1]) ** 2, point),
    )


def _squared(line: Line) -> int:
    return (line[2] - line[0]) ** 2 + (line[3] - line[1]) ** 2


def _clipped(line: Line) -> Line:
    """Shorten a line that leaves the map at its right or left edge; its start lies inside."""
    x0, y0, x1, y1 = line
    edge = min(max(x1, 0), WIDTH)
    return (x0, y0, edge, y0 + (y1 - y0) * (edge - x0) // (x1 - x0) if x1 != x0 else y1)
