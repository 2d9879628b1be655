"""How wide names are, and how they break into lines."""

from __future__ import annotations

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

WRITING = 'text-anchor="middle" stroke="#fff" stroke-width="5" stroke-linejoin="round" paint-order="stroke"'
"""Attributes of names on the map: centred, with a white rim that parts them from what is below."""

LINE_HEIGHT = 108
"""Hundredths of the type size from one line to the next."""

# Widths in hundredths of the type size, those of a wide font: which of the fonts a reader has is not known.
_NARROW, _WIDE = frozenset("ijltfrI.,;:'!|()[]- "), frozenset("mwMWGOQ@%&")


def text_width(text: str, size: int) -> int:
    """Return how many drawing units a line of `text` takes at most at type size `size`."""
    return sum(_character(character) for character in text) * size // 100


def _character(character: str) -> int:
    if ord(character) > 0x2E7F:
        return 104
    if character in _NARROW:
        return 35
    if character in _WIDE:
        return 90
    return 69 if character.isupper() else 59


def broken(name: str) -> list[tuple[str, ...]]:
    """Return the ways to set a name: on one line, on two as even as possible, and with a word on each of up to four."""
    words = name.split()
    ways: list[tuple[str, ...]] = [(name,)]
    if len(words) > 1:
        halves = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
        ways.append(min(halves, key=lambda half: max(text_width(line, 100) for line in half)))
    if 3 <= len(words) <= 4:
        ways.append(tuple(words))
    return ways
