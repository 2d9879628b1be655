"""Shades of amounts: nothing is white, and what is more is darker, so that the order is seen in grey too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

NOTHING = "#ffffff"
_SHADES = ("#fdebd0", "#fbc98b", "#f09c4e", "#cc6420", "#8c3a0a")


class Shade(NamedTuple):
    """The colour of amounts from `least` to `most`."""

    least: int
    most: int
    colour: str

    @property
    def words(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


def shades_of(most: int) -> Sequence[Shade]:
    """Return up to five ranges of equal width from 1 to `most` or a little more; none for 0."""
    width = -(-most // len(_SHADES))
    ranges = range(1, most + 1, max(width, 1))
    return [Shade(least, least + width - 1, colour) for least, colour in zip(ranges, _SHADES, strict=False)]


def colour_of(amount: int, shades: Sequence[Shade]) -> str:
    """Return the colour of an amount."""
    return next((shade.colour for shade in shades if shade.least <= amount <= shade.most), NOTHING)
