"""A command is answered without the app; the route of the same address answers alike.

A media type with a parameter is taken by the route alone.
"""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from werkzeug.test import EnvironBuilder, TestResponse

from services.gateway.lean import LeanCommands
from services.gateway.tokens import CACHE_MS
from services.gateway.writes import Submission
from shared.documents import DocumentsUnavailable
from shared.errors import Problem
from tests.unit.gateway.house import House, Player

PLAIN, ROUTED = "application/json", "application/json; charset=utf-8"
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture(scope="module")
def war(house: House, operator: Player) -> str:
    return house.war(operator)


@pytest.fixture(scope="module")
def red(house: House, war: str) -> Player:
    return house.recruit(war, "red", "dunmere")


def both(
    house: House, token: str | None, game: str, body: Any, headers: dict[str, str]
) -> tuple[TestResponse, TestResponse]:
    """What is answered without the app, and by it."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"traceparent": TRACE, **({"Authorization": f"Bearer {token}"} if token else {}), **headers}
    client = house.app.test_client()
    path = f"/games/{game}/commands"
    first, second = (client.post(path, data=data, headers=sent, content_type=media) for media in (PLAIN, ROUTED))
    return first, second


def said(answer: TestResponse, without_time: bool = False) -> tuple[int, list[tuple[str, str]], dict[str, Any]]:
    body = dict(answer.json or {})
    if without_time:
        del body["at"]
    return answer.status_code, sorted(answer.headers), body


def passed_on(monkeypatch: pytest.MonkeyPatch, house: House) -> list[str]:
    """The addresses that the app answers from now on."""
    found: list[str] = []
    lean: Any = house.app.wsgi_app
    assert isinstance(lean, LeanCommands)
    app = lean._app

    def noting(environ: Any, start_response: Any) -> Any:
        found.append(environ["PATH_INFO"])
        return app(environ, start_response)

    monkeypatch.setattr(lean, "_app", noting)
    return found


@pytest.mark.parametrize(
    ("payload", "prefer", "status"),
    [({"defend": 1}, {}, 201), ({"defend": 1}, {"Prefer": "respond-async"}, 202), ({"defend": 99}, {}, 422)],
)
def test_a_command_is_answered_as_by_its_route(
    house: House,
    war: str,
    red: Player,
    monkeypatch: pytest.MonkeyPatch,
    payload: Any,
    prefer: dict[str, str],
    status: int,
) -> None:
    seen = passed_on(monkeypatch, house)
    key = {"Idempotency-Key": f"lean-{status}"}
    lean, routed = both(house, red.token, war, {"type": "set_order", "payload": payload}, {**key, **prefer})
    assert seen == [f"/games/{war}/commands"]
    assert lean.status_code == status
    # The repeat of what is not judged is a record of its own, with a time of its own.
    assert said(lean, status == 202) == said(routed, status == 202)
    assert lean.headers["traceparent"] == TRACE


@pytest.mark.parametrize(
    ("body", "headers", "code"),
    [
        (b"{", {}, "malformed"),
        (b"[]", {}, "malformed"),
        (b'{"type":"energize","type":"energize"}', {}, "malformed"),
        ({"type": "energize", "more": 1}, {}, "malformed"),
        ({"type": "nonsense", "payload": {}}, {}, "unknown_command"),
        ({"type": "create_game", "payload": {}}, {}, "unknown_command"),
        ({"type": "set_schedule", "payload": {"zone": None}}, {}, "forbidden"),
        ({"type": "set_order", "payload": {"defend": "x"}}, {}, "malformed"),
        ({"type": "energize"}, {"Idempotency-Key": "not a key"}, "bad_idempotency_key"),
        ({"type": "energize"}, {"Authorization": "Bearer wl.nobody.x"}, "unauthenticated"),
        ({"type": "energize"}, {"Authorization": "Basic eA=="}, "unauthenticated"),
    ],
)
def test_what_is_not_in_order_is_refused_in_the_same_words(
    house: House, war: str, red: Player, body: Any, headers: dict[str, str], code: str
) -> None:
    lean, routed = both(house, red.token, war, body, headers)
    assert said(lean) == said(routed)
    assert isinstance(lean.json, dict)
    assert lean.json["code"] == code


def test_nobody_a_reader_and_an_unknown_game_are_refused_in_the_same_words(house: House, war: str) -> None:
    reader = house.somebody(scope="read")
    for token, game, status in ((None, war, 401), (reader.token, war, 403), (house.somebody().token, "nowhere", 404)):
        lean, routed = both(house, token, game, {"type": "energize"}, {})
        assert said(lean) == said(routed)
        assert lean.status_code == status


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Problem("unavailable", "the orders service is away", headers={"Retry-After": "1"}), 503),
        (DocumentsUnavailable("views.db is locked"), 503),
        (ZeroDivisionError(), 500),
    ],
)
def test_a_fault_on_the_way_is_answered_as_by_the_route(
    house: House, war: str, red: Player, monkeypatch: pytest.MonkeyPatch, fault: Exception, status: int
) -> None:
    def submit(_writes: object, _given: Submission) -> None:
        raise fault

    monkeypatch.setattr(type(house.context.writes), "submit", submit)
    lean, routed = both(house, red.token, war, {"type": "energize"}, {})
    assert said(lean) == said(routed)
    assert lean.status_code == status


ASYNC = {"Prefer": "respond-async"}


def environ(token: str, game: str, body: Any, **headers: str) -> dict[str, Any]:
    """A command whose judgement nobody waits for, as the server hands it over."""
    sent = {"Authorization": f"Bearer {token}", "traceparent": TRACE, **ASYNC, **headers}
    named = [(name.replace("_", "-"), item) for name, item in sent.items()]
    data = json.dumps(body).encode()
    path = f"/games/{game}/commands"
    return EnvironBuilder(path, method="POST", data=data, headers=named, content_type=PLAIN).get_environ()


def lean_of(house: House) -> LeanCommands:
    found: Any = house.app.wsgi_app
    assert isinstance(found, LeanCommands)
    return found


def together(house: House, environs: list[dict[str, Any]]) -> list[tuple[int, dict[str, str], dict[str, Any]]]:
    """Status, headers and body of each of several requests that the server hands over at once."""
    lean = lean_of(house)
    started: dict[int, tuple[int, dict[str, str]]] = {}

    def starting(index: int) -> Any:
        return lambda status, headers, exc_info=None: started.setdefault(index, (int(status[:3]), dict(headers)))

    assert all(lean.joins(given) for given in environs)
    parts: list[Any] = lean.answer_together([(given, starting(index)) for index, given in enumerate(environs)])
    return [(*started[index], json.loads(b"".join(part))) for index, part in enumerate(parts)]


def test_commands_that_are_there_at_once_are_one_request_and_are_answered_as_alone(
    house: House, war: str, red: Player
) -> None:
    assert red.token is not None
    alone = red.command(war, "set_order", {"defend": 1}, Idempotency_Key="a0", **ASYNC, traceparent=TRACE)
    calls = house.intakes.calls
    found = together(
        house,
        [
            environ(red.token, war, {"type": "set_order", "payload": {"defend": 1}}, Idempotency_Key="a1"),
            environ(red.token, war, {"type": "set_order", "payload": {"defend": "x"}}),
            environ(red.token, war, {"type": "set_order", "payload": {"defend": 2}}),
        ],
    )
    assert house.intakes.calls == calls + 1
    assert [status for status, _, _ in found] == [202, 400, 202]
    status, headers, body = found[0]
    assert (status, headers.keys(), body.keys()) == (202, dict(alone.headers).keys(), alone.get_json().keys())
    assert headers["traceparent"] == TRACE
    assert headers["Location"] == f"/games/{war}/inputs/{body['id']}?hash={body['hash']}"
    assert body["input"] | {"id": "", "salt": ""} == alone.get_json()["input"] | {"id": "", "salt": ""}
    assert found[1][2]["code"] == "malformed"


def test_a_fault_on_the_way_is_answered_to_all_that_went_together(
    house: House, war: str, red: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert red.token is not None
    red.command(war, "energize", **ASYNC)

    def submit_all(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(house.context.writes), "submit_all", submit_all)
    found = together(house, [environ(red.token, war, {"type": "energize", "payload": {}}) for _ in range(2)])
    assert [(status, body["code"]) for status, _, body in found] == [(500, "internal")] * 2


def test_a_bad_answer_to_one_is_not_for_those_beside_it(
    house: House, war: str, red: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One receipt lacks what every receipt has, one answer is none, one cannot be sent."""
    assert red.token is not None
    red.command(war, "energize", **ASYNC)
    genuine = house.intakes.submit_all

    def submit_all(service: str, given: Any) -> list[Any]:
        answers: list[Any] = genuine(service, given)
        return [{"id": "x"}, ZeroDivisionError(), answers[2] | {"more": 1.5j}, answers[3]]

    monkeypatch.setattr(house.intakes, "submit_all", submit_all)
    lean = lean_of(house)
    environs = [environ(red.token, war, {"type": "energize", "payload": {}}) for _ in range(4)]
    assert all(lean.joins(given) for given in environs)
    said: list[str] = []
    parts = lean.answer_together([(given, lambda status, _headers: said.append(status)) for given in environs])
    assert [part if isinstance(part, Exception) else "sent" for part in parts[:2]] == ["sent"] * 2
    assert isinstance(parts[2], TypeError)
    assert said == ["500 INTERNAL SERVER ERROR"] * 2 + ["202 ACCEPTED"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ({"type": "energize", "payload": {}}, {"Prefer": "wait=1"}),
        ({"type": "energize", "payload": {}, "more": 1}, {}),
        ({"type": "nonsense", "payload": {}}, {}),
        ({"type": "set_order", "payload": {"attack": "x" * 5000}}, {}),
        ({"type": "vote", "payload": {}}, {}),
        ({"type": "energize", "payload": {}}, {"Authorization": "Bearer wl.nobody.x"}),
        ({"type": "energize", "payload": {}}, {"Authorization": "Basic eA=="}),
        ({"type": "energize", "payload": {}}, {"Idempotency_Key": "not a key"}),
        ({"type": "energize", "payload": {}}, {"Content_Encoding": "gzip"}),
    ],
)
def test_what_is_waited_for_not_in_order_long_or_for_another_intake_goes_alone_and_whole(
    house: House, war: str, red: Player, body: Any, headers: dict[str, str]
) -> None:
    assert red.token is not None
    red.command(war, "energize", **ASYNC)
    given = environ(red.token, war, body, **headers)
    assert not lean_of(house).joins(given)
    assert json.loads(given["wsgi.input"].read()) == body


