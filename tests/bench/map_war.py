"""Map War 3: a turn of many nations on many zones, against JSON of its state, and how it grows with the zones."""

import gc
import json
from collections.abc import Callable
from statistics import median
from time import perf_counter

from shared.rules.map_war import RULES
from tests.bench.map_war_workload import closed, world
from tests.bench.rows import Bars, Row, ratios

RUNS = 7
NATIONS, ZONES = 200, 4_000
FEWER_NATIONS, FEWER_ZONES = 20, 400


def turn_seconds(nations: int, zones: int) -> Callable[[], float]:
    """Seconds of a turn, decided and evolved, each time from the same state."""
    canonical = world(nations, zones)

    def seconds() -> float:
        state = RULES.decode(canonical)
        gc.collect()
        begun = perf_counter()
        closed(state)
        return perf_counter() - begun

    return seconds


def json_seconds() -> float:
    """Seconds of json.dumps and json.loads of the state that the turn begins with."""
    canonical = RULES.encode(RULES.decode(world(NATIONS, ZONES)))
    gc.collect()
    begun = perf_counter()
    json.loads(json.dumps(canonical))
    return perf_counter() - begun


def rows() -> list[Row]:
    """All of them."""
    many, few = turn_seconds(NATIONS, ZONES), turn_seconds(FEWER_NATIONS, FEWER_ZONES)
    against, growth = ratios(many, json_seconds, RUNS), ratios(many, few, RUNS)
    note = f"{1000 * median(many() for _ in range(3)):.0f} ms"
    job = f"map-war: turn of {NATIONS} nations on {ZONES:,} zones against json.dumps + json.loads of its state"
    grown = f"map-war: growth of a turn from {FEWER_ZONES} to {ZONES:,} zones"
    return [Row(job, Bars("max", 5, 2), against, note), Row(grown, Bars("max", 13, None), growth)]
