"""Exgenhoca Wars: attacks in the pure rules, many games in one resolver, and the way of an attack over HTTP."""

import gc
import random
from collections.abc import Callable
from itertools import count
from statistics import median

import orjson

from shared.rules.exgenhoca.default_map import default_map
from tests.bench.exgenhoca_games import TimedGame
from tests.bench.exgenhoca_http import answered_row
from tests.bench.exgenhoca_views import views_row
from tests.bench.peers.environment import run_node
from tests.bench.rows import Bars, Row, ratios

RUNS = 7
GAMES = 20
ATTACKS_OF_PEER = 2_000


def _ours() -> Callable[[], float]:
    """Attacks decided and evolved a second, each time in other games."""
    numbers = count(1)

    def attacks_a_second() -> float:
        games = [
            TimedGame(f"bench-{number}", random.Random(number)) for number in (next(numbers) for _ in range(GAMES))
        ]
        gc.collect()
        for game in games:
            game.play()
        return sum(game.attacks for game in games) / sum(game.spent for game in games)

    return attacks_a_second


def _theirs() -> Callable[[], float]:
    """Moves of boardgame.io a second, on the same board."""
    territories = default_map()["territories"]
    names = sorted(territories)
    board = [[names.index(item) for item in territories[name]["neighbours"]] for name in names]
    given = orjson.dumps(board).decode()
    return lambda: float(run_node("boardgame.io", "boardgame_attacks.cjs", str(ATTACKS_OF_PEER), given))


def rules_row(runs: int = RUNS) -> Row:
    """Attacks of the pure rules against the peer's."""
    ours = _ours()
    found = ratios(ours, _theirs(), runs)
    rate = median(ours() for _ in range(3))
    job = "exgenhoca: attacks decided and evolved/s against boardgame.io 0.50.2 headless, one attack with dice a turn"
    return Row(job, Bars("min", 3, None), found, f"{rate:,.0f}/s")


def rows() -> list[Row]:
    """All of them."""
    return [rules_row(), views_row(), answered_row()]
