"""A GXC turn of 10,000 players on 1,000 territories against the movement phases of the diplomacy engine."""

import gc
from collections.abc import Callable
from itertools import count
from statistics import median
from time import perf_counter

from shared.canonical import canonical, sha256_hex
from shared.events import JournalEvent, event_type, pack
from shared.rules import rules_of
from tests.bench.gxc_workload import Workload, resolve, workload
from tests.bench.peers.environment import run
from tests.bench.rows import Bars, Row, ratios

RUNS = 7
MOVEMENT_PHASES = 60


def _fresh(work: Workload) -> Workload:
    return work._replace(state=rules_of("gxc").decode(work.canonical))


def orders_a_second(work: Workload) -> float:
    """One close, decided and evolved, on a state of its own."""
    fresh = _fresh(work)
    gc.collect()
    decide, evolve, _ = resolve(fresh)
    return work.orders / (decide + evolve)


def diplomacy() -> Callable[[], float]:
    """The peer's rate, orders a second, with other orders each time."""
    seeds = count(1)
    return lambda: float(run("diplomacy", "diplomacy_movement.py", str(next(seeds)), str(MOVEMENT_PHASES)))


def hash_and_packing_share(work: Workload) -> float:
    """Canonical state, its hash, and the journal packed into records, as a share of the turn's resolution."""
    fresh = _fresh(work)
    gc.collect()
    decide, evolve, events = resolve(fresh)
    started = perf_counter()
    sha256_hex(canonical(rules_of("gxc").encode(fresh.state)))
    journal = [
        JournalEvent(n, event_type("gxc", event.type), event.data, event.to) for n, event in enumerate(events[:-1], 1)
    ]
    pack("bench", journal)
    return (perf_counter() - started) / (decide + evolve)


def rows() -> list[Row]:
    """The turn against the peer, and what hash and JSON add to it."""
    work = workload(10_000, 1_000)
    against = ratios(lambda: orders_a_second(work), diplomacy(), RUNS)
    shares = [hash_and_packing_share(work) for _ in range(RUNS)]
    rate = median(orders_a_second(work) for _ in range(3))
    return [
        Row(
            "gxc: turn of 10,000 players, 1,000 territories, orders/s against diplomacy 1.1.2 movement phases",
            Bars("min", 5, 20),
            against,
            f"{rate:,.0f} orders/s",
        ),
        Row("gxc: state hash, canonical JSON and packing, share of that turn", Bars("max", None, None), shares),
    ]
