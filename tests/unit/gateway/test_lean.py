"""A command is answered without the app; the route of the same address answers alike.

A media type with a parameter is taken by the route alone.
"""

import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from services.gateway.lean import LeanCommands
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
