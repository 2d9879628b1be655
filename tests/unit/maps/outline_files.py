"""Small outline files: three squares in a row, the third of them in two parts, as TopoJSON and as GeoJSON."""

import json
from pathlib import Path
from typing import Any

# Corners:  a b c d      West = a b f e, Middle = b c g f, East = c d h g and an island to the east.
#           e f g h
CORNERS = {
    "a": (0, 10),
    "b": (10, 10),
    "c": (20, 10),
    "d": (30, 10),
    "e": (0, 0),
    "f": (10, 0),
    "g": (20, 0),
    "h": (30, 0),
}
ISLAND = [(40, 0), (44, 0), (44, 4), (40, 4)]
NAMES = ("West", "Middle", "East")


def ring(corners: str) -> list[list[int]]:
    return [list(CORNERS[corner]) for corner in corners + corners[0]]


def geojson() -> dict[str, Any]:
    """The areas as GeoJSON."""
    island = [list(point) for point in [*ISLAND, ISLAND[0]]]
    shapes: list[dict[str, Any]] = [
        {"type": "Polygon", "coordinates": [ring("abfe")]},
        {"type": "Polygon", "coordinates": [ring("bcgf")]},
        {"type": "MultiPolygon", "coordinates": [[ring("cdhg")], [island]]},
    ]
    return {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "id": index, "properties": {"name": name, "code": f"X{index}"}, "geometry": shape}
            for index, (name, shape) in enumerate(zip(NAMES, shapes, strict=True))
        ],
    }


def topojson(*, quantised: bool) -> dict[str, Any]:
    """The areas as TopoJSON; each border between two of them is one arc, used backwards by the second."""
    arcs: list[list[tuple[int, int]]] = [
        [CORNERS[corner] for corner in corners] for corners in ("bf", "feab", "cg", "bc", "gf", "cdhg")
    ]
    arcs.append([*ISLAND, ISLAND[0]])
    topology: dict[str, Any] = {
        "type": "Topology",
        "objects": {
            "outline": {"type": "Polygon", "arcs": [[0, 1]]},
            "areas": {
                "type": "GeometryCollection",
                "geometries": [
                    {"type": "Polygon", "properties": {"name": "West"}, "arcs": [[0, 1]]},
                    {"type": "Polygon", "properties": {"name": "Middle"}, "arcs": [[3, 2, 4, ~0]]},
                    {
                        "type": "GeometryCollection",
                        "properties": {"name": "East"},
                        "geometries": [{"type": "MultiPolygon", "arcs": [[[5, ~2]], [[6]]]}],
                    },
                ],
            },
        },
    }
    if quantised:
        # Steps of half a unit from (-10, -10), each point as the difference to the one before.
        topology["transform"] = {"scale": [0.5, 0.5], "translate": [-10, -10]}
        topology["arcs"] = [differences([(2 * (x + 10), 2 * (y + 10)) for x, y in arc]) for arc in arcs]
    else:
        topology["arcs"] = [[[float(x), float(y)] for x, y in arc] for arc in arcs]
    return topology


def differences(points: list[tuple[int, int]]) -> list[list[int]]:
    before = [(0, 0), *points[:-1]]
    return [[x - x0, y - y0] for (x, y), (x0, y0) in zip(points, before, strict=True)]


def write(folder: Path, name: str, value: object) -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path
