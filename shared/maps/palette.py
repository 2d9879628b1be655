"""How teams are told apart: fills of different lightness with different patterns, and a letter each.

Colour alone is not enough: the fills of the first six teams differ in lightness, so they stay apart in grey and for
readers who do not see all colours, and every team has a pattern of its own, by which a black-and-white print is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fill:
    """The look of a team: colour, colour of the pattern, and the pattern's drawing in a square of `TILE`."""

    colour: str
    ink: str
    drawing: str


TILE = 24

UNOWNED = "#ffffff"

WATER, WATER_INK = "#cfe6f5", "#1d5b8f"
WATER_PAINT = "url(#water)"
"""Fill of places that are water: waves, by which they are told apart in black and white."""
WATER_DRAWING = '<path d="M0 7Q3 3 6 7T12 7T18 7T24 7M0 19Q3 15 6 19T12 19T18 19T24 19"/>'

_COLOURS = (
    ("#fbe98c", "#8a7a1f"),
    ("#5b9bd5", "#123a60"),
    ("#f2a48f", "#8f3a22"),
    ("#2c8a5f", "#ffffff"),
    ("#b8def2", "#2d6f93"),
    ("#8a5299", "#ffffff"),
    ("#d4d4d4", "#4d4d4d"),
    ("#d98032", "#5c2f06"),
    ("#b5d99a", "#4a6f2c"),
    ("#b8436d", "#ffffff"),
    ("#e6d3b3", "#806437"),
    ("#66788f", "#ffffff"),
)

_PATTERNS = (
    "",
    '<path d="M-4 4L4 -4M0 24L24 0M20 28L28 20"/>',
    '<circle cx="6" cy="6" r="3"/><circle cx="18" cy="18" r="3"/>',
    '<path d="M-4 20L4 28M0 0L24 24M20 -4L28 4"/>',
    '<path d="M0 6H24M0 18H24"/>',
    '<path d="M6 0V24M18 0V24"/>',
    '<path d="M0 0L24 24M0 24L24 0"/>',
    '<path d="M0 12H24M12 0V24"/>',
    '<circle cx="12" cy="12" r="6"/>',
    '<path d="M0 8L6 2L12 8L18 2L24 8M0 20L6 14L12 20L18 14L24 20"/>',
    '<path d="M2 6H10M14 18H22"/>',
    '<path d="M8 12H16M12 8V16M-4 0H4M0 -4V4M20 0H28M24 -4V4M-4 24H4M0 20V28M20 24H28M24 20V28"/>',
)


def fill_of(place: int) -> Fill:
    """Return the look of the team at `place`, from 0; no two of the first 144 are equal."""
    colour, ink = _COLOURS[place % len(_COLOURS)]
    return Fill(colour, ink, _PATTERNS[(place + place // len(_COLOURS)) % len(_PATTERNS)])


_DARKEST, _LIGHTEST = 1_800, 8_000
"""Lightness of chosen colours, in ten-thousandths: black names have a contrast of 4.6 on the darkest, and the lightest
is told from a place that nobody owns."""
_INK_CHANGES = 3_500


def fill_in(colour: str, place: int) -> Fill:
    """Return the look of a team with a colour of its own, `#RRGGBB`, lightened or darkened where it has to be; its
    pattern is one of those that are seen, since two teams may have chosen much the same."""
    chosen = bytes.fromhex(colour[1:])
    steps = (_mixed(chosen, 0 if _lightness(chosen) > _LIGHTEST else 255, part) for part in range(101))
    shown = next(found for found in steps if _DARKEST <= _lightness(found) <= _LIGHTEST)
    ink = "#ffffff" if _lightness(shown) < _INK_CHANGES else f"#{_mixed(shown, 0, 65).hex()}"
    return Fill(f"#{shown.hex()}", ink, _PATTERNS[1 + place % (len(_PATTERNS) - 1)])


def _lightness(colour: bytes) -> int:
    """Relative luminance in ten-thousandths, with 2 for the exponent of screens."""
    red, green, blue = colour
    return (2126 * red * red + 7152 * green * green + 722 * blue * blue) // 65_025


def _mixed(colour: bytes, other: int, part: int) -> bytes:
    """A colour with so many hundredths of a grey."""
    return bytes((value * (100 - part) + other * part) // 100 for value in colour)


def letters(teams: Sequence[str]) -> Sequence[str]:
    """Return the letters of teams: their ids where these are capital letters, else A to Z, then AA, AB and so on."""
    if all(len(team) <= 2 and team.isascii() and team.isalpha() and team.isupper() for team in teams):
        return teams
    return [_letter(place) for place in range(len(teams))]


def _letter(place: int) -> str:
    last = chr(ord("A") + place % 26)
    return last if place < 26 else _letter(place // 26 - 1) + last
