"""Space Battle: moves and shots in the pure rules against a framework that keeps the same battle."""

import gc
import random
from collections.abc import Callable
from itertools import count
from statistics import median

import orjson

from shared.rules.space_battle.tables import CLASSES, table_form
from tests.bench.peers.environment import run_node
from tests.bench.rows import Bars, Row, ratios
from tests.bench.space_battle_games import TimedBattle, fleets

RUNS = 7
BATTLES = 20
PARTS_OF_PEER = 2_000


def _ours() -> Callable[[], float]:
    """Parts of moves decided and evolved a second, each time in other battles."""
    numbers = count(1)

    def parts_a_second() -> float:
        battles = [
            TimedBattle(f"bench-{number}", random.Random(number)) for number in (next(numbers) for _ in range(BATTLES))
        ]
        gc.collect()
        for battle in battles:
            battle.play()
        return sum(battle.parts for battle in battles) / sum(battle.spent for battle in battles)

    return parts_a_second


def _theirs() -> Callable[[], float]:
    """Moves of boardgame.io a second, with the same classes and fleets on the same grid."""
    given = orjson.dumps({"classes": table_form(CLASSES), "craft": fleets()}).decode()
    return lambda: float(run_node("boardgame.io", "boardgame_battle.cjs", str(PARTS_OF_PEER), given))


def rules_row(runs: int = RUNS) -> Row:
    """Displacements and shots of the pure rules against the peer's."""
    ours = _ours()
    found = ratios(ours, _theirs(), runs)
    rate = median(ours() for _ in range(3))
    job = "space-battle: moves and shots decided and evolved/s against boardgame.io 0.50.2 headless, the same battle"
    return Row(job, Bars("min", 3, None), found, f"{rate:,.0f}/s")


def rows() -> list[Row]:
    """All of them."""
    return [rules_row()]