def test_who_is_not_known_here_now_goes_alone_and_asks_the_store(
    house: House, war: str, red: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert red.token is not None
    body, lean = {"type": "energize", "payload": {}}, lean_of(house)
    red.command(war, "energize", **ASYNC)
    assert lean.joins(environ(red.token, war, body))
    later = house.context.tokens._clock.now() + CACHE_MS + 1
    with monkeypatch.context() as patch:
        patch.setattr(house.context.tokens, "_clock", SimpleNamespace(now=lambda: later))
        assert not lean.joins(environ(red.token, war, body))
    red.command(war, "energize", **ASYNC)
    house.context.reads.rulesets._rulesets.clear()
    assert not lean.joins(environ(red.token, war, body))


def test_a_revoked_token_goes_with_nobody(house: House, war: str) -> None:
    somebody = house.somebody()
    assert somebody.token is not None
    somebody.command(war, "energize", **ASYNC)
    given = {"type": "energize", "payload": {}}
    assert lean_of(house).joins(environ(somebody.token, war, given))
    house.context.tokens.revoke_all(somebody.account)
    assert not lean_of(house).joins(environ(somebody.token, war, given))


@pytest.mark.parametrize(
    ("head", "joins"),
    [
        (b"POST /games/g/commands HTTP/1.1\r\nHost: h\r\nprefer: respond-async\r\nA: b\r\n", True),
        (b"POST /games/g/commands HTTP/1.1\r\nPrefer: wait=1\r\n", False),
        (b"POST /games/g/commands HTTP/1.1\r\nHost: h\r\n\r\nPrefer: respond-async\r\n", False),
        (b"POST /games/g/commands HTTP/1.1\r\nX: Prefer: respond-async\r\n", False),
        (b"POST /games HTTP/1.1\r\nPrefer: respond-async\r\n", False),
        (b"GET /games/g/commands HTTP/1.1\r\nPrefer: respond-async\r\n", False),
    ],
)
def test_only_a_command_that_nobody_waits_for_may_go_with_others(house: House, head: bytes, joins: bool) -> None:
    assert lean_of(house).may_join(head + b"\r\n") is joins
