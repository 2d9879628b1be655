"""Commands that travel together are each judged, stored and answered as if they came alone."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from werkzeug.test import EnvironBuilder, TestResponse

from shared.calls import GATEWAY, Caller, call_headers
from shared.clock import SystemClock
from shared.intake.admission import Admission, Call
from shared.intake.batch import BATCHES, COMMANDS, MOST_IN_BATCH, Answered, calls_body, read_answers
from shared.intake.lean import Lean
from shared.log import AppendedInPart, AppendUnknown, LogUnavailable
from shared.log.sqlite import SqliteLog
from tests.unit.intake.test_intake import CALL_KEY, Intake

JSON = "application/json"
TRACE = f"00-{'a' * 32}-{'b' * 16}-01"


def body(key: str, type: str = "join", payload: Any = None) -> dict[str, Any]:
    given = {"team": "red"} if payload is None else payload
    return {"game": "g1", "kind": "gxc", "rules": "1", "type": type, "payload": given, "key": key}


def call(actor: str, given: dict[str, Any]) -> Call:
    return Call(Caller(actor, "player"), given, TRACE)


def send(
    intake: Intake,
    data: bytes,
    key: bytes = CALL_KEY,
    type: str = JSON,
    caller: Caller = GATEWAY,
    signed_for: str = BATCHES,
) -> TestResponse:
    headers = call_headers(key, caller, signed_for, data, SystemClock().now())
    return intake.client.post(BATCHES, data=data, headers=headers, content_type=type)


def answers(response: TestResponse, count: int) -> list[Answered]:
    found = read_answers(response.get_data(), count)
    assert found is not None
    return found


@pytest.fixture
def orders(tmp_path: Path) -> Intake:
    return Intake("orders", tmp_path)


def test_each_gets_her_own_receipt_in_the_order_sent(orders: Intake) -> None:
    found = answers(send(orders, calls_body([call("ana", body("1")), call("bia", body("2"))])), 2)
    assert [(item.status, item.body["input"]["actor"]) for item in found] == [(202, "ana"), (202, "bia")]
    assert [orjson.loads(record.value)["id"] for record in orders.stored()] == [item.body["id"] for item in found]
    assert all(record.headers["traceparent"] == TRACE for record in orders.stored())


def test_a_batch_gives_the_same_receipt_as_a_command_alone(orders: Intake) -> None:
    alone = orders.send(body("1"), Caller("ana", "player")).get_json()
    [first, _] = answers(send(orders, calls_body([call("ana", body("1")), call("bia", body("2"))])), 2)
    assert first.body | {"at": 0} == alone | {"at": 0}


def test_one_that_is_refused_stores_nothing_and_hinders_nobody(orders: Intake) -> None:
    sent = [call("ana", body("1", "dance")), call("bia", body("2")), call("cid", body("3", payload={"team": 7}))]
    found = answers(send(orders, calls_body(sent)), 3)
    assert [(item.status, item.body.get("code")) for item in found] == [
        (400, "unknown_command"),
        (202, None),
        (400, "malformed"),
    ]
    assert len(orders.stored()) == 1


@pytest.mark.parametrize("levels", [31, 33])
def test_a_body_that_is_nested_as_deeply_as_may_be_is_for_itself_alone(orders: Intake, levels: int) -> None:
    deep: Any = {}
    for _ in range(levels - 2):  # the body is the first level, its payload the second
        deep = {"a": deep}
    alone = orders.send(body("1", payload=deep), Caller("ana", "player"))
    first, second = answers(send(orders, calls_body([call("ana", body("1", payload=deep)), call("bia", body("2"))])), 2)
    assert (alone.status_code, alone.get_json()["code"]) == (400, "malformed")
    assert first.body == alone.get_json()
    assert second.status == 202


def test_a_fault_that_one_meets_is_not_for_all(orders: Intake, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = Admission._judged

    def faulty(self: Admission, given: Call) -> Any:
        if given.caller.actor == "eve":
            raise RuntimeError("a fault of ours")
        return genuine(self, given)

    monkeypatch.setattr(Admission, "_judged", faulty)
    found = answers(send(orders, calls_body([call("eve", body("1")), call("bia", body("2"))])), 2)
    assert [(item.status, item.body.get("code")) for item in found] == [(500, "internal"), (202, None)]


@pytest.mark.parametrize(
    "given",
    [
        {"commands": {}},
        {"commands": [{"actor": "ana"}]},
        {"commands": [], "more": 1},
        {"commands": [{"actor": "a b", "role": "player", "body": {}, "traceparent": ""}]},
        {"commands": [{"actor": "ana", "role": "clock", "body": {}, "traceparent": ""}]},
    ],
)
def test_what_is_no_batch_is_malformed(orders: Intake, given: Any) -> None:
    response = send(orders, orjson.dumps(given))
    assert (response.status_code, response.get_json()["code"]) == (400, "malformed")
    assert orders.stored() == []


@pytest.mark.parametrize("caller", [Caller("polls", "operator"), Caller("gateway", "player")])
def test_a_batch_of_anybody_but_the_gateway_is_forbidden(orders: Intake, caller: Caller) -> None:
    response = send(orders, calls_body([call("ana", body("1"))]), caller=caller)
    assert (response.status_code, response.get_json()["code"]) == (403, "forbidden")
    assert orders.stored() == []


def test_a_call_that_was_signed_for_another_path_is_unauthenticated(orders: Intake) -> None:
    """An account that has the gateway's name signs for nothing but its own commands."""
    batch = calls_body([call("ana", body("1"))])
    response = send(orders, batch, signed_for=COMMANDS)
    assert (response.status_code, response.get_json()["code"]) == (401, "unauthenticated")
    headers = call_headers(CALL_KEY, GATEWAY, BATCHES, orjson.dumps(body("1")), SystemClock().now())
    response = orders.client.post(COMMANDS, data=orjson.dumps(body("1")), headers=headers, content_type=JSON)
    assert (response.status_code, response.get_json()["code"]) == (401, "unauthenticated")
    assert orders.stored() == []


