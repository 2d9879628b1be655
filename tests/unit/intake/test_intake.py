"""An intake judges the form of a command, makes it an input, and stores it before it answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
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
from shared.commands import commands_of
from shared.documents.sqlite import SqliteDocuments
from shared.events import input_id, read_submitted
from shared.intake.admission import Admission
from shared.intake.batch import COMMANDS
from shared.log import START, Record, TopicPartition, partition_of
from shared.log.sqlite import SqliteLog
from shared.messages import Messages, Reference, hash_of
from shared.rules.interface import Command, Registration
from shared.rules.shapes import Id, Integer, Object, Shape
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
        headers = call_headers(key, caller, COMMANDS, data, SystemClock().now())
        return self.client.post(COMMANDS, data=data, headers=headers, content_type="application/json")

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
    return {"game": GAME, "kind": "gxc", "rules": "1", "type": type, "payload": payload or {}, **more}


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
        (command() | {"rules": "0"}, "unknown_command"),
        (command() | {"rules": 1}, "malformed"),
        ({name: value for name, value in command().items() if name != "rules"}, "malformed"),
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


@pytest.fixture
def two_versions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rules in two versions: what `march` takes has changed, `scout` is new, `parley` is gone."""

    def rules(*commands: Command) -> Any:
        return lambda: SimpleNamespace(commands={item.type: item for item in commands})

    def made(type: str, **fields: Shape) -> Command:
        return Command(type, frozenset({"player"}), "orders", Object(fields), "For this test.")

    first = rules(made("march", to=Id()), made("parley"))
    second = rules(made("march", to=Id(), speed=Integer()), made("scout"))
    versions = (Registration("war", "1", first), Registration("war", "2", second))
    monkeypatch.setattr("shared.commands.GAMES", versions)
    commands_of.cache_clear()
    yield
    commands_of.cache_clear()


@pytest.mark.usefixtures("two_versions")
@pytest.mark.parametrize(
    ("rules", "type", "payload", "code"),
    [
        ("1", "march", {"to": "elmgate"}, None),
        ("1", "march", {"to": "elmgate", "speed": 2}, "malformed"),
        ("2", "march", {"to": "elmgate", "speed": 2}, None),
        ("2", "march", {"to": "elmgate"}, "malformed"),
        ("1", "parley", {}, None),
        ("2", "parley", {}, "unknown_command"),
        ("2", "scout", {}, None),
        ("1", "scout", {}, "unknown_command"),
    ],
)
def test_a_command_has_the_form_of_the_rules_that_its_game_is_played_by(
    orders: Intake, rules: str, type: str, payload: dict[str, Any], code: str | None
) -> None:
    answer = orders.send(command(type, payload) | {"kind": "war", "rules": rules}).get_json()
    assert answer.get("code") == code
    assert len(orders.stored()) == (code is None)


def test_a_command_of_the_host_has_no_rules_version(orders: Intake) -> None:
    release = command("release_game") | {"kind": "host", "rules": ""}
    assert orders.send(release, Caller("op", "operator")).status_code == 202
    refused = orders.send(release | {"rules": "1"}, Caller("op", "operator"))
    assert refused.get_json()["code"] == "unknown_command"
