"""What the economy service answers to a call for quotes: to the gateway alone, and in its form alone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.calls import GATEWAY, Caller, call_headers
from shared.clock import SystemClock
from shared.documents.sqlite import SqliteDocuments
from shared.intake.admission import Admission
from shared.log.sqlite import SqliteLog
from shared.quotes import MOST_TOGETHER, QUOTES
from shared.signing import Signer
from tests.unit.intake.apps import app_of

KEY = b"c" * 32
ONE = {"game": "g", "actor": "ana", "query": {"order": ["claim"]}}


class Economy:
    """The service over empty stores."""

    def __init__(self, folder: Path) -> None:
        self.log = SqliteLog(folder / "log", Signer("economy", KEY), None)
        self.documents = SqliteDocuments(folder / "docs")
        admission = Admission("trades", self.log, self.documents, KEY, SystemClock())
        self._client = app_of("economy", admission, KEY).test_client()

    def ask(self, body: Any, caller: Caller = GATEWAY, key: bytes = KEY) -> TestResponse:
        data = json.dumps(body).encode()
        headers = call_headers(key, caller, QUOTES, data, SystemClock().now())
        return self._client.post(QUOTES, data=data, headers=headers, content_type="application/json")


@pytest.fixture
def economy(tmp_path: Path) -> Iterator[Economy]:
    made = Economy(tmp_path)
    yield made
    made.log.close()
    made.documents.close()


def test_each_question_has_an_answer_in_its_place(economy: Economy) -> None:
    answer = economy.ask({"questions": [ONE, {**ONE, "game": "h"}]})
    assert answer.status_code == 200
    answers = (answer.json or {})["answers"]
    assert [(status, body["code"], body["detail"].split(";")[0]) for status, body, _ in answers] == [
        (404, "unknown_game", "there is no game g"),
        (404, "unknown_game", "there is no game h"),
    ]


def test_nobody_but_the_gateway_asks(economy: Economy) -> None:
    assert economy.ask({"questions": [ONE]}, key=b"x" * 32).status_code == 401
    assert economy.ask({"questions": [ONE]}, caller=Caller("ana", "player")).status_code == 403


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"questions": {}}, 400),
        ({"questions": [ONE], "more": 1}, 400),
        ({"questions": [{**ONE, "actor": "a b"}]}, 400),
        ({"questions": [{**ONE, "query": {"order": "claim"}}]}, 400),
        ({"questions": [{**ONE, "query": {"order": [1]}}]}, 400),
        ({"questions": [{"game": "g", "actor": "ana"}]}, 400),
        ({"questions": [ONE] * (MOST_TOGETHER + 1)}, 413),
    ],
)
def test_a_call_of_another_form_is_refused(economy: Economy, body: Any, status: int) -> None:
    assert economy.ask(body).status_code == status
