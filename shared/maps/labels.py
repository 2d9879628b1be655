"""Places the names on a map so that none covers another.

Largest territories first, each name goes as large as fits (on up to four lines) inside its territory, or else onto free
water beside it. What is left gets a number, inside if that fits, or else beside it with a line to it, and the key below
the map tells its name. Which it becomes depends on the map alone, never on the owners.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from shared.maps.canvas import WIDTH, Canvas, canvas_of
from shared.maps.geometry import Span, area, largest, spans_at
from shared.maps.lettering import LINE_HEIGHT, broken, text_width
from shared.maps.model import Map, Ring
from shared.maps.occupancy import Box, Occupancy

SIZES = (84, 72, 62, 54, 46, 40, 34, 29, 25, 22)
"""Type sizes, largest first; the smallest is 5 points high on A4 landscape."""

NUMBER_SIZE = 21
ROW = 4
_PADDING = 3

# A name at the smallest size may hang over the borders of its territory by this share of its width, in hundredths.
_OVERHANG = 38

_SPOT = 6
_SEEN_AT_ONCE = 16
_FARTHEST_LEADER = 70


@dataclass(frozen=True)
class Label:
    """What is written for one territory: `lines` at `size`, centred on (x, y).

    `number` is its place in the key, or None if the name itself is written. `leader` is a line from the
    label to its territory, or None; a `boxed` label stands in a box of its owner's fill. A special's sign as high as
    the type stands before the first line.
    """

    territory_id: str
    lines: tuple[str, ...]
    size: int
    x: int
    y: int
    number: int | None = None
    leader: tuple[int, int, int, int] | None = None
    boxed: bool = False


@dataclass(frozen=True)
class Layout:
    """A map ready to be drawn: its canvas, its labels in canonical order, and what they leave free."""

    canvas: Canvas
    labels: Sequence[Label]
    boxes: Mapping[str, Box]
    taken: Occupancy


@lru_cache(maxsize=16)
def layout_of(board: Map) -> Layout:
    """Return canvas and labels of a map; the last few are kept, because a game's map never changes."""
    canvas = canvas_of(board)
    by_size = sorted(board.territories, key=lambda territory_id: (-area(canvas.rings[territory_id]), territory_id))
    taken = Occupancy(WIDTH, canvas.height, ROW * 2)
    for number, territory_id in enumerate(board.territories):
        taken.mark_land(number, canvas.rings[territory_id])
    placed: dict[str, Label] = {}
    for territory_id in by_size:
        label = _inside(board, canvas, territory_id, taken)
        if label is not None:
            placed[territory_id] = label
            taken.mark(_box(label, board))
    for territory_id in by_size:
        if territory_id not in placed:
            label = _on_water(board, canvas, territory_id, taken)
            if label is not None:
                placed[territory_id] = label
                taken.mark(_box(label, board))
    numbered = [territory_id for territory_id in board.territories if territory_id not in placed]
    numbered.sort(key=lambda territory_id: (board.territories[territory_id].name.casefold(), territory_id))
    numbers = {territory_id: index for index, territory_id in enumerate(numbered, start=1)}
    # No label may cover the spot that the line of another may have to reach.
    spots = {territory_id: Box.around(*canvas.centroids[territory_id], _SPOT, _SPOT) for territory_id in numbered}
    for spot in spots.values():
        taken.mark(spot)
    for put in (_number_inside, _number_beside):
        for territory_id in [territory_id for territory_id in by_size if territory_id in spots]:
            taken.unmark(spots[territory_id])
            label = put(board, canvas, territory_id, numbers[territory_id], taken)
            if label is None:
                taken.mark(spots[territory_id])
                continue
            placed[territory_id] = label
            taken.mark(_box(label, board))
            del spots[territory_id]
    labels = tuple(placed[territory_id] for territory_id in board.territories)
    return Layout(canvas, labels, {label.territory_id: _box(label, board) for label in labels}, taken)


