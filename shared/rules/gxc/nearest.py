"""The nearest territory of a team (GXC-57), found by looking at few of its territories."""

from bisect import bisect_left
from collections.abc import Sequence
from math import isqrt

from shared.rules.gxc.board import Board

_ROWS = 4
"""Of a map as wide as high with its territories in rows: how many rows make a band."""

Band = tuple[list[int], list[int]]
"""Territories from the lowest x on: their x, and they themselves."""


class Nearest:
    """The territories of each owner in bands of equal height, those of a band from the lowest x on.

    From a place on it is searched band by band, and in each outwards in x, as long as something nearer may be there. So
    a search takes no longer on a large map than on a small one.
    """

    __slots__ = ("_bands", "_board", "_count", "_height", "_low")

    def __init__(self, board: Board, owner: Sequence[int]) -> None:
        self._board = board
        self._low = min(board.y)
        self._count = max(1, isqrt(len(board.y)) // _ROWS)
        self._height = -(-(max(board.y) - self._low + 1) // self._count)
        self._bands: dict[int, list[Band]] = {}
        x, y = board.x, board.y
        for item in board.by_x:
            own = owner[item]
            if own not in self._bands:
                self._bands[own] = [([], []) for _ in range(self._count)]
            xs, items = self._bands[own][(y[item] - self._low) // self._height]
            xs.append(x[item])
            items.append(item)

    def of(self, team: int, lost: int) -> int | None:
        """The team's territory with the smallest squared distance of centroids, tie to the lower id."""
        bands = self._bands.get(team)
        if bands is None:
            return None
        y, height = self._board.y[lost] - self._low, self._height
        best: tuple[int, int] | None = None
        up = y // height
        down = up - 1
        while down >= 0 or up < self._count:
            above, below = max(0, up * height - y), y - (down + 1) * height + 1
            if up < self._count and (down < 0 or above <= below):
                band, gap, up = bands[up], above, up + 1
            else:
                band, gap, down = bands[down], below, down - 1
            if best is not None and gap * gap > best[0]:
                break
            if band[0]:
                best = self._nearer(band, lost, best)
        return best[1] if best else None

    def _nearer(self, band: Band, lost: int, best: tuple[int, int] | None) -> tuple[int, int] | None:
        """Squared distance and territory: the best of a band and what was found before."""
        xs, items = band
        x, y, ys = self._board.x[lost], self._board.y[lost], self._board.y
        right = bisect_left(xs, x)
        left = right - 1
        while left >= 0 or right < len(xs):
            if right < len(xs) and (left < 0 or xs[right] - x <= x - xs[left]):
                place, right = right, right + 1
            else:
                place, left = left, left - 1
            width = (xs[place] - x) ** 2
            if best is not None and width > best[0]:
                break
            found = width + (ys[items[place]] - y) ** 2, items[place]
            if best is None or found < best:
                best = found
        return best
