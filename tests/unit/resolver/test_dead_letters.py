"""What stands on an input topic and is no input (design, Inputs and judgements)."""

import sqlite3
from dataclasses import replace
from typing import Any

import pytest

from services.resolver.hosting.game import KEEP_MS
from services.resolver.replay import check
from shared.canonical import canonical, parse
from shared.log import partition_of
from shared.signing import Signer
from tests.unit.resolver.house import House


@pytest.fixture
def running(house: House) -> House:
    """A house with a game under way."""
    house.open("g1")
    house.settle()
    return house


def letters(house: House) -> list[tuple[str, str]]:
    return [(letter["topic"], letter["reason"]) for letter in house.dead_letters()]


def write_row(house: House, topic: str, key: str, value: bytes, signature: str | None, headers: str = "{}") -> None:
    """Write straight into an input file, as somebody who can reach it would."""
    connection = sqlite3.connect(house.folder / "log" / f"{topic}.db")
    with connection:
        table = f"{topic}_{partition_of('g1'):02}"
        connection.execute(
            f"INSERT INTO {table} (at, key, value, headers, signature) VALUES (?, ?, ?, ?, ?)",
            (house.clock.time, key, value, headers, signature),
        )
    connection.close()


def test_a_record_without_a_signature_is_forged(running: House) -> None:
    order = running.submitted("g1", "ana", "order", {"name": "not mine"})
    write_row(running, "orders", "g1", order.value(), None)
    running.say("g1", "bia", "order", name="genuine")

    running.settle()

    assert letters(running) == [("orders", "forged")]
    assert running.told("g1")[4:] == ["accepted order", "named"]


def test_a_record_with_a_foreign_key_is_forged(running: House) -> None:
    order = running.submitted("g1", "ana", "order", {"name": "not mine"}).value()
    write_row(running, "orders", "g1", order, Signer("orders", bytes(32)).sign(order, running.clock.time))

    running.settle()

    assert letters(running) == [("orders", "forged")]


def test_a_service_may_not_write_the_commands_of_another(running: House) -> None:
    running.send(running.submitted("g1", "ana", "order", {"name": "x"}), "orders", signer="polls")
    running.send(running.submitted("g1", "ana", "order", {"name": "x"}), "votes")
    running.send(running.submitted("g1", "ana", "invented", {}), "orders")

    running.settle()

    assert letters(running) == [("orders", "forged"), ("orders", "forged"), ("votes", "forged")]


def test_ticks_key_cannot_speak_for_a_player(running: House) -> None:
    order = running.submitted("g1", "ana", "order", {"name": "x"})
    running.send(order, "orders", signer="ticks")

    running.settle()

    assert "accepted order" not in running.told("g1")


def test_a_genuine_record_copied_into_another_game_is_forged(running: House) -> None:
    order = running.submitted("g1", "ana", "order", {"name": "x"})
    running.write("g2", order.value(), "orders")

    running.settle()

    assert letters(running) == [("orders", "forged")]


def test_a_record_copied_to_the_end_after_its_id_is_forgotten_is_forged(running: House) -> None:
    running.say("g1", "ana", "order", name="old")
    running.settle()
    table = f"orders_{partition_of('g1'):02}"
    connection = sqlite3.connect(running.folder / "log" / "orders.db")
    old = connection.execute(f"SELECT * FROM {table} ORDER BY offset DESC LIMIT 1").fetchone()
    for _ in range(3):
        running.clock.time += KEEP_MS
        running.settle()
    running.say("g1", "ana", "order", name="new")
    running.settle()
    before = running.told("g1")

    with connection:
        end = f"(SELECT max(offset) + 1 FROM {table})"
        connection.execute(f"INSERT INTO {table} VALUES ({end}, ?, ?, ?, ?, ?)", old[1:])
    connection.close()
    running.settle()

    assert letters(running) == [("orders", "forged")]
    assert running.told("g1") == before
    assert before.count("accepted order") == 2


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"actor": "ana"}',
        canonical({"actor": "ana", "game": "g1", "id": "i", "payload": [], "role": "player", "salt": "", "type": "t"}),
        b'{"actor":"ana","game":"g1","id":"i","payload":{"a":1.5},"role":"player","salt":"","type":"order"}',
    ],
)
def test_a_signed_record_that_is_no_input_is_unreadable(running: House, value: bytes) -> None:
    running.write("g1", value, "orders")
    running.settle()

    assert letters(running) == [("orders", "unreadable")]


@pytest.mark.parametrize(
    "changed",
    [{"salt": "short"}, {"salt": "A" * 32}, {"id": "no id!"}, {"actor": ""}, {"payload": {"name": "x" * 255_000}}],
)
def test_an_input_of_a_wrong_form_is_unreadable(running: House, changed: dict[str, Any]) -> None:
    order = running.submitted("g1", "ana", "order", {"name": "x"})
    running.send(replace(order, **changed), "orders")
    running.settle()

    assert letters(running) == [("orders", "unreadable")]


def test_an_input_for_a_game_that_does_not_exist_is_an_input_and_judged(running: House) -> None:
    running.say("nowhere", "ana", "order", name="x", key="k")
    running.say("nowhere", "ana", "order", name="x", key="k")
    running.say("nowhere", "ana", "chat", text="hello")
    running.settle()
    running.restart()
    running.create("nowhere")
    running.settle()

    assert letters(running) == []
    first, *others = running.told("nowhere")
    assert first == "rejected order unknown_game"
    assert sorted(others[:2]) == ["rejected chat unknown_game", "repeated order"]
    assert others[2:] == ["accepted create_game", "game.created"]
    check(running.journal("nowhere"))


def test_a_dead_letter_holds_coordinates_and_nothing_of_the_record(running: House) -> None:
    key = "k" * 100_000
    write_row(running, "orders", key, b"secret " * 1_000, None, headers='{"traceparent":"' + "x" * 1_000 + '"}')
    running.settle()

    (letter,) = running.records("dead-letters")
    assert parse(letter.value) == {
        "topic": "orders",
        "partition": partition_of("g1"),
        "offset": 2,
        "reason": "forged",
        "detail": "the record has no valid signature",
    }
    assert letter.key == "unknown"
    assert letter.headers["ce_type"] == "warledger.host.dead_letter.v1"


def test_a_dead_letter_is_written_once_though_the_resolver_is_killed(running: House) -> None:
    write_row(running, "orders", "g1", b"?", None)
    running.settle()
    running.restart()
    running.settle()

    assert letters(running) == [("orders", "forged")]


def test_a_repeated_record_is_judged_as_repeated(running: House) -> None:
    order = running.submitted("g1", "ana", "order", {"name": "x"})
    running.send(order, "orders")
    running.send(order, "orders")
    running.settle()

    assert running.told("g1")[4:] == ["accepted order", "named", "repeated order"]
    assert running.dead_letters() == []
