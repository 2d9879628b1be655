"""Longitude and latitude become a sheet: nothing is torn at the antimeridian, and a pole is a straight edge."""

import math

from shared.maps.outlines import Area, Outlines, Point, Polygon
from shared.maps.projection import miller, project

DEGREE = 1_000_000


def outlines(*polygons: Polygon) -> Outlines:
    areas = tuple(Area(f"area {index}", None, {}, (polygon,)) for index, polygon in enumerate(polygons))
    return Outlines("test", areas, frozenset())


def degrees(*points: tuple[int, int]) -> tuple[Point, ...]:
    return tuple((x * DEGREE, y * DEGREE) for x, y in points)


WORLD = (degrees((-170, -50), (-160, -50), (-160, 80), (-170, 80)),)


def test_the_projection_is_millers() -> None:
    for latitude in range(-90, 91, 5):
        exact = math.degrees(1.25 * math.log(math.tan(math.pi / 4 + 0.4 * math.radians(latitude))))
        assert abs(miller(latitude * DEGREE) - exact * DEGREE) < 1000
    for latitude in range(-89, 89):
        assert miller(latitude * DEGREE) < miller((latitude + 1) * DEGREE)


def test_a_land_across_the_antimeridian_stays_whole() -> None:
    across = (degrees((170, 0), (-175, 0), (-175, 10), (170, 10)),)
    sheet = project(outlines(across, (degrees((-10, 0), (10, 0), (10, 10), (-10, 10)),)), 1000)
    (ring,) = sheet.shapes[0]
    width = max(ring[::2]) - min(ring[::2])
    assert width < max(sheet.shapes[1][0][::2]) - min(sheet.shapes[1][0][::2])


def test_a_land_around_the_pole_reaches_the_lower_edge_on_its_whole_width() -> None:
    south = (degrees((-180, -70), (-90, -75), (0, -70), (90, -75), (179, -70)),)
    sheet = project(outlines(WORLD, south), 3600)
    (ring,) = sheet.shapes[1]
    xs, ys = ring[::2], ring[1::2]
    assert sheet.wraps
    assert (min(xs), max(xs)) == (0, sheet.width)
    assert ys.count(sheet.height) == 2
    assert {x for x, y in zip(xs, ys, strict=True) if y == sheet.height} == {0, sheet.width}


def test_a_hole_stays_within_its_land_across_the_antimeridian() -> None:
    land = degrees((160, 0), (-160, 0), (-160, 40), (160, 40))
    lake = degrees((-175, 10), (-170, 10), (-170, 20), (-175, 20))
    sheet = project(outlines((land, lake)), 400)
    outer, hole = sheet.shapes[0]
    assert min(outer[::2]) < min(hole[::2]) < max(hole[::2]) < max(outer[::2])


def test_a_country_does_not_wrap() -> None:
    assert not project(outlines((degrees((0, 0), (10, 0), (10, 10)),)), 100).wraps
