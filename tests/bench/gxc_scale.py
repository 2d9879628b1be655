"""Turns of up to 100,000 players: the resolution against a peer, its growth, what hash and packing add, a replay.

Every turn closes on a state as a resolver has it at a deadline: the orders came in one by one, so paths were looked for
already. The garbage collector is set as in the resolver. Each run has a state of its own. Both sides work in one thread
without waiting, so seconds are those of the processor: what else the machine does counts less.
"""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from statistics import median
from subprocess import PIPE, run
from time import process_time

from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.snapshots import stored_state
from shared import collection
from shared.canonical import canonical, sha256_hex
from shared.events import JournalEvent, event_type, pack
from shared.rules import rules_of
from shared.rules.interface import Event, Refusal
from tests.bench.gxc import diplomacy
from tests.bench.gxc_replay import replay_ratios
from tests.bench.gxc_stored import Stored
from tests.bench.gxc_workload import SeededDice, Workload, workload
from tests.bench.rows import Bars, Row, ratios

RUNS = 5
SMALL, MANY, LARGE = (10_000, 1_000), (100_000, 1_000), (100_000, 10_000)
"""Players and territories."""
_GIB = 1 << 30


@contextmanager
def as_in_the_resolver() -> Iterator[None]:
    """The garbage collector's thresholds of a resolver, with what is there already out of its way."""
    before = gc.get_threshold()
    collection.make_rare()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


class Closes:
    """Closes of one turn, as often as asked for."""

    def __init__(self, players: int, territories: int) -> None:
        work = workload(players, territories)
        self.orders = work.orders
        self._stored = Stored(work)  # far faster than to give all orders again, and the same in memory

    def fresh(self) -> Workload:
        """The turn with all orders in."""
        work: Workload = self._stored.read()
        collection.settle()
        return work

    def seconds(self) -> float:
        """Of one close."""
        return closed(self.fresh())[0]

    def orders_a_second(self) -> float:
        """Of one close."""
        return self.orders / self.seconds()

    def share_of_the_rest(self) -> float:
        """Canonical state, its hash, and the journal packed into records, as a share of the turn's resolution."""
        work = self.fresh()
        spent, events = closed(work)
        started = process_time()
        sha256_hex(canonical(rules_of("gxc").encode(work.state)))
        pack("bench", _journal(events))
        return (process_time() - started) / spent

    def share_in_the_snapshot(self) -> float:
        """Bytes of the state in the documents of a snapshot through those of its canonical JSON."""
        rules, work = rules_of("gxc"), self.fresh()
        game = HostedGame("bench", kind="gxc", rules=rules, state=work.state)
        return _in_base64(len(stored_state(game))) / len(canonical(rules.encode(work.state)))


def closed(work: Workload) -> tuple[float, Sequence[Event]]:
    """Close the turn: seconds of the processor to decide and to evolve, and the events."""
    rules, dice = rules_of("gxc"), SeededDice(1)
    with collection.paused():  # as around every input of the clock
        started = process_time()
        events = rules.decide(work.state, work.close, dice)
        if isinstance(events, Refusal):
            raise ValueError(events.detail)
        for event in islice(events, len(events) - 1):  # as the resolver, which makes no second list of them
            rules.evolve(work.state, event)
        return process_time() - started, events


def _journal(events: Sequence[Event]) -> list[JournalEvent]:
    """All but the mark at their end."""
    return [
        JournalEvent(n, event_type("gxc", event.type), event.data, event.to) for n, event in enumerate(events[:-1], 1)
    ]


def _in_base64(size: int) -> int:
    return -(-size // 3) * 4


def growth(small: Closes, large: Closes) -> float:
    """Seconds of the large turn through those of the small one; of both the quickest of a few, taken in turn."""
    pairs = [(small.seconds(), large.seconds()) for _ in range(2)]
    return min(pair[1] for pair in pairs) / min(pair[0] for pair in pairs)


def memory_share() -> float:
    """Most memory of a process that holds the state, plays three turns and packs their journal, as a share of 1 GiB."""
    players, territories = LARGE
    command = [sys.executable, "-m", "tests.bench.gxc_memory", str(players), str(territories), "3"]
    return int(run(command, check=True, stdout=PIPE, text=True).stdout) / _GIB


def _against_the_peer(players: int, territories: int, closes: Closes, peer: Callable[[], float]) -> Row:
    found = ratios(closes.orders_a_second, peer, RUNS)
    rate = median(closes.orders_a_second() for _ in range(3))
    job = f"turn of {players:,} players, {territories:,} territories, orders/s against diplomacy 1.1.2 movement phases"
    return Row(f"close: {job}", Bars("min", 10, 20), found, f"{rate:,.0f} orders/s")


def rows() -> list[Row]:
    """All of them; two minutes."""
    with as_in_the_resolver():
        return list(_rows())


def _rows() -> Iterator[Row]:
    peer = diplomacy()
    small, large = Closes(*SMALL), Closes(*LARGE)
    yield _against_the_peer(*MANY, Closes(*MANY), peer)
    yield _against_the_peer(*SMALL, small, peer)
    grown = [growth(small, large) for _ in range(RUNS)]
    job = "close: time of 100,000 players on 10,000 territories against 10,000 on 1,000"
    yield Row(job, Bars("max", 13, 11), grown)
    shares = [large.share_of_the_rest() for _ in range(RUNS)]
    note = f"{median(small.share_of_the_rest() for _ in range(RUNS)):.2f} of 10,000 players"
    job = "close: canonical JSON, state hash and packing of that turn's journal, share of its resolution"
    yield Row(job, Bars("max", 1.5, 0.7), shares, note)
    yield Row(
        "close: replay of a turn of 10,000 players, time against its resolution",
        Bars("max", 1.5, 1.2),
        replay_ratios(RUNS),
    )
    job = "close: state in the snapshot, bytes in its documents against its canonical JSON"
    yield Row(job, Bars("max", 0.5, 0.2), [size.share_in_the_snapshot() for size in (small, large)])
    job = "close: state and journal of 100,000 players on 10,000 territories, three turns, most memory, share of 1 GiB"
    yield Row(job, Bars("max", 1, 0.4), [memory_share()])
