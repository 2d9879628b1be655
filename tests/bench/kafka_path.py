"""From a command to its judged answer, against a bare script that takes the same steps in one process.

The script produces an order and waits for its acknowledgement, writes a record in a transaction, consumes it as a
reader of what is committed, and upserts a document. Ours consumes the order as well, in a resolver of its own, with a
gateway and an intake before it, and a projector and a poll of the views behind it.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from pymongo import MongoClient
from pymongo.write_concern import WriteConcern

from shared.log import TURNS
from shared.log.kafka_place import KafkaPlace, parse_place
from shared.log.kafka_topics import apply
from tests.bench.http_workload import GAME, creation
from warledger.api import Client
from warledger.demo.installation import installation

COMMANDS = 100
"""Of one run: its 99 % point is the second slowest."""
VALUE = b'{"type":"set_order"}'.ljust(700)
_READY_SECONDS = 60.0


class Points(NamedTuple):
    """Seconds that half and 99 % of the commands took at most."""

    half: float
    most: float


def points(step: Callable[[], object], count: int = COMMANDS) -> Points:
    """Take the step so often, one after the other."""
    times = []
    for _ in range(count):
        started = time.perf_counter()
        step()
        times.append(time.perf_counter() - started)
    times.sort()
    return Points(times[count // 2], times[count * 99 // 100 - 1])


def path_points(ours_url: str, ours_docs: str, bare_url: str, bare_docs: str, runs: int) -> list[tuple[Points, Points]]:
    """Points of ours and of the bare script, run by run, in turn."""
    apply(parse_place(ours_url))
    bare = parse_place(bare_url)
    apply(bare)
    with ExitStack() as stack:
        command = stack.enter_context(_player(ours_url, ours_docs))
        script = stack.enter_context(_script(bare, bare_docs))
        points(command, 20)
        points(script, 20)
        return [(points(command), points(script)) for _ in range(runs)]


@contextmanager
def _player(log: str, documents: str) -> Iterator[Callable[[], object]]:
    """A whole installation; the step is an order of its only player, answered when it is judged."""
    extra = {"WARLEDGER_LOG": log, "WARLEDGER_DOCS": documents, "WARLEDGER_WAIT_MS": "20000"}
    with tempfile.TemporaryDirectory() as folder, installation(Path(folder) / "data", extra) as house:
        house.operator.post("/games", creation())
        _await_game(house.operator)
        [(_, player)] = house.players(1)
        player.command(GAME, "join", {"team": "red"})
        player.command(GAME, "place", {"territory": "ashford"})
        house.operator.command(GAME, "start_game")
        player.command(GAME, "energize")

        def step() -> None:
            answer = player.command(GAME, "set_order", {"defend": 2})
            if answer.status != 201:
                raise RuntimeError(f"not judged in time: {answer.status}")

        yield step


def _await_game(client: Client) -> None:
    end = time.monotonic() + _READY_SECONDS
    while client.request("GET", f"/games/{GAME}").status != 200:
        if time.monotonic() > end:
            raise RuntimeError("the game does not appear in the views")
        time.sleep(0.05)


@contextmanager
def _script(place: KafkaPlace, documents: str) -> Iterator[Callable[[], object]]:
    """The bare script, as fast as the same libraries do it; the step is one order."""
    promises: dict[str, Any] = {**place.options(), "acks": "all", "enable_idempotence": True, "linger_ms": 0}
    with ExitStack() as stack:
        plain: Any = KafkaProducer(**promises)
        judge: Any = KafkaProducer(**promises, transactional_id=place.name("bare"), retry_backoff_ms=1)
        for producer in (plain, judge):
            stack.callback(producer.close)
        judge.init_transactions()
        turns = stack.enter_context(_consumer(place))
        client = stack.enter_context(MongoClient[dict[str, object]](documents))
        views = client.get_default_database().get_collection("views", write_concern=WriteConcern("majority"))

        def step() -> None:
            plain.send(place.name("orders"), VALUE, b"bench", partition=0).get(20)
            judge.begin_transaction()
            judge.send(place.name(TURNS), VALUE, b"bench", partition=0)
            judge.commit_transaction()
            _take(turns)
            views.replace_one({"_id": "order"}, {"body": VALUE.decode()}, upsert=True)

        yield step


@contextmanager
def _consumer(place: KafkaPlace) -> Iterator[Any]:
    consumer: Any = KafkaConsumer(
        **place.options(), isolation_level="read_committed", enable_auto_commit=False, fetch_max_wait_ms=100
    )
    partition = TopicPartition(place.name(TURNS), 0)
    consumer.assign([partition])
    consumer.seek(partition, 0)
    try:
        yield consumer
    finally:
        consumer.close()


def _take(consumer: Any) -> None:
    while not consumer.poll(timeout_ms=1000):
        pass