def test_a_batch_has_a_largest_size(orders: Intake) -> None:
    calls = [call(f"player-{number}", body(str(number))) for number in range(MOST_IN_BATCH + 1)]
    response = send(orders, calls_body(calls))
    assert (response.status_code, response.get_json()["code"]) == (413, "too_large")
    assert response.get_json()["detail"] == "a batch has at most 32 commands; this one has 33"
    assert orders.stored() == []
    found = answers(send(orders, calls_body(calls[1:])), MOST_IN_BATCH)
    assert {item.status for item in found} == {202}
    assert len(orders.stored()) == MOST_IN_BATCH


@pytest.mark.parametrize(("key", "type"), [(b"x" * 32, "application/json"), (CALL_KEY, "text/plain")])
def test_a_batch_that_the_gateway_did_not_sign_is_unauthenticated(orders: Intake, key: bytes, type: str) -> None:
    response = send(orders, calls_body([call("ana", body("1"))]), key, type)
    assert (response.status_code, response.get_json()["code"]) == (401, "unauthenticated")
    assert orders.stored() == []


def test_what_the_log_left_open_is_answered_as_open(orders: Intake, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: Any) -> Any:
        raise AppendUnknown("no answer came")

    monkeypatch.setattr(SqliteLog, "append", lost)
    found = answers(send(orders, calls_body([call("ana", body("1")), call("bia", body("2", "dance"))])), 2)
    assert [(item.status, item.body["code"], item.retry_after) for item in found] == [
        (503, "outcome_unknown", "1"),
        (400, "unknown_command", None),
    ]
    assert "send it again under the same key" in found[0].body["detail"]


