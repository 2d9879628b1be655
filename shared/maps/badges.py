"""What stands in places, written beside their names: a row a side with its letter, signs and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from shared.maps.labels import Layout, Room
from shared.maps.lettering import text_width
from shared.maps.occupancy import Box, Occupancy
from shared.maps.overlay import Overlay, Spot
from shared.maps.symbols import piece

SIZE = 24
"""The smallest type size of badges, that of the smallest names."""
_PADDING = 6
_GAP, _APART = 2, 9
"""How far a badge stands at least from its own name, and from all else that is written."""


class Part(NamedTuple):
    """A text, or the sign of this name."""

    text: str = ""
    sign: str = ""


Row = tuple[Part, ...]


@dataclass(frozen=True)
class Badge:
    """The rows of one place in their box, and their type size."""

    rows: tuple[Row, ...]
    box: Box
    size: int


def rows_of(overlay: Overlay, spot: Spot, letters: Mapping[str, str]) -> tuple[Row, ...]:
    """What distinguishes the place, its amount, the word of what stands there, each side with letter and numbers."""
    marks = tuple(
        part
        for number, side in spot.marks
        for part in (Part(sign=overlay.marks[number].name), Part(letters.get(side or "", "")))
        if part != Part()
    )
    if overlay.shaded and spot.amount:
        marks = (*marks, Part(sign=overlay.amount_sign.name), Part(str(spot.amount)))
    if spot.word:
        marks = (*marks, Part(spot.word))
    stacks = tuple(
        (Part(letters.get(stack.side, "")), *_numbers(overlay, stack.counts))
        for stack in spot.stacks
        if any(stack.counts)
    )
    if len(stacks) == 1:
        return ((*marks, *stacks[0]),)
    return ((marks,) if marks else ()) + stacks


def _numbers(overlay: Overlay, counts: Sequence[int]) -> Row:
    return tuple(
        part
        for kind, count in zip(overlay.kinds, counts, strict=True)
        if count
        for part in (Part(sign=kind.name), Part(str(count)))
    )


def placed(layout: Layout, rows: Mapping[str, Sequence[Row]]) -> tuple[dict[str, Badge], list[str]]:
    """Badges of places that have a name on the map; and those of them that have no room for one.

    Numbered places say in the key what stands there. A badge stands beside its own name alone and lies on its own
    place or on water, or it lies wholly inside its place, so that nobody takes it for that of another.
    """
    taken = layout.taken.copy()
    found: dict[str, Badge] = {}
    full: list[str] = []
    for number, label in enumerate(layout.labels):
        of_place = tuple(rows.get(label.territory_id, ()))
        if label.number is not None or not of_place:
            continue
        badge = _largest(layout, number, of_place, taken)
        if badge is None:
            full.append(label.territory_id)
        else:
            taken.mark(badge.box)
            found[label.territory_id] = badge
    return found, full


def _largest(layout: Layout, number: int, rows: tuple[Row, ...], taken: Occupancy) -> Badge | None:
    """The badge of the place with this number at the largest size that fits: two thirds of its name, or less."""
    label = layout.labels[number]
    sizes = [size for size in (label.size * 2 // 3, label.size // 2) if size > SIZE]
    for size in (*sizes, SIZE):
        width = max(row_width(row, size) for row in rows) + 2 * _PADDING
        height = len(rows) * _row_height(size) + _PADDING
        name = layout.boxes[label.territory_id]
        taken.unmark(name)
        # Below capitals and figures there is room for what hangs from small letters.
        beside = _beside(name, width, height, max(_GAP, label.size // 6))
        box = next((box for box in beside if _is_free(taken, box, number)), None)
        taken.mark(name)
        box = box or _inside(layout, label.territory_id, width, height, taken)
        if box is not None:
            return Badge(rows, box, size)
    return None


def _row_height(size: int) -> int:
    return size * 5 // 4


def _beside(name: Box, width: int, height: int, gap: int) -> list[Box]:
    """Below, above, right and left of a name."""
    right, left, below, above, *_ = name.beside(width, height, gap)
    return [below, above, right, left]


def _is_free(taken: Occupancy, box: Box, territory: int) -> bool:
    around = Box(box.left - _APART, box.top - _APART, box.right + _APART, box.bottom + _APART)
    return taken.is_unmarked(around) and taken.is_mostly_of(box, territory)


def _inside(layout: Layout, territory_id: str, width: int, height: int, taken: Occupancy) -> Box | None:
    """The free box inside a place that is nearest to its name."""
    room = Room(layout.canvas.rings[territory_id])
    if room.square < width * height:
        return None
    at = room.place(width, height, layout.boxes[territory_id].middle, taken.free_for(width + _GAP, height + _GAP))
    return None if at is None else Box.around(*at, width, height)


def row_width(row: Row, size: int) -> int:
    """How many drawing units a row takes."""
    return sum(size + size // 8 if part.sign else text_width(part.text, size) + size // 4 for part in row)


def draw_row(row: Row, x: int, middle: int, size: int) -> str:
    """Draw a row from `x` to the right; `middle` is the height of its middle."""
    drawn = []
    for part in row:
        if part.sign:
            drawn.append(piece(part.sign, x + size // 2, middle, size))
            x += size + size // 8
        else:
            baseline = middle + size * 36 // 100
            drawn.append(f'<text x="{x}" y="{baseline}" font-size="{size}" {_WRITING}>{escape(part.text)}</text>')
            x += text_width(part.text, size) + size // 4
    return "".join(drawn)


_WRITING = 'font-weight="bold" text-anchor="start" stroke="none"'


def draw_badge(badge: Badge) -> str:
    """Draw the box and its rows."""
    box = badge.box
    parts = [
        f'<rect x="{box.left}" y="{box.top}" width="{box.right - box.left}" height="{box.bottom - box.top}" rx="6" '
        'fill="#fff" stroke="#000" stroke-width="1.5"/>'
    ]
    step = _row_height(badge.size)
    for number, row in enumerate(badge.rows):
        middle = box.top + _PADDING // 2 + number * step + step // 2
        parts.append(draw_row(row, box.left + _PADDING, middle, badge.size))
    return "".join(parts)
