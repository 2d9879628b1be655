"""Squares, lines and distances on the grid (SPB-18, SPB-36, SPB-43, SPB-45)."""

Square = tuple[int, int]
"""Column from 1 on the left, row from 1 at the top."""


def is_straight(start: Square, end: Square) -> bool:
    """Whether two squares lie on one row, column or diagonal (SPB-43)."""
    across, down = end[0] - start[0], end[1] - start[1]
    return across == 0 or down == 0 or across == down or across == -down


def distance(start: Square, end: Square) -> int:
    """SPB-45: steps of a king between two squares; on a straight line the number of squares to the end."""
    return max(abs(end[0] - start[0]), abs(end[1] - start[1]))


def direction(start: Square, end: Square) -> Square:
    """One step from a square to another that lies straight: -1, 0 or 1 each way."""
    return _sign(end[0] - start[0]), _sign(end[1] - start[1])


def path(start: Square, end: Square) -> list[Square]:
    """Every square after the first up to the last on a straight line (SPB-36)."""
    across, down = direction(start, end)
    column, row = start
    return [(column + step * across, row + step * down) for step in range(1, distance(start, end) + 1)]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
