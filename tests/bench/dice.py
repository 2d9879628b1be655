"""Draws per second of the dice against random.randrange."""

import random
from hashlib import sha256
from time import perf_counter

from shared.dice import Stream
from tests.bench.rows import Bars, Row, ratios

DRAWS = 400_000
RUNS = 9


def _rate(spent: float) -> float:
    return DRAWS / spent


def single_draws() -> float:
    """Stream.int(100), one call a draw."""
    stream = Stream(sha256(b"bench").digest(), "bench")
    started = perf_counter()
    for _ in range(DRAWS):
        stream.int(100)
    return _rate(perf_counter() - started)


def exchanges() -> float:
    """Stream.contest: the exchanges of duels of 20 against 20, as the rules of GXC draw them."""
    stream = Stream(sha256(b"bench").digest(), "bench")
    started = perf_counter()
    while stream.draws < DRAWS:
        stream.contest(20, 20, 45)
    return stream.draws / (perf_counter() - started)


def randrange() -> float:
    """random.randrange(100), one call a draw."""
    draw = random.Random(1).randrange
    started = perf_counter()
    for _ in range(DRAWS):
        draw(100)
    return _rate(perf_counter() - started)


def rows() -> list[Row]:
    """Single draws, and draws as duels take them."""
    bars = Bars("min", 0.8, 2.0)
    return [
        Row("dice: draws/s by int(100) against random.randrange(100)", bars, ratios(single_draws, randrange, RUNS)),
        Row("dice: draws/s in duels against random.randrange(100)", bars, ratios(exchanges, randrange, RUNS)),
    ]
