"""An intake judges the form of a command, makes it an input, and stores it before it answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.orders.app import TOPIC as ORDERS
from services.orders.app import create_app as orders_app
from services.polls.app import TOPIC as VOTES
from services.polls.app import create_app as polls_app
from shared.calls import Caller, call_headers
from shared.canonical import sha256_hex
from shared.clock import SystemClock
from shared.documents.sqlite import SqliteDocuments
from shared.events import input_id, read_submitted
from shared.intake.admission import Admission
from shared.log import START, Record, TopicPartition, partition_of
from shared.log.sqlite import SqliteLog
from shared.messages import Messages, Reference, hash_of
from shared.signing import Keyring, Signer

CALL_KEY, SALT_KEY, KEY = b"c" * 32, b"s" * 32, b"k" * 32
ANA = Caller("ana", "player")
GAME = "g1"


class Intake:
    """One intake over real adapters, and what it stored."""

    def __init__(self, service: str, folder: Path) -> None:
        self.topic = ORDERS if service == "orders" else VOTES
        self.log = SqliteLog(folder / "log", Signer(service, KEY), Keyring({service: KEY}))
        self.documents = SqliteDocuments(folder / "docs")
        admission = Admission(self.topic, self.log, self.documents, SALT_KEY, SystemClock())
        create = orders_app if service == "orders" else polls_app
        self.client: FlaskClient = create(admission, call_key=CALL_KEY, max_body_bytes=1_000_000).test_client()

    def send(self, body: Any, caller: Caller = ANA, key: bytes = CALL_KEY) -> TestResponse:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = call_headers(key, caller, data, SystemClock().now())
        return self.client.post("/commands", data=data, headers=headers, content_type="application/json")

    def stored(self) -> list[Record]:
        reader = self.log.reader()
        reader.assign({TopicPartition(self.topic, partition_of(GAME)): START})
        try:
            return reader.poll(0)
        finally:
            reader.close()


@pytest.fixture(params=["orders"])
def orders(tmp_path: Path) -> Iterator[Intake]:
    made = Intake("orders", tmp_path)
    yield made
    made.log.close()
    made.documents.close()


@pytest.fixture
def polls(tmp_path: Path) -> Iterator[Intake]:
    made = Intake("polls", tmp_path)
    yield made
    made.log.close()
    made.documents.close()


def command(type: str = "energize", payload: Any = None, **more: Any) -> dict[str, Any]:
    return {"game": GAME, "kind": "gxc", "type": type, "payload": payload or {}, **more}


def test_an_accepted_command_is_durable_before_its_answer_and_the_receipt_echoes_it(orders: Intake) -> None:
    answer = orders.send(command(key="k1"))
    assert answer.status_code == 202
    (record,) = orders.stored()
    receipt = answer.json
    assert receipt is not None
    submitted = read_submitted(record.value)
    assert record.signer == "orders"
    assert receipt["input"] == json.loads(record.value)
    assert receipt["hash"] == sha256_hex(record.value) == submitted.hash()
    assert receipt["id"] == input_id(GAME, "ana", "k1")
    assert receipt["at"] == record.at


def test_the_same_request_twice_gives_the_same_bytes(orders: Intake) -> None:
    for _ in range(2):
        orders.send(command(key="k1"))
    first, second = orders.stored()
    assert first.value == second.value


def test_the_key_of_another_player_is_another_input(orders: Intake) -> None:
    first = orders.send(command(key="k1")).json
    second = orders.send(command(key="k1"), Caller("bia", "player")).json
    assert first is not None
    assert second is not None
    assert first["id"] != second["id"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "malformed"),
        (b'{"game": NaN}', "malformed"),
        (b"[]", "malformed"),
        ({}, "malformed"),
        (command(surprise=1), "malformed"),
        (command(key="no spaces"), "malformed"),
        (command(key="k\n"), "malformed"),
        (command() | {"game": "no game"}, "malformed"),
        (command() | {"payload": [1]}, "malformed"),
        (command("energize", {"amount": 5}), "malformed"),
        (command("set_order", {"defend": "5"}), "malformed"),
        (command("set_order", {"defend": 1.5}), "malformed"),
        (command("set_order", {"defend": 10**30}), "malformed"),
        (command("fly"), "unknown_command"),
        (command() | {"kind": "chess"}, "unknown_command"),
        (command("nominate", {"kind": "spy", "target": "bia"}), "unknown_command"),
        (command("close_turn", {"turn": 1}), "forbidden"),
    ],
)
def test_what_is_refused_has_a_code_and_stores_nothing(orders: Intake, body: Any, code: str) -> None:
    answer = orders.send(body)
    assert 400 <= answer.status_code < 500
    assert answer.json is not None
    assert (answer.json["code"], orders.stored()) == (code, [])
    assert answer.json["detail"]


def test_a_call_that_the_gateway_did_not_sign_is_refused(orders: Intake) -> None:
    answer = orders.send(command(), key=b"x" * 32)
    assert (answer.status_code, orders.stored()) == (401, [])
    assert orders.client.post("/commands", json=command()).status_code == 401


def test_a_text_is_stored_apart_and_the_log_holds_its_hash(polls: Intake) -> None:
    answer = polls.send(command("chat", {"channel": "team", "text": "meet at dawn"}, key="c1"))
    assert answer.status_code == 202
    (record,) = polls.stored()
    payload = read_submitted(record.value).payload
    assert b"dawn" not in record.value
    assert set(payload) == {"channel", "message", "hash"}
    said = Reference("ana", GAME, payload["message"], payload["hash"])
    kept = Messages(polls.documents).read([said])[said]
    assert kept.texts == {"text": "meet at dawn"}
    assert kept.salt is not None
    assert hash_of(kept.salt, kept.texts) == payload["hash"]


def test_a_text_over_its_limit_is_refused_before_the_log(polls: Intake) -> None:
    assert polls.send(command("chat", {"channel": "all", "text": "é" * 2000})).status_code == 202
    answer = polls.send(command("chat", {"channel": "all", "text": "é" * 2001}))
    assert answer.json is not None
    assert (answer.status_code, answer.json["code"], len(polls.stored())) == (422, "too_long", 1)


def test_a_client_cannot_name_a_message_of_her_own(polls: Intake) -> None:
    answer = polls.send(command("chat", {"channel": "all", "message": "m1", "hash": "0" * 64}))
    assert answer.json is not None
    assert (answer.json["code"], polls.stored()) == ("malformed", [])
