"""What analysts are told holds on a real Kafka: the guide's programs, `warledger tail`, docs/asyncapi.json."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import orjson
import pytest
from kafka import KafkaConsumer, TopicPartition

from shared.adapters import kafka_place
from shared.log import INPUT_TOPICS, PARTITIONS, TURNS
from shared.log.kafka_place import parse_place
from shared.log.kafka_reader import SIGNATURE_HEADER
from shared.log.kafka_topics import TOPICS, apply
from shared.log.outcomes import MARKS_HEADER
from tests.e2e.test_docs import programs
from tests.e2e.wars import enlisted, small_war
from tests.servers import KafkaServer, fresh_kafka_url
from tests.storage import PATIENT
from tests.unit.asyncapi.test_document import document, validator
from warledger.api import Client
from warledger.demo.installation import Installation, installation

pytestmark = [pytest.mark.slow, pytest.mark.servers]

ROOT = Path(__file__).parents[2]
TAIL = (sys.executable, "-m", "warledger", "tail", "chronicle")


class Study(NamedTuple):
    """A war on Kafka in its second turn, and a folder with the programs of the guide."""

    house: Installation
    game: str
    folder: Path

    def run(self, *command: str) -> str:
        """A command in the folder, as an analyst types it; returns what it printed."""
        environment = {**os.environ, **self.house.environment}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def copy_chronicle(self) -> list[tuple[int, str, Any]]:
        """Run the guide's consumer; returns what its file holds of the game."""
        place = kafka_place(self.house.settings)
        self.run(sys.executable, "chronicle.py", "copy.db", ",".join(place.brokers), place.prefix)
        with sqlite3.connect(self.folder / "copy.db") as store:
            found = store.execute("SELECT n, type, data FROM events WHERE game = ? ORDER BY n", (self.game,)).fetchall()
        store.close()
        return [(n, type, json.loads(data)) for n, type, data in found]

    def export(self) -> list[tuple[int, str, Any]]:
        """The public export, as `chronicle.jsonl` in the folder; returns its events."""
        self.run(sys.executable, "-m", "warledger", "export", self.game, "--public", "--out", "chronicle.jsonl")
        lines = [orjson.loads(line) for line in (self.folder / "chronicle.jsonl").read_bytes().splitlines()]
        return [(item["n"], item["type"], item["data"]) for item in (line.get("event") for line in lines) if item]

    def attack(self, attacker: Client, target: str) -> None:
        """A turn in which somebody attacks a territory with all that she has."""
        attacker.command(self.game, "set_order", {"attack": {"target": target, "energy": 10}})
        self.close_turn()

    def close_turn(self) -> None:
        """The operator closes the open turn."""
        turn = self.house.operator.get(f"/games/{self.game}")["turn"]
        assert self.house.operator.command(self.game, "close_turn", {"turn": turn}).status == 201


@pytest.fixture(scope="module")
def study(kafka_server: KafkaServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    folder = tmp_path_factory.mktemp("study")
    for name, text in programs(ROOT / "docs" / "analysts.md").items():
        (folder / name).write_text(text)
    url = fresh_kafka_url(kafka_server)
    apply(parse_place(url))
    with installation(folder / "data", {"WARLEDGER_LOG": url, **PATIENT}) as house:
        made = Study(house, small_war(house), folder)
        blue = enlisted(house, made.game, "blue", "elmgate")
        red = enlisted(house, made.game, "red", "dunmere")
        blue.command(made.game, "set_order", {"defend": 1})
        made.attack(red, "elmgate")
        yield made


def test_the_consumer_of_the_guide_copies_the_chronicle_and_goes_on_where_it_was(study: Study) -> None:
    copied = study.copy_chronicle()
    assert copied == study.export()
    assert [n for n, _, _ in copied] == list(range(1, len(copied) + 1))
    assert study.copy_chronicle() == copied
    study.close_turn()
    longer = study.copy_chronicle()
    assert longer == study.export()
    assert longer[: len(copied)] == copied
    assert len(longer) > len(copied)


def test_a_consumer_that_meets_a_gap_says_so_and_stores_nothing(study: Study) -> None:
    study.copy_chronicle()
    with sqlite3.connect(study.folder / "copy.db") as store:
        store.execute("DELETE FROM events WHERE game = ? AND n > 3", [study.game])
    store.close()
    study.close_turn()
    with pytest.raises(AssertionError, match=rf"{study.game}: event \d+ follows event 3"):
        study.copy_chronicle()
    (study.folder / "copy.db").unlink()
    assert study.copy_chronicle() == study.export()


def test_owners_folded_from_outcomes_are_those_of_the_map(study: Study) -> None:
    events = study.export()
    assert any(type == "warledger.gxc.captured.v1" for _, type, _ in events)
    owners = json.loads(study.run(sys.executable, "owners.py", "chronicle.jsonl"))
    shown = Client(study.house.settings.urls["gateway"], None).get(f"/games/{study.game}/map")["territories"]
    assert owners == {name: item["owner"] for name, item in shown.items()}
    at_first = json.loads(study.run(sys.executable, "owners.py", "chronicle.jsonl", "5"))
    assert at_first.keys() == owners.keys()
    assert at_first != owners


def test_tail_tells_the_chronicle_of_a_cluster(study: Study) -> None:
    told = study.run(*TAIL, "--game", study.game, "--no-follow", "--json")
    rows = [orjson.loads(line) for line in told.splitlines()]
    assert [(row["n"], row["type"], row["data"]) for row in rows] == study.export()


def test_every_record_in_the_cluster_is_as_the_document_says(study: Study) -> None:
    seen = set()
    for topic, record in _records(study):
        headers = {name: item.decode() for name, item in record.headers}
        kind = "tick" if topic in INPUT_TOPICS and not record.value else _kind(topic, headers)
        if kind is None:
            continue
        message = document()["components"]["messages"][kind]
        jsonschema.Draft202012Validator(message["headers"]).validate(headers)
        if kind == "tick":
            assert not record.key
        else:
            validator(message["payload"]).validate(json.loads(record.value))
            assert record.key.decode() == study.game
        seen |= {(topic, name) for name in headers if name in (SIGNATURE_HEADER, MARKS_HEADER)}
    assert seen == {("orders", SIGNATURE_HEADER), (TURNS, MARKS_HEADER)}


def _records(study: Study) -> Iterator[tuple[str, Any]]:
    """Every record of every topic, by Kafka's own client."""
    place = kafka_place(study.house.settings)
    consumer = KafkaConsumer(**place.options(), isolation_level="read_committed", enable_auto_commit=False)
    topics = {place.name(topic): topic for topic in TOPICS}
    places = [TopicPartition(name, number) for name in topics for number in range(PARTITIONS)]
    consumer.assign(places)
    consumer.seek_to_beginning()
    ends = consumer.end_offsets(places)
    while any(consumer.position(item) < ends[item] for item in places):
        for found in consumer.poll(timeout_ms=500).values():
            yield from ((topics[record.topic], record) for record in found)
    consumer.close()


def _kind(topic: str, headers: dict[str, str]) -> str | None:
    """The message that a record is; None for one of turns that carries marks alone."""
    if topic in INPUT_TOPICS:
        return headers["ce_type"]
    return f"{topic}Batch" if "ce_type" in headers else None
