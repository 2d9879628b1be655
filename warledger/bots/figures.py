"""What a series of games says: lengths, endings, and whether seats and bots win as often as chance would have it."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

NORMAL_95 = 1.959964
"""Two-sided 95 % point of the normal distribution."""


class Share(NamedTuple):
    """How often something happened in so many trials, with Wilson's 95 % interval of its probability."""

    times: int
    trials: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.times / self.trials


class ChiSquare(NamedTuple):
    """Pearson's test of counts against expected ones: the statistic, its degrees of freedom, the probability beyond."""

    statistic: float
    degrees: int
    p: float


class Lengths(NamedTuple):
    """A distribution in order: each value is one that occurred."""

    least: int
    quarter: int
    median: int
    three_quarters: int
    ninety_five: int
    most: int


def share(times: int, trials: int) -> Share:
    """Wilson's score interval; `trials` of at least 1."""
    z2, p = NORMAL_95**2, times / trials
    middle = (p + z2 / (2 * trials)) / (1 + z2 / trials)
    half = NORMAL_95 / (1 + z2 / trials) * math.sqrt(p * (1 - p) / trials + z2 / (4 * trials**2))
    return Share(times, trials, max(0.0, middle - half), min(1.0, middle + half))


def chi_square(observed: Sequence[int], expected: Sequence[float]) -> ChiSquare:
    """Both of the same length and sum, of at least two classes, none expected to be empty."""
    statistic = sum((seen - wanted) ** 2 / wanted for seen, wanted in zip(observed, expected, strict=True))
    degrees = len(observed) - 1
    return ChiSquare(statistic, degrees, chi_square_beyond(statistic, degrees))


def chi_square_beyond(statistic: float, degrees: int) -> float:
    """Probability that a chi-square of so many degrees of freedom is larger.

    Q(1) = erfc(sqrt(x/2)), Q(2) = exp(-x/2), Q(k+2) = Q(k) + (x/2)^(k/2) exp(-x/2) / gamma(k/2 + 1).
    """
    half = statistic / 2
    at, beyond = (1, math.erfc(math.sqrt(half))) if degrees % 2 else (2, math.exp(-half))
    while at < degrees:
        beyond += half ** (at / 2) * math.exp(-half) / math.gamma(at / 2 + 1)
        at += 2
    return beyond


def even(observed: Mapping[int, int]) -> ChiSquare:
    """Whether all classes are as likely as each other."""
    counts = [observed[item] for item in sorted(observed)]
    return chi_square(counts, [sum(counts) / len(counts)] * len(counts))


def lengths(values: Sequence[int]) -> Lengths:
    """Of at least one value."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return Lengths(*(ordered[round(last * part)] for part in (0, 0.25, 0.5, 0.75, 0.95, 1)))
