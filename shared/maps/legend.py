"""What stands below a map: the teams, the signs, and the names of the numbered territories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from shared.maps.labels import Label
from shared.maps.lettering import WRITING, text_width
from shared.maps.model import SPECIALS, Map
from shared.maps.palette import UNOWNED
from shared.maps.routes import SEA_STROKE
from shared.maps.symbols import SPECIAL_NAMES, sign

_TEAM_SIZE = 38
_SIGN_SIZE = 32
_KEY_SIZE = 27
_BOLD = 'font-weight="bold" text-anchor="end"'


@dataclass(frozen=True)
class Side:
    """A team on the map: id, name, letter, number of territories, and its place among the teams, from 0."""

    team: str
    name: str
    letter: str
    territories: int
    place: int

    @property
    def paint(self) -> str:
        return f"url(#team-{self.place})"


def draw_legend(
    board: Map,
    labels: Sequence[Label],
    owners: Mapping[str, str | None],
    sides: Sequence[Side],
    left: int,
    width: int,
) -> tuple[str, int]:
    """Return the legend between `left` and `left + width`, from 0 downwards, and its height."""
    parts, y = _teams(board, sides, left, width)
    more, y = _signs(board, left, y)
    parts += more
    more, y = _key(board, labels, owners, sides, left, width, y)
    return "\n".join(parts + more), y


def _teams(board: Map, sides: Sequence[Side], left: int, width: int) -> tuple[list[str], int]:
    free = len(board.territories) - sum(side.territories for side in sides)
    entries = [(side.paint, side.letter, f"{side.name}: {_count(side.territories)}") for side in sides]
    if free:
        entries.append((UNOWNED, "", f"Nobody: {_count(free)}"))
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


def _count(territories: int) -> str:
    return "1 territory" if territories == 1 else f"{territories} territories"


def _signs(board: Map, left: int, y: int) -> tuple[list[str], int]:
    found = {territory.special for territory in board.territories.values()}
    parts = []
    x = left
    for special in (special for special in SPECIALS if special in found):
        name = SPECIAL_NAMES[special]
        parts.append(sign(special, x + 22, y + 22, 44))
        parts.append(f'<text x="{x + 54}" y="{y + 33}" font-size="{_SIGN_SIZE}">{name}</text>')
        x += 100 + text_width(name, _SIGN_SIZE)
    if board.sea_links:
        parts.append(f'<path class="sea" {SEA_STROKE} d="M{x} {y + 22}H{x + 90}"/>')
        parts.append(f'<text x="{x + 106}" y="{y + 33}" font-size="{_SIGN_SIZE}">sea link</text>')
    return parts, y + 70 if parts else y


def _key(
    board: Map,
    labels: Sequence[Label],
    owners: Mapping[str, str | None],
    sides: Sequence[Side],
    left: int,
    width: int,
    y: int,
) -> tuple[list[str], int]:
    letters = {side.team: side.letter for side in sides}
    numbered = sorted((label.number, label.territory_id) for label in labels if label.number is not None)
    if not numbered:
        return [], y
    entries = []
    for number, territory_id in numbered:
        owner = owners.get(territory_id)
        owned = f" ({letters[owner]})" if owner is not None else ""
        entries.append((number, f"{board.territories[territory_id].name}{owned}"))
    widest = max(text_width(words, _KEY_SIZE) for _, words in entries) + 90
    columns = max(1, width // widest)
    rows = -(-len(entries) // columns)
    parts = []
    for index, (number, words) in enumerate(entries):
        x, line = left + index // rows * widest, y + index % rows * 36 + 26
        parts.append(
            f'<text x="{x + 46}" y="{line}" font-size="{_KEY_SIZE}" {_BOLD}>{number}</text>'
            f'<text x="{x + 56}" y="{line}" font-size="{_KEY_SIZE}">{escape(words)}</text>'
        )
    return parts, y + rows * 36 + 10
