"""What stands below a map: who owns how much, shades, signs, and what there was no room for on the map."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from html import escape

from shared.maps.badges import Part, Row, draw_row, row_width
from shared.maps.labels import Label
from shared.maps.lettering import WRITING, text_width
from shared.maps.model import SPECIALS, Map
from shared.maps.overlay import Overlay, Spot
from shared.maps.palette import UNOWNED, WATER_PAINT
from shared.maps.routes import SEA_STROKE
from shared.maps.shading import NOTHING, Shade
from shared.maps.symbols import SPECIAL_NAMES, piece, sign

_TEAM_SIZE = 38
_SIGN_SIZE = 32
_SIGN = 44
_KEY_SIZE = 27
_GAP = Part("  ")
"""Between the rows of two sides on one line."""
_BOLD = 'font-weight="bold" text-anchor="end"'


@dataclass(frozen=True)
class Side:
    """A team on the map: id, name, letter, number of territories, its place among the teams, from 0, and its own colour
    if it has chosen one."""

    team: str
    name: str
    letter: str
    territories: int
    place: int
    colour: str | None = None

    @property
    def paint(self) -> str:
        return f"url(#team-{self.place})"


@dataclass(frozen=True)
class Shown:
    """What a picture shows: `rows` of places (shared.maps.badges), `full` those that the key alone has room for,
    `shades` of amounts, `words` for one place and for several."""

    board: Map
    labels: Sequence[Label]
    owners: Mapping[str, str | None]
    sides: Sequence[Side]
    overlay: Overlay
    rows: Mapping[str, Sequence[Row]]
    full: Sequence[str]
    shades: Sequence[Shade]
    words: tuple[str, str]

    @cached_property
    def of_team(self) -> Mapping[str, Side]:
        return {side.team: side for side in self.sides}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Team id -> name."""
        return {side.team: side.name for side in self.sides}

    @cached_property
    def spots(self) -> Mapping[str, Spot]:
        return dict(self.overlay.spots)

    @property
    def free(self) -> int:
        """Places that nobody owns and somebody could."""
        owned = sum(side.territories for side in self.sides)
        water = sum(self.owners.get(territory_id) is None for territory_id in self.board.water)
        return len(self.board.territories) - owned - water

    def counted(self, count: int) -> str:
        return f"{count} {self.words[count != 1]}"


def draw_legend(shown: Shown, left: int, width: int) -> tuple[str, int]:
    """Return the legend between `left` and `left + width`, from 0 downwards, and its height."""
    parts, y = _swatches(shown, left, width)
    more, y = _signs(shown, left, width, y)
    parts += more
    more, y = _key(shown, left, width, y)
    return "\n".join(parts + more), y