def test_of_those_appended_together_each_hears_what_became_of_her_own(
    orders: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine = SqliteLog.append

    def in_part(log: SqliteLog, topic: str, drafts: Any) -> Any:
        [place] = genuine(log, topic, drafts[1:2])
        raise AppendedInPart([AppendUnknown("no answer came"), place, LogUnavailable("takes nothing")])

    monkeypatch.setattr(SqliteLog, "append", in_part)
    sent = [call("ana", body("1")), call("bia", body("2")), call("cid", body("3"))]
    unknown, stored, refused = answers(send(orders, calls_body(sent)), 3)
    assert (unknown.status, unknown.body["code"], unknown.body["scope"]) == (503, "outcome_unknown", "game")
    assert (stored.status, stored.body["input"]["actor"]) == (202, "bia")
    assert (refused.status, refused.body["code"], refused.body["scope"]) == (503, "unavailable", "game")
    assert [orjson.loads(record.value)["actor"] for record in orders.stored()] == ["bia"]


def test_requests_that_are_answered_together_are_appended_at_once(
    orders: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    appended: list[int] = []
    genuine = SqliteLog.append

    def append(log: SqliteLog, topic: str, drafts: Any) -> Any:
        appended.append(len(drafts))
        return genuine(log, topic, drafts)

    monkeypatch.setattr(SqliteLog, "append", append)
    unsigned = environ("/commands", orjson.dumps(body("0")), "eve", b"x" * 32)
    batch = calls_body([call("cid", body("3")), call("dan", body("4", "dance"))])
    said = together(
        orders,
        [
            environ("/commands", orjson.dumps(body("1")), "ana"),
            unsigned,
            environ(BATCHES, batch, "gateway", role="operator"),
            environ("/commands", orjson.dumps(body("2", payload={"team": 7})), "bia"),
            environ("/commands", orjson.dumps(body("5")), "bia"),
        ],
    )
    assert [status for status, _ in said] == [202, 401, 200, 400, 202]
    assert [item["input"]["actor"] for item in (said[0][1], said[4][1])] == ["ana", "bia"]
    assert [status for status, _, _ in said[2][1]["answers"]] == [202, 400]
    assert appended == [3]
    assert len(orders.stored()) == 3


def test_a_fault_that_one_request_meets_is_not_for_those_beside_it(
    orders: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine = Admission._judged

    def faulty(self: Admission, given: Call) -> Any:
        if given.caller.actor == "eve":
            raise RuntimeError("a fault of ours")
        return genuine(self, given)

    monkeypatch.setattr(Admission, "_judged", faulty)
    sent = [environ("/commands", orjson.dumps(body(key)), actor) for key, actor in (("1", "eve"), ("2", "bia"))]
    assert [status for status, _ in together(orders, sent)] == [500, 202]
    assert len(orders.stored()) == 1


def test_a_fault_of_one_answer_is_not_for_those_beside_it(orders: Intake) -> None:
    """Those are stored, and must hear of it."""
    sent = [environ(COMMANDS, orjson.dumps(body(key)), actor) for key, actor in (("1", "ana"), ("2", "bia"))]
    lean: Any = orders.client.application.wsgi_app

    def refuse(*_: Any) -> None:
        raise ValueError("a header of no form")

    said: list[str] = []
    answers = lean.answer_together([(sent[0], refuse), (sent[1], lambda status, _headers: said.append(status))])
    assert isinstance(answers[0], ValueError)
    assert said == ["202 ACCEPTED"]
    assert orjson.loads(b"".join(answers[1]))["input"]["actor"] == "bia"
    with pytest.raises(ValueError, match="of no form"):
        lean(environ(COMMANDS, orjson.dumps(body("3")), "cid"), refuse)


def environ(path: str, data: bytes, actor: str, key: bytes = CALL_KEY, role: Any = "player") -> dict[str, Any]:
    headers = call_headers(key, Caller(actor, role), path, data, SystemClock().now())
    builder = EnvironBuilder(path, method="POST", data=data, headers=[*headers.items()], content_type=JSON)
    return builder.get_environ()


def together(intake: Intake, environs: list[dict[str, Any]]) -> list[tuple[int, Any]]:
    """Status and body of each of several requests that the server hands over at once."""
    lean: Any = intake.client.application.wsgi_app
    assert isinstance(lean, Lean)
    statuses: dict[int, str] = {}

    def starting(index: int) -> Any:
        return lambda status, headers, exc_info=None: statuses.setdefault(index, status)

    parts: list[Any] = lean.answer_together([(given, starting(index)) for index, given in enumerate(environs)])
    bodies = [orjson.loads(b"".join(part)) for part in parts]
    return [(int(statuses[index][:3]), found) for index, found in enumerate(bodies)]
