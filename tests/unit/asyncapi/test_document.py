"""The document of the topics: made from the code, well-formed, complete, and true of the records of a war."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest

from shared import schemas
from shared.asyncapi.__main__ import ROOT, files
from shared.asyncapi.schemas import command_type, is_public
from shared.commands import commands_of
from shared.events import split_type, unpack
from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, PARTITIONS, START, TURNS, Draft, Record, TopicPartition
from shared.log.kafka_reader import SIGNATURE_HEADER
from shared.rights import TOPICS
from tests.leaks.gxc import TeamWar, busy
from tests.leaks.house import Drawn, House
from tests.unit.asyncapi.structure import STRUCTURE

FILE = ROOT / "docs" / "asyncapi.json"


@cache
def document() -> Any:
    """The document as it is stored."""
    return json.loads(FILE.read_text())


@pytest.mark.parametrize("path", ["docs/asyncapi.json", "docs/topics.md"])
def test_the_stored_files_are_those_of_the_code(path: str) -> None:
    assert (ROOT / path).read_text() == files()[path], "run: python -m shared.asyncapi"


def test_the_document_has_the_form_of_asyncapi_3() -> None:
    jsonschema.Draft202012Validator(STRUCTURE).validate(document())


def test_the_form_is_checked_in_earnest() -> None:
    checked = jsonschema.Draft202012Validator(STRUCTURE)
    publishing, subscribing, empty = (json.loads(FILE.read_text()) for _ in range(3))
    publishing["channels"]["turns"]["publish"] = {}
    subscribing["operations"]["analyst-reads-chronicle"]["action"] = "subscribe"
    del empty["components"]["messages"]["turnsBatch"]["payload"]
    for made in (publishing, subscribing, empty):
        assert not checked.is_valid(made)


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for item in node.values():
            yield from _references(item)
    elif isinstance(node, list):
        for item in node:
            yield from _references(item)


def test_every_reference_leads_somewhere() -> None:
    found = set(_references(document()))
    assert len(found) > 100
    for reference in found:
        node = document()
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]


def test_an_operation_names_messages_of_its_channel() -> None:
    for name, operation in document()["operations"].items():
        channel = operation["channel"]["$ref"]
        assert all(item["$ref"].startswith(f"{channel}/messages/") for item in operation["messages"]), name


@pytest.mark.slow
def test_every_schema_is_one_for_both_dialects() -> None:
    for schema in document()["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft7Validator.check_schema(schema)


def _listed(name: str) -> set[str]:
    options = document()["components"]["schemas"][name]["oneOf"]
    return {option["properties"]["type"]["const"] for option in options}


def test_every_event_type_is_in_it_with_its_own_schema() -> None:
    stored = {path.stem for path in schemas.FOLDER.glob("*.json")}
    assert schemas.current().keys() <= stored
    assert _listed("journalEvent") == stored
    for full in stored:
        assert document()["components"]["schemas"][full] == schemas.stored(full)


def test_the_chronicle_has_the_types_that_say_so() -> None:
    public = _listed("chronicleEvent")
    assert public == {full for full in _listed("journalEvent") if is_public(full)}
    assert {"captured", "orders_revealed", "shield_ended", "chat_sent"} <= {split_type(full).name for full in public}
    assert public.isdisjoint({"warledger.host.input.accepted.v1", "warledger.gxc.order_set.v1"})


def test_every_command_is_in_the_channel_of_its_topic() -> None:
    for topic in INPUT_TOPICS:
        expected = {command_type(command) for command in commands_of(topic)}
        assert document()["channels"][topic]["messages"].keys() == expected | {"tick"}


def _message_of(record: Record) -> Any:
    channel = document()["channels"][record.topic]
    kinds = [reference["$ref"].rpartition("/")[2] for reference in channel["messages"].values()]
    found = [document()["components"]["messages"][kind] for kind in kinds]
    return next(item for item in found if item["name"] == record.headers["ce_type"])


def validator(schema: Any) -> jsonschema.Draft202012Validator:
    """A validator of a schema of the document."""
    return jsonschema.Draft202012Validator({**schema, "components": document()["components"]})


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """Every record of an eventful war, told over HTTP, with one forged record among the orders."""
    patches = pytest.MonkeyPatch()
    house = House(tmp_path_factory.mktemp("house"))
    try:
        war = TeamWar(house, Drawn(patches))
        war.begin()
        busy(war)
        house.log("polls").append("orders", [Draft("war", b"{}", {})])
        war.settle_red()
        war.close(3)
        war.settle_red()
        war.close(4)
        return _all_records(house)
    finally:
        house.close()
        patches.undo()


def _all_records(house: House) -> list[Record]:
    reader = house.logs[0].reader()
    reader.assign({TopicPartition(topic, number): START for topic in TOPICS for number in range(PARTITIONS)})
    found: list[Record] = []
    while more := reader.poll(0, 10_000):
        found += more
    reader.close()
    return found


@pytest.mark.slow
def test_every_record_of_a_war_is_as_the_document_says(records: list[Record]) -> None:
    seen = set()
    for record in records:
        if record.tick or not record.headers:
            continue
        message = _message_of(record)
        assert record.topic in INPUT_TOPICS or SIGNATURE_HEADER not in message["headers"]["properties"]
        jsonschema.Draft202012Validator(message["headers"]).validate(dict(record.headers))
        validator(message["payload"]).validate(json.loads(record.value))
        seen.add(record.topic)
    assert seen == {"orders", "votes", TURNS, CHRONICLE, DEAD_LETTERS}


@pytest.mark.slow
def test_a_war_fills_most_types_and_the_chronicle_holds_public_ones_alone(records: list[Record]) -> None:
    types: dict[str, set[str]] = {TURNS: set(), CHRONICLE: set()}
    for record in records:
        if record.topic in types:
            types[record.topic] |= {event.type for event in unpack(record.value).events}
    assert len(types[TURNS]) > 40
    assert types[CHRONICLE] <= _listed("chronicleEvent")


@pytest.mark.slow
def test_a_record_that_differs_is_found(records: list[Record]) -> None:
    record = next(item for item in records if item.topic == CHRONICLE)
    value = json.loads(record.value)
    value["events"][0]["data"]["more"] = 1
    assert not validator(_message_of(record)["payload"]).is_valid(value)


def test_the_example_is_a_record_that_readers_take() -> None:
    message = document()["components"]["messages"]["chronicleBatch"]
    [example] = message["examples"]
    validator(message["payload"]).validate(example["payload"])
    jsonschema.Draft202012Validator(message["headers"]).validate(example["headers"])
    assert unpack(json.dumps(example["payload"]).encode()).events[0].data["territory"] == "dunmere"
