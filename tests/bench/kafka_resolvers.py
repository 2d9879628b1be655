"""Two resolvers against one: judgements a second over many games, whose inputs are in Kafka before any is judged."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from shared.log import PARTITIONS, partition_of
from tests.bench.gated_resolver import GATE
from tests.bench.http_workload import creation
from tests.bench.kafka_house import Command, House, await_, on_servers
from tests.bench.processors import Shares
from tests.bench.rows import Bars, Row, ratios
from tests.servers import KafkaServer, MongoServer
from warledger.servers.opening import open_kafka, open_mongo

RUNS = 3
GAMES_A_PARTITION = 4
PLAYERS = 25
ROUNDS = 30
"""Orders of each player; each replaces the one before it."""


class Measured(NamedTuple):
    """Judgements a second, and who used the processors meanwhile."""

    rate: float
    shares: str

    def note(self) -> str:
        """Both in words."""
        return f"{self.rate:,.0f}/s ({self.shares})"


def rows() -> list[Row]:
    """The row, on a broker and a document server."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        kafka, mongo = open_kafka(folder / "kafka"), open_mongo(folder / "mongo")
        for server in (kafka, mongo):
            stack.callback(server.stop)
        brokers = [child.pid for child in kafka.children]
        return [row(folder, KafkaServer(kafka.address), MongoServer(mongo.address), brokers)]


def row(folder: Path, kafka: KafkaServer, mongo: MongoServer, brokers: Sequence[int] = ()) -> Row:
    """Rates in turn: two, one, two, one, ... `brokers` are the processes of Kafka on this machine."""
    seen: dict[int, Measured] = {}
    numbers = count()

    def judged(resolvers: int) -> float:
        place = folder / f"run-{next(numbers)}"
        place.mkdir()
        seen[resolvers] = rate(place, kafka, mongo, resolvers, brokers)
        return seen[resolvers].rate

    judged(1)  # a broker that has just been started is slow
    found = ratios(lambda: judged(2), lambda: judged(1), RUNS)
    job = "Kafka: judgements/s of two resolvers against one, inputs preloaded, many games"
    return Row(job, Bars("min", 1.3, None), found, f"last {seen[2].note()} against {seen[1].note()}")


def rate(folder: Path, kafka: KafkaServer, mongo: MongoServer, resolvers: int, brokers: Sequence[int] = ()) -> Measured:
    """Judgements a second, from when all resolvers have their partitions until the last is committed."""
    gate = folder / "gate"
    with ExitStack() as stack:
        house = House(folder, on_servers(kafka, mongo))
        stack.callback(house.close)
        inputs = sum(house.give(game, _commands()) for game in games())
        modules = [
            stack.enter_context(house.process("tests.bench.gated_resolver", "resolver", {GATE: str(gate)}))
            for _ in range(resolvers)
        ]
        share = PARTITIONS // resolvers
        await_(
            lambda: all(one.metric("warledger_partitions_owned") == share and one.ready() for one in modules),
            "the resolvers have their partitions",
        )
        shares = Shares({"resolvers": [one.pid for one in modules], "Kafka": brokers})
        started = monotonic()
        gate.touch()
        await_(
            lambda: sum(one.metric("warledger_inputs_judged_total") for one in modules) >= inputs,
            "all inputs are judged",
            nap=0.05,
        )
        return Measured(inputs / (monotonic() - started), shares.told())


def games() -> list[str]:
    """As many in each partition."""
    found: dict[int, list[str]] = {partition: [] for partition in range(PARTITIONS)}
    for number in count():
        names = found[partition_of(f"bench-{number}")]
        if len(names) < GAMES_A_PARTITION:
            names.append(f"bench-{number}")
        if all(len(names) == GAMES_A_PARTITION for names in found.values()):
            return [name for names in found.values() for name in names]
    raise AssertionError("numbers end")


def _commands() -> Iterator[Command]:
    """A war of some players who change their minds."""
    players = [f"p{number:03}" for number in range(PLAYERS)]
    made = creation()
    create = made["create"]
    assert isinstance(create, dict)
    homes = {team: of["territories"][0] for team, of in create["teams"].items()}
    yield "op", "operator", "create_game", {"game": "gxc", "rules": "1", "create": create}
    for number, player in enumerate(players):
        team = sorted(homes)[number % len(homes)]
        yield player, "player", "join", {"team": team}
        yield player, "player", "place", {"territory": homes[team]}
    yield "op", "operator", "start_game", {}
    for player in players:
        yield player, "player", "energize", {}
    for turn in range(ROUNDS):
        for player in players:
            yield player, "player", "set_order", {"defend": 1 + turn % 5}
