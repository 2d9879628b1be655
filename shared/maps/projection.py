"""Brings outlines to the sheet: integer map units, x to the right, y downwards, the left and upper edge at 0.

Longitude and latitude are drawn in Miller's cylindrical projection. It keeps north up everywhere and gives the small
countries of the middle latitudes more room than projections that look truer, and room is what a board needs in print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.maps.model import MapError, Ring
from shared.maps.outlines import Area, Outlines, Point, Polygon

_DEGREE = 1_000_000
_TURN = 360 * _DEGREE
_POLE = 90 * _DEGREE

# Height above the equator at 0, 5, 10, ... 90 degrees of latitude, in thousandths of a degree of longitude
# (1.25 ln tan(45 deg + 0.4 latitude)). A table instead of the formula gives the same integers on every machine.
_MILLER = (
    *(0, 5004, 10033, 15111, 20265, 25524, 30918, 36483, 42258, 48291),
    *(54639, 61371, 68574, 76358, 84873, 94320, 104988, 117309, 131976),
)  # fmt: skip

DEFAULT_CENTRE = 8
"""Degrees east of the sheet's middle. With 8 the edges run through the Bering Strait: Russia and Fiji stay whole."""


@dataclass(frozen=True)
class Sheet:
    """Projected outlines: `shapes[i]` are the rings of area i; `wraps` if the sheet goes once around the world."""

    width: int
    height: int
    wraps: bool
    shapes: tuple[tuple[Ring, ...], ...]


def project(outlines: Outlines, width: int, *, plan: bool = False, centre: int = DEFAULT_CENTRE) -> Sheet:
    """Fit the areas to a sheet of `width` map units.

    Coordinates are longitude and latitude in degrees, or, with `plan`, any plane units with y upwards. `centre` is the
    meridian in the middle of the sheet in whole degrees; a part that crosses the antimeridian is kept whole on the side
    where most of it lies. Raises `MapError` for a coordinate that is no longitude or latitude.
    """
    placed = [
        area.polygons if plan else tuple(_on_globe(polygon, area, outlines.file, centre) for polygon in area.polygons)
        for area in outlines.areas
    ]
    if not plan:
        placed = [tuple(tuple(_miller_ring(ring) for ring in polygon) for polygon in area) for area in placed]
    every = [point for area in placed for polygon in area for ring in polygon for point in ring]
    if not every:
        raise MapError(outlines.file, "the whole file", "has no area; a map needs at least one territory")
    left, right = min(x for x, _ in every), max(x for x, _ in every)
    bottom, top = min(y for _, y in every), max(y for _, y in every)
    extent = max(right - left, 1)

    def to_sheet(ring: Sequence[Point]) -> Ring:
        flat: list[int] = []
        for x, y in ring:
            point = [_rounded((x - left) * width, extent), _rounded((top - y) * width, extent)]
            if flat[-2:] != point:
                flat.extend(point)
        while len(flat) > 2 and flat[:2] == flat[-2:]:
            del flat[-2:]
        return tuple(flat)

    shapes = tuple(
        tuple(ring for polygon in area for ring in map(to_sheet, polygon) if len(ring) >= 6) for area in placed
    )
    height = max(_rounded((top - bottom) * width, extent), 1)
    return Sheet(width, height, not plan and extent >= _TURN * 9 // 10, shapes)


def _on_globe(polygon: Polygon, area: Area, file: str, centre: int) -> Polygon:
    """Make longitudes run on without a jump, and move the polygon to the turn of the globe that is drawn."""
    for x, y in (point for ring in polygon for point in ring):
        if abs(x) > _TURN or abs(y) > _POLE:
            raise MapError(
                file,
                area.place,
                f"({x / _DEGREE:g}, {y / _DEGREE:g}) is no longitude and latitude in degrees; "
                "import a map in other units as a plan",
            )
    west = centre * _DEGREE - _TURN // 2
    outer = _around_pole(_unwound(polygon[0]), west)
    middle = _middle(outer)
    placed = [_moved(outer, -((middle - west) // _TURN))]
    for hole in polygon[1:]:
        points = _around_pole(_unwound(hole), west)
        placed.append(_moved(points, _rounded(_middle(placed[0]) - _middle(points), _TURN)))
    return tuple(placed)


def _middle(ring: Sequence[Point]) -> int:
    return (min(x for x, _ in ring) + max(x for x, _ in ring)) // 2


def _moved(ring: Sequence[Point], turns: int) -> tuple[Point, ...]:
    return tuple((x + turns * _TURN, y) for x, y in ring)


def _unwound(ring: Sequence[Point]) -> list[Point]:
    """Return the closed ring, its longitudes shifted by whole turns so that no step is longer than half a turn."""
    points = [ring[0]]
    for x, y in [*ring[1:], ring[0]]:
        turns = (x - points[-1][0] + _TURN // 2) // _TURN
        points.append((x - turns * _TURN, y))
    return points


def _around_pole(points: list[Point], west: int) -> list[Point]:
    """Open a ring that goes around a pole, as Antarctica's does, at the sheet's edge and lead it along the pole."""
    if points[0][0] == points[-1][0]:
        return points[:-1]
    if points[0][0] > points[-1][0]:
        points = points[::-1]
    # The line repeats with every turn; take one turn of it that begins at the western edge of the sheet.
    count = len(points) - 1
    shift = (west - points[0][0]) // _TURN
    line = [(x + (shift + turn) * _TURN, y) for turn in (-1, 0, 1, 2, 3) for x, y in points[:-1]]
    last = max(index for index in range(3 * count) if line[index][0] <= west < line[index + 1][0])
    (x0, y0), (x1, y1) = line[last], line[last + 1]
    edge = y0 + _rounded((y1 - y0) * (west - x0), x1 - x0)
    body = line[last + 1 : last + 1 + count]
    pole = _POLE if sum(y for _, y in points) > 0 else -_POLE
    return [(west, edge), *body, (west + _TURN, edge), (west + _TURN, pole), (west, pole)]


def _miller_ring(ring: Sequence[Point]) -> tuple[Point, ...]:
    return tuple((x, miller(y)) for x, y in ring)


def miller(latitude: int) -> int:
    """Return the height of a latitude above the equator; both in millionths of a degree, linear within 5 degrees."""
    step, rest = divmod(abs(latitude), 5 * _DEGREE)
    below = _MILLER[step] * 1000
    height = below if rest == 0 else below + _rounded((_MILLER[step + 1] * 1000 - below) * rest, 5 * _DEGREE)
    return height if latitude >= 0 else -height


def _rounded(numerator: int, denominator: int) -> int:
    """Divide and round half up; the denominator is positive."""
    return (2 * numerator + denominator) // (2 * denominator)
