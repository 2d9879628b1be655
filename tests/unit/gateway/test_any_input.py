"""Whatever is sent to any route, the answer is one that the document describes, and never a fault of the server."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.unit.gateway.house import House, Player

pytestmark = pytest.mark.slow

REQUESTS = 250
_SKIPPED = (("/accounts/me", "delete"), ("/tokens", "delete"))
"""They would end the accounts that the other requests are sent by."""
_KNOWN = ("war", "red", "energize", "join", "gxc", "start", "1", "public=1")
_FIELDS = ("type", "payload", "name", "password", "email", "scope", "expires_in", "id", "game", "rules", "create")
_QUERY = ("after", "limit", "hash", "ticket", "all")
_HEADERS = ("If-None-Match", "Idempotency-Key", "Prefer", "Accept", "Last-Event-ID", "traceparent")
_words = st.sampled_from(_KNOWN) | st.text(max_size=40)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=4),
    max_leaves=12,
)
_printable = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)


class Request(NamedTuple):
    """Material for a request to any operation."""

    game: str | None
    id: str
    number: int
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    sender: int


_requests = st.builds(
    Request,
    st.sampled_from((None, "nowhere", "x" * 65)),
    _words,
    st.integers(0, 10**20),
    st.dictionaries(st.sampled_from(_QUERY), _words, max_size=3),
    st.dictionaries(st.sampled_from(_HEADERS), _printable, max_size=3),
    _json | st.dictionaries(st.sampled_from(_FIELDS), _json, max_size=5),
    st.integers(0, 2),
)


@pytest.fixture(scope="module")
def document(house: House) -> dict[str, Any]:
    found: dict[str, Any] = house.nobody().get("/openapi.json").get_json()
    return found


@pytest.fixture(scope="module")
def senders(house: House, operator: Player) -> list[Player]:
    return [house.nobody(), house.somebody(), operator]


@settings(max_examples=REQUESTS, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(operation=st.integers(0, 1000), request=_requests)
def test_any_request_gets_a_documented_answer(
    operation: int, request: Request, document: dict[str, Any], senders: list[Player], played: str
) -> None:
    operations = [
        (path, method)
        for path, item in document["paths"].items()
        for method in item
        if method != "parameters" and (path, method) not in _SKIPPED
    ]
    path, method = operations[operation % len(operations)]
    said = document["paths"][path][method]
    names = {"game": request.game or played, "id": request.id, "account": request.id, "n": str(request.number)}
    address = path
    for name, value in names.items():
        address = address.replace(f"{{{name}}}", quote(value, safe="") or "-")
    address += "?" + "&".join(f"{name}={quote(value)}" for name, value in request.query.items())
    body = request.body if "requestBody" in said else None
    answer = senders[request.sender].send(method.upper(), address, body, **request.headers)
    where = (method, path, answer.status_code, answer.get_data()[:300])
    assert str(answer.status_code) in said["responses"], where
    assert answer.status_code < 500, where
    content = said["responses"][str(answer.status_code)].get("content", {})
    if content:
        media = str(answer.mimetype)
        assert media in content, where
        if media.endswith("json"):
            full = {**content[media]["schema"], "components": document["components"]}
            Draft202012Validator(full).validate(answer.get_json())