def _swatches(shown: Shown, left: int, width: int) -> tuple[list[str], int]:
    entries = _shades(shown) if shown.overlay.shaded else _owners(shown)
    if water := _plain_water(shown):
        rest = "" if water == len(shown.board.water) else " with none" if shown.overlay.shaded else " without owner"
        entries.append((WATER_PAINT, "", f"Water{rest}: {shown.counted(water)}"))
    if not entries:
        return [], 0
    widest = max(text_width(words, _TEAM_SIZE) for _, _, words in entries) + 170
    rows = -(-len(entries) // max(1, width // widest))
    columns = -(-len(entries) // rows)
    parts = []
    for index, (paint, letter, words) in enumerate(entries):
        x, y = left + index % columns * widest, index // columns * 74
        parts.append(
            f'<rect x="{x}" y="{y}" width="110" height="56" fill="{paint}" stroke="#000" stroke-width="2"/>'
            f'<g {WRITING}><text x="{x + 55}" y="{y + 42}" font-size="40" font-weight="bold">{letter}</text></g>'
            f'<text x="{x + 126}" y="{y + 42}" font-size="{_TEAM_SIZE}">{escape(words)}</text>'
        )
    return parts, rows * 74 + 16


def _plain_water(shown: Shown) -> int:
    """Waters that are painted as such: without an owner, or without an amount where these are shown."""
    if shown.overlay.shaded:
        return sum(id_ not in shown.spots or not shown.spots[id_].amount for id_ in shown.board.water)
    return sum(shown.owners.get(id_) is None for id_ in shown.board.water)


def _owners(shown: Shown) -> list[tuple[str, str, str]]:
    entries = [(side.paint, side.letter, f"{side.name}: {shown.counted(side.territories)}") for side in shown.sides]
    if shown.free:
        entries.append((UNOWNED, "", f"Nobody: {shown.counted(shown.free)}"))
    return entries


def _shades(shown: Shown) -> list[tuple[str, str, str]]:
    """Ranges with how many places are in each; water is counted by itself where it has none."""
    amounts = [spot.amount for _, spot in shown.overlay.spots]
    land = sum(territory_id not in shown.board.water for territory_id in shown.board.territories)
    dirty = sum(spot.amount > 0 and id_ not in shown.board.water for id_, spot in shown.overlay.spots)
    entries = [(NOTHING, "0", f"none: {shown.counted(land - dirty)}")]
    for shade in shown.shades:
        count = sum(shade.least <= amount <= shade.most for amount in amounts)
        entries.append((shade.colour, "", f"{shade.words}: {shown.counted(count)}"))
    return entries


def _signs(shown: Shown, left: int, width: int, y: int) -> tuple[list[str], int]:
    found = {territory.special for territory in shown.board.territories.values()}
    signs: list[tuple[str, Callable[[int, int], str]]] = []
    for special in SPECIALS:
        if special in found:
            signs.append((SPECIAL_NAMES[special], partial(_special, special)))
    signs += [(shape.word, partial(_piece, shape.name)) for shape in shown.overlay.signs]
    if shown.board.sea_links:
        signs.append(("sea link", _sea_link))
    parts = []
    x = left
    for word, draw in signs:
        taken = 100 + text_width(word, _SIGN_SIZE)
        if x > left and x + taken > left + width:
            x, y = left, y + 60
        parts.append(draw(x + _SIGN // 2, y + _SIGN // 2))
        parts.append(f'<text x="{x + 54}" y="{y + 33}" font-size="{_SIGN_SIZE}">{escape(word)}</text>')
        x += taken
    return parts, y + 70 if parts else y


def _special(special: str, x: int, y: int) -> str:
    return sign(special, x, y, _SIGN)


def _piece(name: str, x: int, y: int) -> str:
    return piece(name, x, y, _SIGN)


def _sea_link(x: int, y: int) -> str:
    return f'<path class="sea" {SEA_STROKE} d="M{x - _SIGN // 2} {y}H{x + _SIGN // 2}"/>'


def _key(shown: Shown, left: int, width: int, y: int) -> tuple[list[str], int]:
    """Numbered places, and those whose badge has no room on the map."""
    numbered = sorted((label.number, label.territory_id) for label in shown.labels if label.number is not None)
    names = shown.board.territories
    full = sorted(shown.full, key=lambda territory_id: (names[territory_id].name.casefold(), territory_id))
    listed = [(str(number), id_) for number, id_ in numbered] + [("", id_) for id_ in full]
    if not listed:
        return [], y
    entries = [(number, _owned(shown, id_), _in_line(shown.rows.get(id_, ()))) for number, id_ in listed]
    widest = max(text_width(words, _KEY_SIZE) + row_width(row, _KEY_SIZE) for _, words, row in entries) + 100
    columns = max(1, width // widest)
    rows = -(-len(entries) // columns)
    parts = []
    for index, (number, words, row) in enumerate(entries):
        x, line = left + index // rows * widest, y + index % rows * 36 + 26
        parts.append(
            f'<text x="{x + 46}" y="{line}" font-size="{_KEY_SIZE}" {_BOLD}>{number}</text>'
            f'<text x="{x + 56}" y="{line}" font-size="{_KEY_SIZE}">{escape(words)}</text>'
            + draw_row(row, x + 66 + text_width(words, _KEY_SIZE), line - _KEY_SIZE * 36 // 100, _KEY_SIZE)
        )
    return parts, y + rows * 36 + 10


def _owned(shown: Shown, territory_id: str) -> str:
    """The name, with the owner's letter where the picture shows owners."""
    name, owner = shown.board.territories[territory_id].name, shown.owners.get(territory_id)
    if shown.overlay.shaded or owner is None:
        return name
    return f"{name} ({shown.of_team[owner].letter})"


def _in_line(rows: Sequence[Row]) -> Row:
    return tuple(part for number, row in enumerate(rows) for part in (*((_GAP,) if number else ()), *row))
