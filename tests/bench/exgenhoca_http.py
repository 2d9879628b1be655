"""An attack over HTTP until it is answered with its dice, against the same POST that is answered as stored."""

import random
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

from tests.bench.exgenhoca_open import CONFIG, SEATS, OpenGame
from tests.bench.rows import Bars, Row, ratios
from warledger.api import Answer, Client
from warledger.demo.installation import Installation, installation

GAME = "bench"
RUNS = 7
ATTACKS = 40
"""Of one run of each side."""


class _Board:
    """A game of six accounts whose attacks are timed one after the other, by one client."""

    def __init__(self, house: Installation) -> None:
        self._seats = house.players(SEATS)
        create = {"players": [account for account, _ in self._seats], "config": dict(CONFIG)}
        operator = house.operator
        operator.judged(operator.post("/games", {"id": GAME, "game": "exgenhoca", "create": create}))
        operator.judged(operator.command(GAME, "start_game"))
        self._operator = operator
        territories = operator.get(f"/games/{GAME}/map")["territories"]
        self._game = OpenGame({name: item["owner"] for name, item in territories.items() if item["owner"] is not None})
        self._chance = random.Random(1)

    def median_time(self, *, wait: bool) -> float:
        """Seconds until the answer; between two attacks the first is judged, which is not timed."""
        return median(self._attack(wait=wait) for _ in range(ATTACKS))

    def _attack(self, *, wait: bool) -> float:
        seat, target = self._next()
        client: Client = self._seats[seat - 1][1]
        started = time.perf_counter()
        answer: Answer = client.command(GAME, "attack", {"target": target}, wait=wait)
        spent = time.perf_counter() - started
        self._hear(client.judged(answer))
        return spent

    def _next(self) -> tuple[int, str]:
        """Seat and target of an attack that is legal now; a round that has none left is closed."""
        while (found := self._game.attack(self._chance)) is None:
            closed = self._operator.command(GAME, "close_round", {"round": self._game.round})
            self._hear(self._operator.judged(closed))
        return found

    def _hear(self, judged: Answer) -> None:
        for event in judged.body["outcome"]:
            self._game.heard(event["type"].split(".")[2], event["data"])


def answered_row(runs: int = RUNS) -> Row:
    """Median time of an attack until it is answered with its outcome, through that of one answered as stored."""
    with tempfile.TemporaryDirectory() as folder, installation(Path(folder) / "data") as house:
        board = _Board(house)
        answered, stored = partial(board.median_time, wait=True), partial(board.median_time, wait=False)
        answered(), stored()
        found = ratios(answered, stored, runs)
        note = f"{1000 * answered():.1f} ms"
    job = "exgenhoca: attack over HTTP to its answer, one client, median time against the respond-async POST"
    return Row(job, Bars("max", 8, 4), found, note)
