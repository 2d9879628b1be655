"""Reads TopoJSON: areas are chains of arcs, and two areas that use the same arc share a border."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

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


@dataclass(frozen=True)
class _Arcs:
    """The decoded arcs of a topology."""

    points: list[list[Point]]

    def chain(self, node: Node, used: set[int]) -> tuple[Point, ...]:
        """Join the arcs that `node` lists to one ring and note them in `used`; ~i is arc i from its end."""
        ring: list[Point] = []
        for item in node.items():
            index = item.integer(-len(self.points), len(self.points) - 1)
            arc = ~index if index < 0 else index
            points = self.points[arc]
            # An arc of a single point, a leftover of quantisation, is no border.
            if len(set(points)) > 1:
                used.add(arc)
            if index < 0:
                points = points[::-1]
            if ring and ring[-1] != points[0]:
                raise item.fault(f"arc {index} does not begin where the one before it ends")
            ring.extend(points if not ring else points[1:])
        if ring and ring[0] != ring[-1]:
            raise node.fault("does not end where it begins; the arcs of a ring must close")
        return tuple(ring)


def read_topology(document: Node, layer: str | None = None) -> Outlines:
    """Read the areas of one object of a TopoJSON topology, quantised or not.

    `layer` names the object; without it the one with most geometries is taken (ties: the first by name).
    Raises `MapError` for anything that is no topology of areas.
    """
    arcs = _read_arcs(document)
    areas: list[Area] = []
    holders: dict[int, list[int]] = {}
    for geometry in _geometries(_choose(document.need("objects"), layer)):
        used: set[int] = set()
        entries = geometry.entries()
        polygons = tuple(polygon for polygon in _polygons(geometry, arcs, used) if polygon)
        if not polygons:
            raise geometry.fault("has no area; every territory needs a Polygon or MultiPolygon")
        properties = entries["properties"].entries() if "properties" in entries else {}
        areas.append(
            Area(
                place=geometry.place,
                own_id=own_id(entries["id"]) if "id" in entries else None,
                properties={key: node.value for key, node in properties.items()},
                polygons=polygons,
            )
        )
        for arc in used:
            holders.setdefault(arc, []).append(len(areas) - 1)
    return Outlines(document.file, tuple(areas), pairs_that_share(holders.values()))


def _read_arcs(document: Node) -> _Arcs:
    transform = document.get("transform")
    if transform is None:
        return _Arcs(
            [_no_gap([_position(point) for point in arc.items()], arc) for arc in document.need("arcs").items()]
        )
    scale_x, scale_y = _two(transform.need("scale"))
    shift_x, shift_y = _two(transform.need("translate"))
    decoded = []
    for arc in document.need("arcs").items():
        x = y = Decimal(0)
        points = []
        for position in arc.items():
            step_x, step_y = _two(position)
            # A quantised arc holds its first point and then differences.
            x, y = x + step_x, y + step_y
            point = (x * scale_x + shift_x, y * scale_y + shift_y)
            points.append((micro(point[0]), micro(point[1])))
        decoded.append(_no_gap(points, arc))
    return _Arcs(decoded)


def _no_gap(points: list[Point], arc: Node) -> list[Point]:
    if not points:
        raise arc.fault("is empty; an arc needs at least one position")
    return points


def _position(node: Node) -> Point:
    x, y = _two(node)
    return micro(x), micro(y)


def _two(node: Node) -> tuple[Decimal, Decimal]:
    value = node.value
    if not isinstance(value, list) or len(value) < 2:
        raise node.fault(f"must be a list of two numbers, is {kind(value)}")
    return number(value[0], node.file, node.place), number(value[1], node.file, node.place)


def _choose(objects: Node, layer: str | None) -> Node:
    entries = objects.entries()
    if not entries:
        raise objects.fault("is empty; a topology needs at least one object")
    if layer is None:
        return min(entries.items(), key=lambda entry: (-len(_geometries(entry[1])), entry[0]))[1]
    if layer not in entries:
        raise objects.fault(f"has no object {layer!r}; there are {', '.join(sorted(entries))}")
    return entries[layer]


def _geometries(node: Node) -> list[Node]:
    if node.need("type").value == "GeometryCollection":
        return node.need("geometries").items()
    return [node]


def _polygons(geometry: Node, arcs: _Arcs, used: set[int]) -> list[Polygon]:
    shape = geometry.need("type")
    if shape.value == "Polygon":
        return [_polygon(geometry.need("arcs"), arcs, used)]
    if shape.value == "MultiPolygon":
        return [_polygon(part, arcs, used) for part in geometry.need("arcs").items()]
    if shape.value == "GeometryCollection":
        return [found for part in geometry.need("geometries").items() for found in _polygons(part, arcs, used)]
    raise shape.fault(f"must be Polygon, MultiPolygon or GeometryCollection, is {kind(shape.value)}")


def _polygon(node: Node, arcs: _Arcs, used: set[int]) -> Polygon:
    """Return the rings of a polygon; those that quantisation has shrunk to a line or a point are left out."""
    rings = [without_repeats(arcs.chain(ring, used)) for ring in node.items()]
    if not rings:
        raise node.fault("has no ring")
    return tuple(ring for ring in rings if len(ring) >= 3) if len(rings[0]) >= 3 else ()
