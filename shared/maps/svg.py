"""Draws a map as SVG, coloured by owner, to be read on a screen and in black-and-white print.

The same map, owners and teams always give the same text. Every word in it is escaped; it holds no script and loads
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape

from shared.maps.badges import Badge, draw_badge, placed, rows_of
from shared.maps.canvas import WIDTH, Canvas
from shared.maps.labels import Label, layout_of
from shared.maps.legend import Shown, Side, draw_legend
from shared.maps.lettering import FONT, LINE_HEIGHT, WRITING, text_width
from shared.maps.model import Map, Ring
from shared.maps.overlay import Overlay
from shared.maps.palette import TILE, UNOWNED, WATER, WATER_DRAWING, WATER_INK, WATER_PAINT, fill_in, fill_of, letters
from shared.maps.routes import SEA_STROKE, Line, fronts, land_lines, sea_lines
from shared.maps.shading import colour_of, shades_of
from shared.maps.symbols import SPECIAL_NAMES, sign

_MARGIN = 60

# Attributes, not a style sheet: a picture within a page must not change the page nor break on its policy for styles.
_STROKES = {
    "sea": SEA_STROKE,
    "border": 'fill="none" stroke="#444" stroke-width="5"',
    "leader": 'fill="none" stroke="#000" stroke-width="1.5"',
    "front": 'fill="none" stroke="#000" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"',
}
_LAND = 'stroke="#333" stroke-width="2" stroke-linejoin="round" fill-rule="evenodd"'


_NOTHING = Overlay("")
_WORDS = ("territory", "territories")
NO_COLOURS: Mapping[str, str] = {}


def render_svg(
    board: Map,
    owners: Mapping[str, str | None],
    teams: Mapping[str, str],
    title: str = "",
    subtitle: str = "",
    overlay: Overlay = _NOTHING,
    words: tuple[str, str] = _WORDS,
    colours: Mapping[str, str] = NO_COLOURS,
) -> str:
    """Return the SVG of `board`.

    `owners` gives the team id that owns a territory (missing or None: nobody), `teams` the name of each team id; a
    team's colour, pattern and letter follow from its place among the ids in canonical order. Without `title` the map's
    name stands above. `overlay` is what is shown besides, or instead, of owners; `words` are for one territory and
    for several. `colours` are those that teams chose, `#RRGGBB`.
    """
    shown = _shown(board, _sides(board, owners, teams, overlay, colours), owners, overlay, words)
    layout = layout_of(board)
    canvas = layout.canvas
    badges, full = placed(layout, shown.rows)
    heading = title or board.name
    legend, legend_height = draw_legend(replace(shown, full=full), _MARGIN, WIDTH)
    top = 170 if subtitle else 120
    height = top + canvas.height + 40 + legend_height + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + 2 * _MARGIN} {height}" role="img" '
        f'aria-labelledby="map-title map-desc" font-family="{escape(FONT)}">',
        f'<title id="map-title">{escape(heading)}</title>',
        f'<desc id="map-desc">{escape(_description(shown))}</desc>',
        f"<defs>{''.join(_pattern(side) for side in shown.sides)}{_WAVES if board.water else ''}</defs>",
        f'<rect width="{WIDTH + 2 * _MARGIN}" height="{height}" fill="#fff"/>',
        f'<text x="{_MARGIN}" y="86" font-size="68" font-weight="bold">{escape(heading)}</text>',
        f'<text x="{_MARGIN}" y="142" font-size="40">{escape(subtitle)}</text>' if subtitle else "",
        f'<g transform="translate({_MARGIN} {top})">',
        f'<rect width="{WIDTH}" height="{canvas.height}" fill="#f3f7fa" stroke="#999" stroke-width="2"/>',
        _lines(sea_lines(board, canvas), "sea"),
        _lines(land_lines(board, canvas), "border"),
        f'<g class="land" {_LAND}>',
        *(_territory(shown, canvas, territory_id) for territory_id in board.territories),
        "</g>",
        _fronts(canvas, shown),
        _lines([label.leader for label in layout.labels if label.leader is not None], "leader"),
        f'<g class="names" {WRITING}>',
        *(_label(board, label, _fill(shown, label.territory_id)) for label in layout.labels),
        "</g>",
        _badges(badges),
        "</g>",
        f'<g transform="translate(0 {top + canvas.height + 40})">{legend}</g>',
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _shown(
    board: Map, sides: Sequence[Side], owners: Mapping[str, str | None], overlay: Overlay, words: tuple[str, str]
) -> Shown:
    letters_of = {side.team: side.letter for side in sides}
    return Shown(
        board,
        layout_of(board).labels,
        owners,
        sides,
        overlay,
        rows={id_: rows_of(overlay, spot, letters_of) for id_, spot in overlay.spots},
        full=(),
        shades=shades_of(max((spot.amount for _, spot in overlay.spots), default=0)),
        words=words,
    )


def _sides(
    board: Map,
    owners: Mapping[str, str | None],
    teams: Mapping[str, str],
    overlay: Overlay,
    colours: Mapping[str, str],
) -> list[Side]:
    held = [owners.get(territory_id) for territory_id in board.territories]
    standing = {stack.side for _, spot in overlay.spots for stack in spot.stacks}
    ids = sorted({*teams, *standing, *(owner for owner in held if owner is not None)})
    return [
        Side(team, teams.get(team, team), letter, held.count(team), place, colours.get(team))
        for place, (team, letter) in enumerate(zip(ids, letters(ids), strict=True))
    ]


def _description(shown: Shown) -> str:
    shares = [f"{side.name} {side.territories}" for side in shown.sides]
    shares += [f"nobody {shown.free}"] if shown.free else []
    said = f"Map of {shown.counted(len(shown.board.territories))}. Held: {', '.join(shares)}."
    if shown.board.water:
        said += f" Water: {shown.counted(len(shown.board.water))}."
    if shown.overlay.spots:
        said += f" {shown.overlay.title}: {shown.counted(len(shown.overlay.spots))} with any."
    return said


_WAVES = (
    f'<pattern id="water" width="{TILE}" height="{TILE}" patternUnits="userSpaceOnUse">'
    f'<rect width="{TILE}" height="{TILE}" fill="{WATER}"/>'
    f'<g fill="none" stroke="{WATER_INK}" stroke-width="1.6" stroke-opacity="0.6">{WATER_DRAWING}</g></pattern>'
)


def _pattern(side: Side) -> str:
    fill = fill_of(side.place) if side.colour is None else fill_in(side.colour, side.place)
    return (
        f'<pattern id="team-{side.place}" width="{TILE}" height="{TILE}" patternUnits="userSpaceOnUse">'
        f'<rect width="{TILE}" height="{TILE}" fill="{fill.colour}"/>'
        f'<g fill="none" stroke="{fill.ink}" stroke-width="1.6" stroke-opacity="0.6">{fill.drawing}</g></pattern>'
    )


def _fill(shown: Shown, territory_id: str) -> str:
    """The shade of an amount, or the owner's paint; water that has neither is water."""
    spot = shown.spots.get(territory_id)
    if shown.overlay.shaded and spot is not None and spot.amount:
        return colour_of(spot.amount, shown.shades)
    owner = None if shown.overlay.shaded else shown.owners.get(territory_id)
    if owner is not None:
        return shown.of_team[owner].paint
    return WATER_PAINT if territory_id in shown.board.water else UNOWNED


