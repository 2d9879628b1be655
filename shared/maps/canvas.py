"""Brings a map to the measures of the drawing: a fixed width, so that type sizes mean the same on every map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from math import isqrt

from shared.maps.model import Map, Ring

WIDTH = 3600
"""Width of the drawn map in drawing units; on A4 landscape 13 of them are a millimetre."""

TALLEST = 2300

_MARGIN = 20

# Half a turn's worth of a circle, clockwise from the right, in thousandths of the radius.
_CIRCLE = (
    *((1000, 0), (966, 259), (866, 500), (707, 707), (500, 866), (259, 966)),
    *((0, 1000), (-259, 966), (-500, 866), (-707, 707), (-866, 500), (-966, 259)),
)  # fmt: skip


@dataclass(frozen=True)
class Canvas:
    """A map in drawing units: `height`, and for each territory its rings and centroid.

    A territory without a shape has a disc around its centroid for a ring and is listed in `discs`.
    """

    height: int
    rings: Mapping[str, tuple[Ring, ...]]
    centroids: Mapping[str, tuple[int, int]]
    discs: frozenset[str]


def canvas_of(board: Map) -> Canvas:
    """Scale a map so that everything in it fits into `WIDTH` by `TALLEST`, and centre it."""
    discs = frozenset(territory_id for territory_id in board.territories if not board.shapes.get(territory_id))
    xs = [territory.x for territory in board.territories.values()]
    ys = [territory.y for territory in board.territories.values()]
    for rings in board.shapes.values():
        for ring in rings:
            xs += ring[::2]
            ys += ring[1::2]
    # Discs need fractions of a map unit where centroids are next to each other: count in thousandths.
    radius = _disc_radius(board, discs)
    left, right = min(xs) * 1000 - radius, max(xs) * 1000 + radius
    top, bottom = min(ys) * 1000 - radius, max(ys) * 1000 + radius
    across, down = max(right - left, 1), max(bottom - top, 1)
    room_across, room_down = WIDTH - 2 * _MARGIN, TALLEST - 2 * _MARGIN
    # One ratio for both directions: the one that leaves nothing outside.
    numerator, denominator = (room_across, across) if room_across * down <= room_down * across else (room_down, down)
    inset = (WIDTH - across * numerator // denominator) // 2

    def at(x: int, y: int) -> tuple[int, int]:
        return (
            inset + (x * 1000 - left) * numerator // denominator,
            _MARGIN + (y * 1000 - top) * numerator // denominator,
        )

    centroids = {territory_id: at(territory.x, territory.y) for territory_id, territory in board.territories.items()}
    disc = max(radius * numerator // denominator, 12)
    return Canvas(
        height=down * numerator // denominator + 2 * _MARGIN,
        rings={
            territory_id: (
                (_circle(*centroids[territory_id], disc),)
                if territory_id in discs
                else tuple(
                    tuple(value for index in range(0, len(ring), 2) for value in at(ring[index], ring[index + 1]))
                    for ring in board.shapes[territory_id]
                )
            )
            for territory_id in board.territories
        },
        centroids=centroids,
        discs=discs,
    )


def _disc_radius(board: Map, discs: frozenset[str]) -> int:
    """Return a radius in thousandths of a map unit at which discs leave room between them; 0 if there are none."""
    if not discs:
        return 0
    centres = sorted({(territory.x, territory.y) for territory in board.territories.values()})
    if len(centres) == 1:
        return 1000
    return isqrt(_closest(centres) * 1_000_000) * 2 // 5


def _closest(points: list[tuple[int, int]]) -> int:
    """Return the smallest squared distance between two of at least two points, given from left to right."""
    closest = (points[1][0] - points[0][0]) ** 2 + (points[1][1] - points[0][1]) ** 2
    for index, (x0, y0) in enumerate(points):
        for x1, y1 in islice(points, index + 1, None):
            if (x1 - x0) ** 2 >= closest:
                break
            closest = min(closest, (x1 - x0) ** 2 + (y1 - y0) ** 2)
    return closest


def _circle(x: int, y: int, radius: int) -> Ring:
    half = [(radius * across // 1000, radius * down // 1000) for across, down in _CIRCLE]
    return tuple(value for sign in (1, -1) for dx, dy in half for value in (x + sign * dx, y + sign * dy))
