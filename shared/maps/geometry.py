"""Integer geometry on rings: areas, centroids, and points that surely lie inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.maps.model import Ring

Span = tuple[int, int]
"""A stretch of a horizontal line, from its left to its right x."""


def edges(ring: Ring) -> Iterator[tuple[int, int, int, int]]:
    """Yield the edges of a ring as x0, y0, x1, y1."""
    x0, y0 = ring[-2], ring[-1]
    for index in range(0, len(ring), 2):
        x1, y1 = ring[index], ring[index + 1]
        yield x0, y0, x1, y1
        x0, y0 = x1, y1


def doubled_area(ring: Ring) -> int:
    """Return twice the area of a ring, signed by its direction."""
    return sum(x0 * y1 - x1 * y0 for x0, y0, x1, y1 in edges(ring))


def largest(rings: Sequence[Ring]) -> Ring:
    """Return the ring with the largest area (ties: the first)."""
    return max(rings, key=lambda ring: abs(doubled_area(ring)))


def area(rings: Sequence[Ring]) -> int:
    """Return the area of rings in square units, rounded down; holes run against their outer ring or count in full."""
    return abs(doubled_area(largest(rings))) // 2


def spans_at(rings: Sequence[Ring], y: int) -> list[Span]:
    """Return the stretches of the line at height y + 1/2 that lie inside (even-odd rule), from left to right.

    Half a unit lower than any point, so that the line never meets a corner.
    """
    crossings: list[int] = []
    level = 2 * y + 1
    for ring in rings:
        for x0, y0, x1, y1 in edges(ring):
            if (2 * y0 < level) != (2 * y1 < level):
                crossings.append(x0 + (level - 2 * y0) * (x1 - x0) // (2 * (y1 - y0)))
    crossings.sort()
    return list(zip(crossings[::2], crossings[1::2], strict=True))


def contains(rings: Sequence[Ring], x: int, y: int) -> bool:
    return any(left <= x <= right for left, right in spans_at(rings, y))


def area_centroid(ring: Ring) -> tuple[int, int]:
    """Return the centre of gravity of a ring's area, each coordinate rounded half up."""
    twice = doubled_area(ring)
    if twice == 0:
        xs, ys = ring[::2], ring[1::2]
        return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    sum_x = sum_y = 0
    for x0, y0, x1, y1 in edges(ring):
        cross = x0 * y1 - x1 * y0
        sum_x += (x0 + x1) * cross
        sum_y += (y0 + y1) * cross
    return _divided(sum_x, 3 * twice), _divided(sum_y, 3 * twice)


def centre(rings: Sequence[Ring]) -> tuple[int, int]:
    """Return the centroid of a territory: that of its largest ring if it lies inside, else an inner point.

    The inner point is the middle of the widest stretch inside among 16 lines through the largest ring at equal
    distances (ties: the uppermost, leftmost).
    """
    main = largest(rings)
    x, y = area_centroid(main)
    if contains(rings, x, y):
        return x, y
    ys = main[1::2]
    top, bottom = min(ys), max(ys)
    widest = (0, x, y)
    for line in range(16):
        level = top + (bottom - top) * (2 * line + 1) // 32
        for left, right in spans_at(rings, level):
            if right - left > widest[0] and contains((main,), (left + right) // 2, level):
                widest = (right - left, (left + right) // 2, level)
    return widest[1], widest[2]


def _divided(numerator: int, denominator: int) -> int:
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    return (2 * numerator + denominator) // (2 * denominator)