def _territory(shown: Shown, canvas: Canvas, territory_id: str) -> str:
    territory = shown.board.territories[territory_id]
    owner = shown.owners.get(territory_id)
    nobody = "water" if territory_id in shown.board.water else "nobody"
    words = [territory.name, nobody if owner is None else shown.names[owner]]
    if territory.special is not None:
        words.append(SPECIAL_NAMES[territory.special])
    words += shown.overlay.said(shown.spots.get(territory_id), shown.names)
    path = "".join(_closed_path(ring) for ring in canvas.rings[territory_id])
    return (
        f'<path id="territory-{escape(territory_id)}" fill="{_fill(shown, territory_id)}" d="{path}">'
        f"<title>{escape(' – '.join(words))}</title></path>"
    )


def _fronts(canvas: Canvas, shown: Shown) -> str:
    """Thick lines between owners, in a picture that shows them."""
    if shown.overlay.shaded:
        return ""
    path = "".join(map(_open_path, fronts(canvas, shown.owners)))
    return f'<path class="front" {_STROKES["front"]} d="{path}"/>'


def _badges(badges: Mapping[str, Badge]) -> str:
    return f'<g class="badges">{"".join(map(draw_badge, badges.values()))}</g>' if badges else ""


def _label(board: Map, label: Label, fill: str) -> str:
    special = board.territories[label.territory_id].special
    size, step = label.size, label.size * LINE_HEIGHT // 100
    # The baseline of the first line: capitals are about seven tenths of the type size high.
    first = label.y - (len(label.lines) - 1) * step // 2 + size * 36 // 100
    parts = []
    shift = size * 3 // 5 if special is not None else 0
    if label.boxed:
        half = text_width(label.lines[0], size) // 2 + 6 + shift
        parts.append(
            f'<rect x="{label.x - half}" y="{label.y - size * 3 // 5}" width="{2 * half}" height="{size * 6 // 5}" '
            f'rx="6" fill="{fill}" stroke="#000" stroke-width="1.5"/>'
        )
    for index, line in enumerate(label.lines):
        x = label.x + (shift if index == 0 else 0)
        parts.append(f'<text x="{x}" y="{first + index * step}" font-size="{size}">{escape(line)}</text>')
    if special is not None:
        left = label.x + shift - text_width(label.lines[0], size) // 2 - size * 3 // 5
        parts.append(sign(special, left, first - size * 36 // 100, size))
    return "".join(parts)


def _lines(lines: Sequence[Line], kind: str) -> str:
    path = "".join(f"M{x0} {y0}L{x1} {y1}" for x0, y0, x1, y1 in lines)
    return f'<path class="{kind}" {_STROKES[kind]} d="{path}"/>' if path else ""


def _closed_path(ring: Ring) -> str:
    points = list(zip(ring[::2], ring[1::2], strict=True))
    return _open_path(points) + "z"


def _open_path(points: Sequence[tuple[int, int]]) -> str:
    """Return a path in steps from point to point, which takes half the room of one in coordinates."""
    x, y = points[0]
    path = [f"M{x} {y}l"]
    steps = []
    for to_x, to_y in points[1:]:
        steps.append(f"{to_x - x} {to_y - y}")
        x, y = to_x, to_y
    return path[0] + " ".join(steps)