def _measure(lines: Sequence[str], size: int, has_sign: bool) -> tuple[int, int]:
    first = text_width(lines[0], size) + (size + size // 5 if has_sign else 0)
    width = max(first, *(text_width(line, size) for line in lines))
    # Capitals are seven tenths of the type size high.
    return width + 2 * _PADDING, (len(lines) - 1) * size * LINE_HEIGHT // 100 + size * 7 // 10 + 2 * _PADDING


def _box(label: Label, board: Map) -> Box:
    has_sign = board.territories[label.territory_id].special is not None
    width, height = _measure(label.lines, label.size, has_sign)
    if label.boxed:
        width, height = width + 8, height + 6
    return Box.around(label.x, label.y, width, height)


def _inside(board: Map, canvas: Canvas, territory_id: str, taken: Occupancy) -> Label | None:
    room = Room(canvas.rings[territory_id])
    territory = board.territories[territory_id]
    centroid = canvas.centroids[territory_id]
    for size in (size for size in SIZES if size * size * 8 <= room.square or size == SIZES[-1]):
        for lines in broken(territory.name):
            found = room.place(*_measure(lines, size, territory.special is not None), centroid)
            if found is not None:
                return Label(territory_id, lines, size, *found)
    for lines in broken(territory.name):
        width, height = _measure(lines, SIZES[-1], territory.special is not None)
        found = room.place(width * (100 - _OVERHANG) // 100, height, centroid, taken.free_for(width, height))
        if found is not None:
            return Label(territory_id, lines, SIZES[-1], *found)
    return None


def _on_water(board: Map, canvas: Canvas, territory_id: str, taken: Occupancy) -> Label | None:
    territory = board.territories[territory_id]
    number = list(board.territories).index(territory_id)
    main = largest(canvas.rings[territory_id])
    shape = Box(min(main[::2]), min(main[1::2]), max(main[::2]), max(main[1::2]))
    coast = list(zip(main[::2], main[1::2], strict=True))
    best: tuple[int, Label] | None = None
    for lines in broken(territory.name)[:2]:
        width, height = _measure(lines, SIZES[-1], territory.special is not None)
        for box in (box for gap in (-12, 0, 8, 16, 28, 40) for box in shape.beside(width, height, gap)):
            if not taken.is_free_water(box):
                continue
            distance, x, y = min((box.distance(x, y), x, y) for x, y in coast)
            if distance > _FARTHEST_LEADER or (best is not None and distance >= best[0]):
                continue
            start = box.nearest(x, y)
            if taken.overlooks(start, (x, y), number) and taken.is_clear(start, (x, y)):
                leader = (*start, x, y) if distance > _SEEN_AT_ONCE else None
                best = (distance, Label(territory_id, lines, SIZES[-1], *box.middle, leader=leader))
    return None if best is None else best[1]


def _number_inside(board: Map, canvas: Canvas, territory_id: str, number: int, taken: Occupancy) -> Label | None:
    lines = (str(number),)
    width, height = _measure(lines, NUMBER_SIZE, board.territories[territory_id].special is not None)
    # A number is read as one shape, so it may hang over the border by a fifth on each side.
    found = Room(canvas.rings[territory_id]).place(
        width * 6 // 10,
        height * 6 // 10,
        canvas.centroids[territory_id],
        taken.free_for(width - 2 * _PADDING, height - 2 * _PADDING),
    )
    return None if found is None else Label(territory_id, lines, NUMBER_SIZE, *found, number=number)


def _number_beside(board: Map, canvas: Canvas, territory_id: str, number: int, taken: Occupancy) -> Label | None:
    lines = (str(number),)
    width, height = _measure(lines, NUMBER_SIZE, board.territories[territory_id].special is not None)
    centroid = canvas.centroids[territory_id]
    x, y = taken.nearest_place(*centroid, width + 12, height + 8)
    box = Box.around(x, y, width, height)
    leader = None if box.distance(*centroid) == 0 else (*box.nearest(*centroid), *centroid)
    return Label(territory_id, lines, NUMBER_SIZE, x, y, number=number, leader=leader, boxed=True)


class Room:
    """The free stretches inside a territory, row by row."""

    def __init__(self, rings: Sequence[Ring]) -> None:
        main = largest(rings)
        self._top = min(main[1::2])
        bottom = max(main[1::2])
        self._rows = [spans_at(rings, y) for y in range(self._top, bottom + 1, ROW)]
        self.square = area(rings)

    def place(
        self, width: int, height: int, near: tuple[int, int], free: Callable[[int, int], bool] = lambda x, y: True
    ) -> tuple[int, int] | None:
        """Return the middle nearest to `near` at which a box lies wholly inside and that is `free`, or None."""
        rows = height // ROW + 1
        best: tuple[int, int, int] | None = None
        for first in range(len(self._rows) - rows + 1):
            y = self._top + first * ROW + (rows - 1) * ROW // 2
            if best is not None and abs(y - near[1]) >= best[0]:
                continue
            for left, right in _common(self._rows[first : first + rows], width):
                x = min(max(near[0], left + width // 2), right - width // 2)
                candidate = (abs(x - near[0]) + abs(y - near[1]), x, y)
                if (best is None or candidate < best) and free(x, y):
                    best = candidate
        return None if best is None else (best[1], best[2])


def _common(rows: Sequence[Sequence[Span]], width: int) -> list[Span]:
    """Return the stretches of at least `width` that lie in all rows."""
    common = [span for span in rows[0] if span[1] - span[0] >= width]
    for row in rows[1:]:
        if not common:
            return []
        common = [
            (left, right)
            for a in common
            for b in row
            if (right := min(a[1], b[1])) - (left := max(a[0], b[0])) >= width
        ]
    return common
