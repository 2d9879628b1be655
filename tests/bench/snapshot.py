"""A snapshot of 100,000 players, from stored bytes to working state, against orjson.loads of the state's JSON."""

import gc
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import orjson

from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judged_ids import FirstJudgement, JudgedIds
from services.resolver.hosting.snapshots import decode, encode
from services.resolver.snapshotting import Fresh, Snapshots
from shared.canonical import canonical, sha256_hex
from shared.documents.sqlite import SqliteDocuments
from shared.rules import rules_of
from tests.bench.gxc_workload import workload
from tests.bench.rows import Bars, Row, ratios

PLAYERS = 100_000
RUNS = 7
_COPIES = 10


def _state_json(players: int) -> bytes:
    """Canonical JSON of a turn with all orders in; the players are those of a smaller game, each several times."""
    state = dict(workload(players // _COPIES, 1_000).canonical)
    given = state["players"].items()
    state["players"] = {f"{player}-{copy}": row for player, row in given for copy in range(_COPIES)}
    return canonical(state)


def _game(state: bytes) -> HostedGame:
    """The game as its host holds it: each player has given one input in the last two days."""
    rules = rules_of("gxc")
    judged = JudgedIds()
    for number in range(PLAYERS):
        id = sha256_hex(b"%d" % number)
        judged.add(id[:32], FirstJudgement(number, id, 1_800_000_000_000 + number))
    return HostedGame("bench", kind="gxc", rules=rules, state=rules.decode(orjson.loads(state)), judged=judged)


def load_ratios(runs: int = RUNS) -> tuple[list[float], str]:
    """Seconds from stored documents to working state through seconds of orjson.loads; and the sizes in words."""
    state = _state_json(PLAYERS)
    game = _game(state)
    with tempfile.TemporaryDirectory() as folder:
        documents = SqliteDocuments(Path(folder))
        snapshots = Snapshots(documents)
        [entry] = snapshots.save(0, 0, [Fresh(game.id, game.n, False, None, None, [encode(game)])])

        def ours() -> float:
            return _seconds(lambda: decode(snapshots.load(entry) or b""))

        def theirs() -> float:
            return _seconds(lambda: orjson.loads(state))

        found = ratios(ours, theirs, runs)
        note = f"{len(encode(game)) / 1e6:.0f} MB, {median(ours() for _ in range(3)):.2f} s"
        documents.close()
    return found, note


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    started = perf_counter()
    made = work()
    spent = perf_counter() - started
    del made
    return spent


def rows() -> list[Row]:
    """The load of a snapshot."""
    found, note = load_ratios()
    job = "snapshot of 100,000 players: stored bytes to working state, time against orjson.loads of the state's JSON"
    return [Row(job, Bars("max", 3, 2), found, note)]
