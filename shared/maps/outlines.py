"""What outline files have in common: areas with properties, and which of them share a border."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from shared.maps.model import MapError
from shared.maps.reading import Node, kind

Point = tuple[int, int]
"""Micro-units of the file, y upwards: millionths of a degree, or of whatever unit a plan is drawn in."""

Polygon = tuple[tuple[Point, ...], ...]
"""Rings without a repeated last point: the outer one, then the holes."""

_LARGEST = 10_000_000
_MICRO = Decimal(1_000_000)


@dataclass(frozen=True)
class Area:
    """One area of an outline file; `place` says where it stands, `own_id` is the `id` beside its properties."""

    place: str
    own_id: str | None
    properties: Mapping[str, object]
    polygons: tuple[Polygon, ...]


@dataclass(frozen=True)
class Outlines:
    """The areas of one file; `borders` holds pairs (i, j), i < j, of areas that share a border."""

    file: str
    areas: tuple[Area, ...]
    borders: frozenset[tuple[int, int]]


def own_id(node: Node) -> str | None:
    value = node.value
    if value is None or (isinstance(value, (str, int)) and not isinstance(value, bool)):
        return None if value is None else str(value)
    raise node.fault(f"must be a text or an integer, is {kind(value)}")


def number(value: object, file: str, place: str) -> Decimal:
    """Return a JSON number as `Decimal`, refusing what no map has."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise MapError(file, place, f"a coordinate must be a number, is {kind(value)}")
    if not -_LARGEST <= value <= _LARGEST:
        raise MapError(file, place, f"a coordinate must lie within ±{_LARGEST}, is {kind(value)}")
    return Decimal(value)


def micro(value: Decimal) -> int:
    return int((value * _MICRO).to_integral_value(ROUND_HALF_EVEN))


def without_repeats(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return a closed line without points that repeat the one before, and without the closing one."""
    kept = [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]
    if len(kept) > 1 and kept[0] == kept[-1]:
        kept.pop()
    return tuple(kept)


def pairs_that_share(holders: Iterable[Iterable[int]]) -> frozenset[tuple[int, int]]:
    """Return every pair of area numbers that occur together in one of `holders`."""
    pairs: set[tuple[int, int]] = set()
    for group in holders:
        members = sorted(set(group))
        pairs.update((a, b) for index, a in enumerate(members) for b in members[index + 1 :])
    return frozenset(pairs)
