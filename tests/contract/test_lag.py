"""`warledger lag` measures the same on a log in files and in Kafka: what waits, of which game, since when."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from shared.documents import Document
from shared.documents.sqlite import SqliteDocuments
from shared.log import INPUT_TOPICS, START, TURNS, Draft, Log, Mark, Outcome, TopicPartition, partition_of
from shared.log.kafka import KafkaLog
from shared.log.reading import ends
from shared.log.sqlite import SqliteLog
from shared.signing import Claims, Signer
from shared.views import ids
from tests.contract.log_house import KEYS, eventually
from tests.servers.topics import topics_at
from warledger.lagging import Lag, lags

LIMIT = 1_000
GAME = "spring"
OTHER = next(name for name in map("other-{}".format, range(99)) if partition_of(name) != partition_of(GAME))


class House:
    """A log as its services open it, and the documents beside it."""

    def __init__(self, log_of: "dict[str, Log]", documents: SqliteDocuments) -> None:
        self.log_of = log_of
        self.documents = documents

    def lags(self, limit: int = LIMIT) -> list[Lag]:
        return [lag for lag in lags(self.log_of["resolver"], self.documents, limit) if lag.records]

    def behind(self) -> list[tuple[str, str, dict[str, int]]]:
        """Service, topic and games of every partition in which something waits."""
        return [(lag.service, lag.place.topic, dict(lag.games)) for lag in self.lags()]

    def send(self, topic: str, service: str, game: str, count: int) -> list[int]:
        """Append inputs; returns their times."""
        drafts = [Draft(game, b"{}", {}) for _ in range(count)]
        return [placed.at for placed in self.log_of[service].append(topic, drafts)]


@pytest.fixture(params=["sqlite", pytest.param("kafka", marks=pytest.mark.servers)])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    signers = {
        "orders": Signer("orders", KEYS["orders"]),
        "polls": Signer("polls", KEYS["polls"]),
        "resolver": Signer("ticks", KEYS["ticks"]),
    }
    logs: dict[str, Log] = {}
    with ExitStack() as ends:
        documents = ends.enter_context(closing(SqliteDocuments(tmp_path / "docs")))
        if request.param == "kafka":
            place = ends.enter_context(topics_at(request.getfixturevalue("fresh_kafka_url")))
            logs.update({name: KafkaLog(place, signer, Claims(KEYS)) for name, signer in signers.items()})
        else:
            logs.update({name: SqliteLog(tmp_path / "log", signer, Claims(KEYS)) for name, signer in signers.items()})
        for log in logs.values():
            ends.enter_context(closing(log))
        yield House(logs, documents)


def test_what_is_not_judged_and_what_is_not_shown_waits_until_it_is(house: House) -> None:
    assert house.behind() == []
    sent = house.send("orders", "orders", GAME, 3)
    house.send("votes", "polls", OTHER, 2)
    house.log_of["resolver"].tick([TopicPartition(topic, partition_of(GAME)) for topic in INPUT_TOPICS])
    waiting = [("resolver", "orders", {GAME: 3}), ("resolver", "votes", {OTHER: 2})]
    eventually(lambda: sorted(house.behind()) == waiting)
    (first, _) = sorted(house.lags(), key=lambda lag: lag.place.topic)
    assert first.since == sent[0]
    assert first.seconds(sent[0] + 2_500) == 2.5

    partition = partition_of(GAME)
    ownership = house.log_of["resolver"].own(partition, "a test")
    at = sent[-1]
    marks = {topic: Mark(3 if topic == "orders" else 0, at) for topic in INPUT_TOPICS}
    ownership.commit(Outcome([Draft(GAME, b"{}", {})], [], [], marks))
    eventually(lambda: sorted(house.behind()) == [("projector", "turns", {GAME: 1}), ("resolver", "votes", {OTHER: 2})])

    place = TopicPartition(TURNS, partition)
    end = ends(house.log_of["resolver"], [place])[place]
    shown = Document(ids.checkpoint(1, partition), end, {"offset": end, "at": at, "open": {}})
    house.documents.write("checkpoints", [shown])
    assert house.behind() == [("resolver", "votes", {OTHER: 2})]
    ownership.release()


def test_a_checkpoint_before_the_mark_of_a_transaction_is_at_the_end(house: House) -> None:
    partition = partition_of(GAME)
    ownership = house.log_of["resolver"].own(partition, "a test")
    ownership.commit(Outcome([Draft(GAME, b"{}", {})], [], [], dict.fromkeys(INPUT_TOPICS, START)))
    ownership.release()
    eventually(lambda: house.behind() == [("projector", "turns", {GAME: 1})])
    shown = Document(ids.checkpoint(1, partition), 1, {"offset": 1, "at": 1, "open": {}})
    house.documents.write("checkpoints", [shown])

    assert house.behind() == []


def test_more_than_the_limit_is_at_least_the_limit(house: House) -> None:
    house.send("orders", "orders", GAME, 5)
    eventually(lambda: house.behind() == [("resolver", "orders", {GAME: 5})])

    (exact,) = house.lags(5)
    (less,) = house.lags(4)

    assert (exact.records, exact.more) == (5, False)
    assert (less.records, less.more) == (4, True)


def test_inputs_of_a_quarantined_game_wait_for_its_release_and_are_no_lag(house: House) -> None:
    house.send("orders", "orders", GAME, 2)
    head = Document(ids.head(1, GAME), 1, {"quarantined": True})
    house.documents.write("heads", [head])
    house.send("orders", "orders", OTHER, 1)

    eventually(lambda: house.behind() == [("resolver", "orders", {OTHER: 1})])
