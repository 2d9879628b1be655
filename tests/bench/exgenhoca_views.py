"""Attacks in a thousand games of one resolver against as many in one game: from judgement to view.

Attacks are appended at the same even rate to both installations, in turn. Every input has a line in the log of the
resolver once its judgement is committed, and one in that of the projector once readers see it.
"""

import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import orjson

from shared.events import split_type, unpack
from shared.log import PARTITIONS, START, TURNS, TopicPartition
from tests.bench.exgenhoca_open import CONFIG, SEATS, OpenGame
from tests.bench.kafka_house import Command, House, Process, await_
from tests.bench.rows import Bars, Row, ratios

GAMES = 1_000
RATE = 50
"""Attacks a second."""
ATTACKS = 300
"""Of one run of each side."""
RUNS = 5
_OPERATOR = "operator"
_PERCENT = 99


class Shown(NamedTuple):
    """Milliseconds from judgement to view: half of the attacks took at most so long, and 99 % of them."""

    half: float
    most: float


class _Side:
    """One installation with so many games, its resolver and its projector."""

    def __init__(self, folder: Path, games: int, stack: ExitStack) -> None:
        folder.mkdir()
        self._house = House(folder, {"WARLEDGER_LOG_LEVEL": "debug"}, "exgenhoca")
        stack.callback(self._house.close)
        self._resolver = stack.enter_context(self._house.process("services.resolver", "resolver"))
        self._projector = stack.enter_context(self._house.process("services.resolver.projector", "projector"))
        self._reader = self._house.log.reader()
        stack.callback(self._reader.close)
        self._reader.assign({TopicPartition(TURNS, partition): START for partition in range(PARTITIONS)})
        self._chance = random.Random(1)
        self._games: dict[str, OpenGame] = {}
        self._names = [f"game-{number:04}" for number in range(games)]
        for name in self._names:
            self._house.give(name, _beginning())
        await_(lambda: self._hear() == len(self._names), f"{games} games begun")
        last = self._names[-1]
        await_(lambda: f'"game": "{last}"' in self._projector.log.read_text(), f"the views of {last}")

    def milliseconds(self) -> Shown:
        """Attack at the rate, one game after the other; from judgement to view."""
        begun = time.time()
        next_at = time.monotonic()
        for number in range(ATTACKS):
            name = self._names[number % len(self._names)]
            seat, target = self._next(name)
            self._house.give(name, [(f"p{seat}", "player", "attack", {"target": target})])
            next_at += 1 / RATE
            time.sleep(max(0.0, next_at - time.monotonic()))
        await_(lambda: len(_times(self._resolver, "judged", begun)) >= ATTACKS, "all attacks judged")
        judged = _times(self._resolver, "judged", begun)
        await_(lambda: judged.keys() <= _times(self._projector, "shown", begun).keys(), "the views of all attacks")
        shown = _times(self._projector, "shown", begun)
        spent = sorted(1000 * (shown[input] - at) for input, at in judged.items())
        return Shown(spent[len(spent) // 2], spent[len(spent) * _PERCENT // 100])

    def _next(self, name: str) -> tuple[int, str]:
        """Seat and target of an attack that is legal as far as the journal is known; a round without is closed."""
        self._hear()
        game = self._games[name]
        while (found := game.attack(self._chance)) is None:
            self._close(name, game, game.round)
        return found

    def _close(self, name: str, game: OpenGame, round_: int) -> None:
        self._house.give(name, [(_OPERATOR, "operator", "close_round", {"round": round_})])
        await_(lambda: self._hear() and game.round > round_, f"round {round_ + 1} of {name}", nap=0.001)

    def _hear(self) -> int:
        """Follow the journal; how many games are known."""
        while records := self._reader.poll(0):
            for record in records:
                batch = unpack(record.value)
                for event in batch.events:
                    name = split_type(event.type).name
                    if name == "dealt":
                        self._games[batch.game] = OpenGame(event.data["owners"])
                    elif batch.game in self._games:
                        self._games[batch.game].heard(name, event.data)
        return len(self._games)


def _beginning() -> Iterator[Command]:
    """A game of six seats is created and started."""
    create = {"players": [f"p{seat}" for seat in range(1, SEATS + 1)], "config": dict(CONFIG)}
    yield _OPERATOR, "operator", "create_game", {"game": "exgenhoca", "rules": "1", "create": create}
    yield _OPERATOR, "operator", "start_game", {}


def _times(process: Process, event: str, since: float) -> dict[str, float]:
    """Input -> when a process said this of it, in seconds."""
    found = {}
    for line in process.log.read_bytes().splitlines():
        if b'"' + event.encode() + b'"' in line:
            said = orjson.loads(line)
            at = datetime.fromisoformat(said["time"]).timestamp()
            if said["event"] == event and at > since:
                found[said["input"]] = at
    return found


def views_row(runs: int = RUNS) -> Row:
    """99 % point of the time from judgement to view, a thousand games through one."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        many = _Side(Path(folder) / "many", GAMES, stack)
        one = _Side(Path(folder) / "one", 1, stack)
        many.milliseconds(), one.milliseconds()
        found = ratios(lambda: many.milliseconds().most, lambda: one.milliseconds().most, runs)
        shown = many.milliseconds()
        note = f"{shown.most:.1f} ms, half of them {shown.half:.1f} ms"
    job = (
        f"exgenhoca: judgement to view, 99 % point, {GAMES:,} games in one resolver through one game, {RATE} attacks/s"
    )
    return Row(job, Bars("max", 3, None), found, note)
