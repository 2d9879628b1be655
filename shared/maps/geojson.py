"""Reads GeoJSON: two areas share a border when a stretch between two points belongs to both."""

from __future__ import annotations

from shared.maps.outlines import (
    Area,
    Outlines,
    Point,
    Polygon,
    micro,
    number,
    own_id,
    pairs_that_share,
    without_repeats,
)
from shared.maps.reading import Node, kind


def read_geojson(document: Node) -> Outlines:
    """Read the features of a GeoJSON FeatureCollection of Polygon and MultiPolygon.

    Neighbours must draw their common border through the same points; a single common point is no border.
    Raises `MapError` for anything that is no collection of areas.
    """
    areas: list[Area] = []
    holders: dict[tuple[Point, Point], list[int]] = {}
    for feature in document.need("features").items():
        area = _area(feature)
        for polygon in area.polygons:
            for ring in polygon:
                for start, end in zip(ring, ring[1:] + ring[:1], strict=True):
                    stretch = (start, end) if start < end else (end, start)
                    holders.setdefault(stretch, []).append(len(areas))
        areas.append(area)
    return Outlines(document.file, tuple(areas), pairs_that_share(holders.values()))


def _area(feature: Node) -> Area:
    entries = feature.entries()
    if feature.need("type").value != "Feature":
        raise feature.fault("must be a Feature")
    polygons = tuple(_polygons(feature.need("geometry")))
    properties = entries.get("properties")
    return Area(
        place=feature.place,
        own_id=own_id(entries["id"]) if "id" in entries else None,
        properties=(
            {}
            if properties is None or properties.value is None
            else {key: node.value for key, node in properties.entries().items()}
        ),
        polygons=polygons,
    )


def _polygons(geometry: Node) -> list[Polygon]:
    shape = geometry.need("type")
    if shape.value == "Polygon":
        return [_polygon(geometry.need("coordinates"))]
    if shape.value == "MultiPolygon":
        parts = geometry.need("coordinates").items()
        if not parts:
            raise geometry.fault("has no area; every territory needs at least one polygon")
        return [_polygon(part) for part in parts]
    raise shape.fault(f"must be Polygon or MultiPolygon, is {kind(shape.value)}")


def _polygon(node: Node) -> Polygon:
    rings = tuple(_ring(ring) for ring in node.items())
    if not rings:
        raise node.fault("has no ring")
    return rings


def _ring(node: Node) -> tuple[Point, ...]:
    if not isinstance(node.value, list):
        raise node.fault(f"must be a list of positions, is {kind(node.value)}")
    points: list[Point] = []
    for index, position in enumerate(node.value):
        place = f"{node.place}[{index}]"
        if not isinstance(position, list) or len(position) < 2:
            raise Node(node.file, place, position).fault(f"must be a list of two numbers, is {kind(position)}")
        x, y = (micro(number(value, node.file, place)) for value in position[:2])
        points.append((x, y))
    ring = without_repeats(points)
    if len(ring) < 3:
        raise node.fault(f"a ring needs at least 3 different points, has {len(ring)}")
    return ring
