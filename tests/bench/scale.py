"""What 100,000 players in one game, or in 2,000 games, take of an installation in folders."""

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from shared import collection
from shared.rules import rules_of
from tests.bench import scale_web
from tests.bench.gxc_workload import resolve, workload
from tests.bench.kafka_house import await_
from tests.bench.rows import Bars, Row
from tests.bench.scale_house import Closed, Installation, War

PLAYERS = 100_000
TERRITORIES = 10_000
TURNS_TIMED = 2
TURNS_HELD = 3
"""So many turns a resolver has played whose memory is told."""
GAMES = 2_000
FEW_GAMES = 10
GIB = 2**30
IDLE_SECONDS = 8.0
IDLE_RUNS = 3
_AFTER_A_START = 3.0
_FEWEST = 25
"""Territories of a small game."""


def turn_rows() -> list[Row]:
    """A turn from its deadline to the last view."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        turns = _turns(Installation(Path(name), stack), TURNS_TIMED)
    alone = resolution_alone()
    sizes = f"{PLAYERS:,} players, {TERRITORIES:,} territories"
    spent = ", ".join(f"{turn.judged:.1f} s judged, {turn.shown:.1f} s shown" for turn in turns)
    return [
        Row(
            f"turn of {sizes} in folders, deadline to last view, against its resolution alone, time",
            Bars("max", 12, 6),
            [turn.shown / alone for turn in turns],
            f"resolution {alone:.2f} s; {spent}",
        )
    ]


def memory_rows() -> list[Row]:
    """The memory of the resolver after some turns; no projector shares the processors meanwhile."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        installation = Installation(Path(name), stack, projected=False)
        _turns(installation, TURNS_HELD)
        memory, peak = (_memory(installation.resolver.pid, field) for field in ("VmRSS", "VmHWM"))
    return [
        Row(
            f"memory of the resolver, {PLAYERS:,} players, {TERRITORIES:,} territories, after {TURNS_HELD} turns, "
            "share of 1 GiB",
            Bars("max", 1, 0.4),
            [memory / GIB],
            f"{memory / 1e6:.0f} MB, at most {peak / 1e6:.0f} MB",
        ),
    ]


def _turns(installation: Installation, turns: int) -> list[Closed]:
    """Play so many turns of one large game, all of whose players give an order in each; how long each close took."""
    with ExitStack() as stack:
        war = War(installation, "bench", PLAYERS, TERRITORIES)
        stack.callback(war.end)
        installation.create({war.name: war.create})
        closed = []
        for turn in range(turns):
            installation.give(war.next_turn() if turn else war.first_turn())
            installation.settle()
            closed.append(installation.close([war.name], ahead=2))
    return closed


def resolution_alone(runs: int = 3) -> float:
    """Seconds of decide and evolve of the first turn in the pure rules; garbage is collected as in the resolver."""
    work = workload(PLAYERS, TERRITORIES)
    spent = []
    for _ in range(runs):
        fresh = work._replace(state=rules_of("gxc").decode(work.canonical))
        collection.settle()
        with collection.paused():
            decided, evolved, _ = resolve(fresh)
        spent.append(decided + evolved)
    return median(spent)


def games_rows() -> list[Row]:
    """Many games that close at the same time, against one with as many players."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        one = Installation(Path(name) / "one", stack)
        alone = _closed(one, 1, PLAYERS, max(_FEWEST, PLAYERS // 100))
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        many = Installation(Path(name) / "many", stack)
        together = _closed(many, GAMES, PLAYERS // GAMES, _FEWEST)
    each = PLAYERS // GAMES
    job = f"{GAMES:,} games of {each} players with the same deadline, orders/s against one game of {PLAYERS:,}"
    note = f"{PLAYERS / together:,.0f} orders/s to the last view against {PLAYERS / alone:,.0f}"
    return [Row(job, Bars("min", 0.5, 0.8), [alone / together], note)]


def _closed(installation: Installation, games: int, players: int, territories: int) -> float:
    """Seconds from the deadline of so many games to their last view."""
    wars = [War(installation, f"bench-{number}", players, territories, number) for number in range(games)]
    installation.create({war.name: war.create for war in wars})
    for war in wars:
        installation.give(war.first_turn())
        war.end()
    installation.settle()
    return installation.close([war.name for war in wars], ahead=4).shown


def idle_rows() -> list[Row]:
    """What games cost in which nothing happens."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        idle = [_idle(Path(name) / str(games), games, stack) for games in (GAMES, FEW_GAMES)]
        found = []
        told = ""
        time.sleep(_AFTER_A_START)
        for _ in range(IDLE_RUNS):
            before = [_processor_seconds(one.resolver.pid) for one in idle]
            time.sleep(IDLE_SECONDS)
            many, few = (_processor_seconds(one.resolver.pid) - then for one, then in zip(idle, before, strict=True))
            found.append(many / few)
            told = f"{1000 * many / IDLE_SECONDS:.1f} ms a second against {1000 * few / IDLE_SECONDS:.1f}"
    job = f"{GAMES:,} games without input, processor share of the resolver against {FEW_GAMES} games"
    return [Row(job, Bars("max", 2, 1.2), found, told)]


def _idle(folder: Path, games: int, stack: ExitStack) -> Installation:
    """So many games that were started and stored; a resolver that has found them so."""
    with ExitStack() as beginning:
        first = Installation(folder, beginning, projected=False)
        wars = [War(first, f"bench-{number}", 0, _FEWEST, number) for number in range(games)]
        first.create({war.name: war.create for war in wars})
        for war in wars:
            first.give(war.first_turn())
            war.end()
        first.settle()
    rested = Installation(folder, stack, projected=False)
    await_(rested.resolver.ready, "the resolver has taken its partitions over")
    return rested


def _memory(pid: int, field: str) -> float:
    """Bytes of a process, as Linux tells."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {field} of process {pid}")


def _processor_seconds(pid: int) -> float:
    """What all threads of a process have used, to the nanosecond."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def rows() -> list[Row]:
    """All of them, with those of the web services: they take about twelve minutes."""
    return [*turn_rows(), *memory_rows(), *games_rows(), *idle_rows(), *scale_web.posts_rows(), *scale_web.reads_rows()]
