"""The records that a commit writes: packed by game, numbered, with CloudEvents attributes and the traces of inputs."""

from dataclasses import replace
from pathlib import Path

import pytest

from services.resolver.outcome import ORIGINS_A_PACK
from shared.events import unpack
from shared.log import CHRONICLE, MAX_RECORD_BYTES, TURNS, Draft, TopicPartition, partition_of
from tests.unit.resolver.house import UNHURRIED, House

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_all_games_of_a_partition_are_judged_in_one_commit(house: House) -> None:
    neighbour = next(f"h{number}" for number in range(200) if partition_of(f"h{number}") == partition_of("g1"))
    house.open("g1")
    house.open(neighbour)
    house.settle()

    records = house.records(TURNS)
    assert [record.key for record in records] == ["g1", neighbour]
    assert [("marks" in record.headers) for record in records] == [False, True]


def test_a_record_is_a_cloud_event_that_packs_many_events(house: House) -> None:
    house.open("g1")
    house.settle()

    (turns,) = house.records(TURNS)
    (chronicle,) = house.records(CHRONICLE)
    assert {name: item for name, item in turns.headers.items() if name != "marks"} == {
        "ce_specversion": "1.0",
        "ce_id": "g1-1-1",
        "ce_source": "/warledger/turns",
        "ce_type": "warledger.host.batch.v1",
        "ce_subject": "g1",
        "content-type": "application/json",
    }
    assert chronicle.headers["ce_source"] == "/warledger/chronicle"
    assert [event.n for event in unpack(turns.value).events] == [1, 2, 3, 4]
    assert [event.n for event in unpack(chronicle.value).events] == [1, 2]


def test_the_journal_says_where_each_judged_record_stood_and_the_chronicle_does_not(house: House) -> None:
    house.open("g1")
    house.say("g1", "ana", "chat", text="hello")
    house.settle()

    (turns,) = house.records(TURNS)
    (chronicle,) = house.records(CHRONICLE)
    number = partition_of("g1")
    assert [tuple(origin)[:4] for origin in unpack(turns.value).origins] == [
        (1, "orders", number, 0), (3, "orders", number, 1), (5, "votes", number, 0)
    ]  # fmt: skip
    assert unpack(chronicle.value).origins == ()


@pytest.mark.parametrize(("given", "kept"), [(TRACE, TRACE), ("x" * 500_000, None)])
def test_the_trace_of_an_input_is_carried_on_if_it_is_one(house: House, given: str, kept: str | None) -> None:
    house.open("g1")
    house.settle()
    order = house.submitted("g1", "ana", "order", {"name": "traced"})
    house.log("orders").append("orders", [Draft("g1", order.value(), {"traceparent": given})])
    house.settle()

    record = house.records(TURNS)[-1]
    assert record.headers.get("traceparent") == kept
    assert unpack(record.value).origins[0].traceparent == kept


def test_many_inputs_of_one_game_make_records_of_a_bounded_size(house: House) -> None:
    house.open("g1")
    house.settle()
    orders = [house.submitted("g1", f"player{number}", "order", {"name": "x"}) for number in range(1_000)]
    drafts = [Draft("g1", order.value(), {"traceparent": TRACE}) for order in orders]
    house.log("orders").append("orders", drafts)
    house.settle()

    batches = [unpack(record.value) for record in house.records(TURNS)]
    assert sum(len(batch.origins) for batch in batches) == 1_002
    assert all(len(batch.origins) <= ORIGINS_A_PACK for batch in batches)
    assert all(len(record.value) < MAX_RECORD_BYTES for record in house.records(TURNS))


def test_a_large_judgement_gets_a_commit_of_its_own(tmp_path: Path, toy: None) -> None:
    house = House(tmp_path, replace(UNHURRIED, big_close_events=4))
    deadline = house.open("g1")
    house.say("g1", "ana", "order", at=deadline, name="before")
    house.say("g1", "ana", "order", at=deadline + 1, name="after")
    house.settle(at=deadline + 2)

    commits = [unpack(record.value) for record in house.records(TURNS) if "marks" in record.headers]
    firsts = [batch.events[0].data["input"]["type"] for batch in commits]
    assert firsts == ["create_game", "close", "order"]
    assert "closed" in commits[1].events[1].type


def test_ticks_alone_write_nothing_until_many_have_passed(tmp_path: Path, toy: None) -> None:
    house = House(tmp_path, replace(UNHURRIED, passed_records=5))
    log = house.log("ticks")
    number = partition_of("g1")
    for _ in range(4):
        log.tick([TopicPartition("orders", number)])
    house.settle()
    assert log.own(number, "look").marks()["orders"].offset == 0

    log.tick([TopicPartition("orders", number)])
    house.restart()
    house.settle()

    assert log.own(number, "look").marks()["orders"].offset == 5
    assert house.records(TURNS) == []
