"""A year of FORCES with 16 players on 2,000 zones against the movement phases of the diplomacy engine."""

import gc
from collections.abc import Callable
from itertools import count
from statistics import median

from tests.bench.forces_workload import Workload, resolve, workload
from tests.bench.peers.environment import run
from tests.bench.rows import Bars, Row, ratios

RUNS = 7
MOVEMENT_PHASES = 60
PLAYERS, ZONES, FORCES = 16, 2_000, 20_000


def orders_a_second(work: Workload) -> float:
    """All submissions judged, and the year that the last one resolves."""
    gc.collect()
    seconds, _ = resolve(work)
    return work.orders / seconds


def _diplomacy() -> Callable[[], float]:
    seeds = count(1)
    return lambda: float(run("diplomacy", "diplomacy_movement.py", str(next(seeds)), str(MOVEMENT_PHASES)))


def rows() -> list[Row]:
    """The year against the peer."""
    work = workload(PLAYERS, ZONES, FORCES)
    against = ratios(lambda: orders_a_second(work), _diplomacy(), RUNS)
    rate = median(orders_a_second(work) for _ in range(3))
    return [
        Row(
            "forces: year of 16 players, 2,000 zones, 20,000 Forces, orders/s against diplomacy 1.1.2 movement phases",
            Bars("min", 5, 20),
            against,
            f"{rate:,.0f} orders/s",
        )
    ]
