"""A turn of 12,000 players in one game on Kafka and MongoDB: from its deadline to the last view written.

Everybody gives an order just before the deadline, all in one rush, which begins so late that a busy resolver has not
judged all of them when the deadline comes; what is left is judged and shown first. The deadline is part of the rush.
"""

import random
import tempfile
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from shared.log import INPUT_TOPICS, TURNS, TopicPartition, partition_of
from shared.log.reading import standing
from shared.views import ids
from shared.views.writer import ViewWriter
from tests.bench.gxc_workload import commands, creation
from tests.bench.kafka_house import Command, House, Process, await_, on_servers
from tests.bench.rows import Bars, Row
from tests.servers import KafkaServer, MongoServer
from warledger.servers.opening import open_kafka, open_mongo

GAME = "bench"
PARTITION = partition_of(GAME)
PLAYERS = 12_000
TERRITORIES = 1_000
ALLOWED = 30.0
"""Seconds that the row is a share of."""
_SPARE = 1.0
"""Seconds of a rush beyond half as much again as so many commands took to be stored before."""


_TRIES = 3
"""A machine that became slower meanwhile stores the last order too late."""


class TooLate(RuntimeError):
    """The last order was stored after the deadline."""


class Turn(NamedTuple):
    """Seconds from the deadline to the last view, and how they were spent one after the other."""

    seconds: float
    left: int
    """Orders that were not judged at the deadline."""
    steps: dict[str, float]

    def note(self) -> str:
        """Seconds, and the share of each step."""
        shares = ", ".join(f"{name} {100 * spent / self.seconds:.0f} %" for name, spent in self.steps.items())
        return f"{self.seconds:.1f} s, {self.left:,} orders left to judge: {shares}"


def rows() -> list[Row]:
    """The row, on a broker and a document server."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        kafka, mongo = open_kafka(folder / "kafka"), open_mongo(folder / "mongo")
        for server in (kafka, mongo):
            stack.callback(server.stop)
        taken = _taken(folder, KafkaServer(kafka.address), MongoServer(mongo.address))
        job = f"Kafka and MongoDB: {PLAYERS:,} orders, deadline to last view, share of 30 seconds"
        return [Row(job, Bars("max", 1, 0.33), [taken.seconds / ALLOWED], taken.note())]


def _taken(folder: Path, kafka: KafkaServer, mongo: MongoServer) -> Turn:
    for attempt in range(1, _TRIES):
        place = folder / f"turn-{attempt}"
        place.mkdir()
        with suppress(TooLate):
            return turn(place, kafka, mongo)
    return turn(folder, kafka, mongo)


def turn(folder: Path, kafka: KafkaServer, mongo: MongoServer, players: int = PLAYERS) -> Turn:
    """Play a game up to the close of its first turn. Raises TooLate."""
    chance = random.Random(1)
    create, board, teams = creation(TERRITORIES, chance)
    before, orders = _parted(commands(players, board, teams, chance))
    with ExitStack() as stack:
        house = House(folder, on_servers(kafka, mongo))
        stack.callback(house.close)
        begun = time.monotonic()
        made = house.give(GAME, [("op", "operator", "create_game", {"game": "gxc", "rules": "1", "create": create})])
        made += house.give(GAME, before)
        rush = 1.5 * (time.monotonic() - begun) * len(orders) / made + _SPARE
        running = stack.enter_context(ExitStack())
        resolver = running.enter_context(house.process("services.resolver", "resolver"))
        await_(lambda: resolver.metric("warledger_inputs_judged_total") >= made, "all have joined", nap=0.2)
        views = ViewWriter(house.documents)

        def shown() -> bool:
            reached = views.checkpoint(ids.FIRST_GENERATION, PARTITION)
            return reached is not None and reached["offset"] > last

        last = _last_turn(house)
        projector = running.enter_context(house.process("services.resolver.projector", "projector"))
        await_(shown, "all are shown", nap=0.2)
        deadline = int(1000 * (time.time() + rush))
        said = {"deadline": deadline, "reason": "operator"}
        house.give(GAME, [("op", "operator", "set_deadline", said), *orders])
        stored_until = int(1000 * time.time())
        if stored_until > deadline:
            raise TooLate(f"the last order came {stored_until - deadline} ms after the deadline")
        await_(lambda: resolver.metric("warledger_closes_total") >= 1, "the turn is closed", nap=0.1)
        last = _last_turn(house)
        await_(shown, "the turn is shown")
        running.close()
        return _spent(house, deadline / 1000, resolver, projector)


def _parted(given: Iterable[Command]) -> tuple[list[Command], list[Command]]:
    """All that comes before the orders, and the orders."""
    before: list[Command] = []
    orders: list[Command] = []
    for command in given:
        (orders if command[2] == "set_order" else before).append(command)
    return before, orders


def _last_turn(house: House) -> int:
    """Offset of the last record of the journal."""
    place = TopicPartition(TURNS, PARTITION)
    return max(record.offset for record in standing(house.log, [place], last=50))


def _last_tick(house: House, deadline: float) -> float:
    """When the last of the input topics showed that the deadline is over."""
    shown = dict.fromkeys(INPUT_TOPICS, 0.0)
    for record in standing(house.log, [TopicPartition(topic, PARTITION) for topic in INPUT_TOPICS], last=500):
        if record.at / 1000 > deadline and not shown[record.topic]:
            shown[record.topic] = record.at / 1000
    return max(shown.values())


def _spent(house: House, deadline: float, resolver: Process, projector: Process) -> Turn:
    commits = resolver.lines("committed", deadline)
    [close] = [line for line in commits if "closes" in line.said]
    judged = [line for line in commits if line.at < close.at]
    left = sum(line.said.get("accepted", 0) for line in judged)
    writes = [line for line in projector.lines("projected", deadline) if line.at > close.at]
    end = writes[-1].at
    began = close.at - close.seconds
    closing = close.said["closes_ms"] / 1000
    written = sum(line.seconds for line in judged)
    idle_from = max([deadline, *(line.at for line in judged)])
    idle = min(max(0.0, _last_tick(house, deadline) - idle_from), max(0.0, began - closing - idle_from))
    shown = sum(min(line.seconds, line.at - close.at) for line in writes)
    return Turn(
        end - deadline,
        left,
        {
            "judging orders": began - deadline - closing - idle - written,
            "their commits": written,
            "waiting for ticks": idle,
            "closing the turn": closing,
            "its commit": close.seconds,
            "folding views": end - close.at - shown,
            "writing views": shown,
        },
    )
