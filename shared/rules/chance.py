"""An exact chance, as advice gives it."""

from typing import NamedTuple

PER_MILLE = 1000


class Chance(NamedTuple):
    """A fraction in lowest terms."""

    numerator: int
    denominator: int

    @property
    def permille(self) -> int:
        """Rounded down."""
        return PER_MILLE * self.numerator // self.denominator

    @property
    def percent(self) -> str:
        """With one decimal, rounded down."""
        return f"{self.permille // 10}.{self.permille % 10}"
