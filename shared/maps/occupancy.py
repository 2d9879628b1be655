"""Which places of a drawing are water, land, or covered by writing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from shared.maps.geometry import spans_at
from shared.maps.model import Ring

WATER = -1

_STEP = 8
_SQUARE = 128
"""Side of the squares by which written boxes are found, in drawing units."""
_FARTHEST = 400


@dataclass(frozen=True)
class Box:
    """A rectangle with upright sides."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, x: int, y: int, width: int, height: int) -> Box:
        return cls(x - width // 2, y - height // 2, x - width // 2 + width, y - height // 2 + height)

    @property
    def middle(self) -> tuple[int, int]:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def distance(self, x: int, y: int) -> int:
        """Return how far the point (x, y) is from the box, across plus down."""
        return max(self.left - x, 0, x - self.right) + max(self.top - y, 0, y - self.bottom)

    def nearest(self, x: int, y: int) -> tuple[int, int]:
        """Return the point of the box that is nearest to (x, y)."""
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)

    def beside(self, width: int, height: int, gap: int) -> Iterator[Box]:
        """Yield places for a box around this one: right, left, below, above, and the corners."""
        x, y = self.middle
        across = (self.right - self.left + width) // 2 + gap
        down = (self.bottom - self.top + height) // 2 + gap
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (1, 1), (-1, -1), (-1, 1)):
            yield Box.around(x + dx * across, y + dy * down, width, height)


class Occupancy:
    """What covers the drawing: whose land each cell of a grid is, and the boxes that are written on.

    `cell` is the side of a cell; territories are numbers from 0.
    """

    def __init__(self, width: int, height: int, cell: int) -> None:
        self._cell = cell
        self._size = Box(0, 0, width, height)
        self._land = [[WATER] * (width // cell + 1) for _ in range(height // cell + 1)]
        self._written: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)

    def copy(self) -> Occupancy:
        """Return one that may be written on by itself; the land is the same."""
        new = Occupancy.__new__(Occupancy)
        new._cell, new._size, new._land = self._cell, self._size, self._land
        new._written = defaultdict(list, {square: boxes.copy() for square, boxes in self._written.items()})
        return new

    def mark_land(self, territory: int, rings: Sequence[Ring]) -> None:
        top = min(min(ring[1::2]) for ring in rings)
        bottom = max(max(ring[1::2]) for ring in rings)
        for row in range(max(top // self._cell, 0), min(bottom // self._cell + 1, len(self._land))):
            cells = self._land[row]
            for left, right in spans_at(rings, row * self._cell + self._cell // 2):
                first, last = max(left // self._cell, 0), min(right // self._cell, len(cells) - 1)
                cells[first : last + 1] = [territory] * (last + 1 - first)

    def mark(self, box: Box) -> None:
        for square in _squares(box):
            self._written[square].append(box)

    def unmark(self, box: Box) -> None:
        for square in _squares(box):
            self._written[square].remove(box)

    def _near(self, box: Box) -> Iterator[Box]:
        """Yield the written boxes that share a square with this one: few, however many names a map has."""
        for square in _squares(box):
            yield from self._written.get(square, ())

    def is_unmarked(self, box: Box) -> bool:
        """Say whether nothing is written in the box and all of it lies on the drawing."""
        inside = box.left >= 0 and box.top >= 0 and box.right <= self._size.right and box.bottom <= self._size.bottom
        return inside and not any(box.meets(other) for other in self._near(box))

    def free_for(self, width: int, height: int) -> Callable[[int, int], bool]:
        """Return the question whether a box of this size around a point is unmarked."""
        return lambda x, y: self.is_unmarked(Box.around(x, y, width, height))

    def is_free_water(self, box: Box) -> bool:
        return self.is_unmarked(box) and self._land_in(box) == 0

    def is_mostly_of(self, box: Box, territory: int) -> bool:
        """Say whether the middle of the box, and four fifths of it, are water or land of `territory`."""
        x, y = box.middle
        if self._land[y // self._cell][x // self._cell] not in (WATER, territory):
            return False
        rows = self._rows(box)
        own = sum(row.count(WATER) + row.count(territory) for row in rows)
        return 5 * own > 4 * sum(map(len, rows))

    def overlooks(self, start: tuple[int, int], end: tuple[int, int], territory: int) -> bool:
        """Say whether the straight way from `start` to `end` crosses no land but that of `territory`."""
        return all(self._land[y // self._cell][x // self._cell] in (WATER, territory) for x, y in _way(*start, *end))

    def is_clear(self, start: tuple[int, int], end: tuple[int, int]) -> bool:
        """Say whether the straight way from `start` to `end` crosses no box but one that covers `end`."""
        points = _way(*start, *end)
        (x0, y0), (x1, y1) = start, end
        around = Box(min(x0, x1) - 1, min(y0, y1) - 1, max(x0, x1) + 1, max(y0, y1) + 1)
        return not any(
            box.meets(around) and box.distance(*end) > 0 and any(box.distance(*point) == 0 for point in points)
            for box in self._near(around)
        )

    def nearest_place(self, x: int, y: int, width: int, height: int) -> tuple[int, int]:
        """Return the best middle for a box near (x, y): close, on water rather than on land, covering no writing.

        Nor does the straight way to it cross what is written. If all is full, it is (x, y) itself.
        """
        best: tuple[int, int, int] | None = None
        for ring in range(0, _FARTHEST, _STEP):
            if best is not None and ring >= best[0]:
                break
            for dx, dy in _around(ring):
                box = Box.around(x + dx, y + dy, width, height)
                if self.is_unmarked(box) and self.is_clear((x + dx, y + dy), (x, y)):
                    cost = max(abs(dx), abs(dy)) + min(abs(dx), abs(dy)) // 2 + self._land_in(box) * 3 // 2
                    if best is None or cost < best[0]:
                        best = (cost, x + dx, y + dy)
        return (x, y) if best is None else (best[1], best[2])

    def _land_in(self, box: Box) -> int:
        return sum(len(row) - row.count(WATER) for row in self._rows(box))

    def _rows(self, box: Box) -> list[list[int]]:
        """Return the cells that a box touches."""
        first, last = max(box.left // self._cell, 0), box.right // self._cell + 1
        rows = self._land[max(box.top // self._cell, 0) : box.bottom // self._cell + 1]
        return [row[first:last] for row in rows]


def _squares(box: Box) -> list[tuple[int, int]]:
    """Return the squares of the drawing that a box touches."""
    return [
        (across, down)
        for across in range(box.left // _SQUARE, box.right // _SQUARE + 1)
        for down in range(box.top // _SQUARE, box.bottom // _SQUARE + 1)
    ]


def _around(ring: int) -> list[tuple[int, int]]:
    """Return the steps to the edge of a square of `ring` on each side, `_STEP` apart, from above clockwise."""
    along = range(-ring, ring, _STEP)
    if ring == 0:
        return [(0, 0)]
    return (
        [(step, -ring) for step in along]
        + [(ring, step) for step in along]
        + [(-step, ring) for step in along]
        + [(-ring, -step) for step in along]
    )


def _way(x0: int, y0: int, x1: int, y1: int) -> list[tuple[int, int]]:
    """Return points on a straight way, about 6 units from each other, its end left out."""
    steps = max(abs(x1 - x0), abs(y1 - y0)) // 6 + 1
    return [(x0 + (x1 - x0) * step // steps, y0 + (y1 - y0) * step // steps) for step in range(steps)]
