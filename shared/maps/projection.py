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
_MILLER = (0, 5004, 10033, 15110, 20262, 25516, 30902, 36452, 42201, 48190, 54467, 61087, 68117, 75636, 83744)
_MILLER_TO_POLE = (92567, 102271, 113078, 125305, 132000)

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
    rings = [_around_pole(_unwound(ring), west) for ring in polygon]
    placed: list[tuple[Point, ...]] = []
    for ring in rings:
        middle = (min(x for x, _ in ring) + max(x for x, _ in ring)) // 2
        shift = -((middle - west) // _TURN) * _TURN
        placed.append(tuple((x + shift, y) for x, y in ring))
    return tuple(placed)


def _unwound(ring: Sequence[Point]) -> list[Point]:
    """Return the closed ring, its longitudes shifted by whole turns so that no step is longer than half a turn."""
    points = [ring[0]]
    for x, y in [*ring[1:], ring[0]]:
        turns = (x - points[-1][0] + _TURN // 2) // _TURN
        points.append((x - turns * _TURN, y))
    return points


def _around_pole(points: list[Point], west: int) -> list[Point]:
    """Open a ring that goes around a pole, as Antarctica's does, at the edge of the sheet and lead it along the pole."""
    if points[0][0] == points[-1][0]:
        return points[:-1]
    if points[0][0] > points[-1][0]:
        points = points[::-1]
    # The ring repeats with every turn; cut one turn out of it that begins exactly at the western edge.
    shift = -((points[0][0] - west) // _TURN) * _TURN
    ahead = [(x + shift, y) for x, y in points]
    twice = [(x - _TURN, y) for x, y in ahead[:-1]] + ahead
    last_before = max(index for index, (x, _) in enumerate(twice) if x <= west)
    (x0, y0), (x1, y1) = twice[last_before], twice[last_before + 1]
    at_edge = y0 + _rounded((y1 - y0) * (west - x0), x1 - x0)
    body = [*twice[last_before + 1 :]]
    body += [(x + _TURN, y) for x, y in twice[1 : last_before + 1] if x + _TURN > body[-1][0]]
    inside = [point for point in body if west < point[0] < west + _TURN]
    pole = _POLE if sum(y for _, y in points) > 0 else -_POLE
    return [(west, at_edge), *inside, (west + _TURN, at_edge), (west + _TURN, pole), (west, pole)]


def _miller_ring(ring: Sequence[Point]) -> tuple[Point, ...]:
    return tuple((x, miller(y)) for x, y in ring)


def miller(latitude: int) -> int:
    """Return the height of a latitude above the equator; both in millionths of a degree, linear within 5 degrees."""
    table = _MILLER + _MILLER_TO_POLE
    step, rest = divmod(abs(latitude), 5 * _DEGREE)
    below = table[step] * 1000
    height = below if rest == 0 else below + _rounded((table[step + 1] * 1000 - below) * rest, 5 * _DEGREE)
    return height if latitude >= 0 else -height


def _rounded(numerator: int, denominator: int) -> int:
    """Divide and round half up; the denominator is positive."""
    return (2 * numerator + denominator) // (2 * denominator)
