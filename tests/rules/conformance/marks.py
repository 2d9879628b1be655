"""Tests of every game that is listed, and of each of its seeds."""

import pytest

from shared.rules import GAMES
from tests.rules.conformance.play import SEEDS

QUICK = 4
"""So many seeds are played by `make check` too."""

games = pytest.mark.parametrize("registered", GAMES, ids=lambda item: f"{item.game}-{item.version}")
seeds = pytest.mark.parametrize(
    "seed", [*SEEDS[:QUICK], *(pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS[QUICK:])]
)
