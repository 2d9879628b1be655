"""Quotes that are there at the same time are asked for in one call, and answered as by the route of their address."""

import json
from io import BytesIO
from typing import Any

import pytest

from services.gateway.lean import LeanCommands
from services.gateway.lean_quotes import LeanQuotes
from shared.quotes import LONGEST_TOGETHER
from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_quotes import Week

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture(scope="module")
def week(house: House, operator: Player) -> Week:
    return Week(house, operator, "lean-week")


def lean_of(house: House) -> LeanQuotes:
    front: Any = house.app.wsgi_app
    assert isinstance(front, LeanCommands)
    quotes = front.lines[1]
    assert isinstance(quotes, LeanQuotes)
    return quotes


def environ(game: str, query: str, token: str | None, **more: Any) -> dict[str, Any]:
    """A request as a server hands it over."""
    return {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": f"/games/{game}/quotes",
        "QUERY_STRING": query,
        "HTTP_AUTHORIZATION": f"Bearer {token}",
        "HTTP_TRACEPARENT": TRACE,
        "wsgi.input": BytesIO(),
        **more,
    }


def together(house: House, environs: list[dict[str, Any]]) -> list[tuple[int, dict[str, str], Any]]:
    """Status, headers and body of each, answered as one group."""
    lean, heads = lean_of(house), []

    def start(line: str, headers: list[tuple[str, str]]) -> None:
        heads.append((int(line.split()[0]), dict(headers)))

    assert all(lean.joins(item) for item in environs)
    answers = lean.answer_together([(item, start) for item in environs])
    bodies = [json.loads(b"".join(answer)) for answer in answers if not isinstance(answer, Exception)]
    return [(*head, body) for head, body in zip(heads, bodies, strict=True)]


def known(player: Player) -> Player:
    """Somebody whose token this process knows from a moment ago."""
    player.get("/accounts/me")
    return player


QUERIES = (
    "",
    "order=conquest&zone=v&support=",
    "order=claim&zone=u",
    "order=sale&good=food&amount=12",
    "order=conquest&zone=v&support=1%2C2",
    "order=sale&zone=h&zone=v",
    "order=claim&zone=%00",
    "or%64er=claim&zone=atlantis+city",
    "&&;",
)


def test_a_group_is_one_call_and_each_answer_is_that_of_the_route(house: House, week: Week) -> None:
    player, calls = known(week.ana), house.intakes.calls
    found = together(house, [environ(week.id, query, player.token) for query in QUERIES])
    found += together(house, [environ("nowhere", "", player.token)])
    assert house.intakes.calls == calls + 2
    assert {status for status, _, _ in found} == {200, 400, 404, 422}
    paths = [f"/games/{week.id}/quotes?{query}" for query in QUERIES] + ["/games/nowhere/quotes"]
    for (status, headers, body), path in zip(found, paths, strict=True):
        routed = player.get(path, traceparent=TRACE)
        assert (status, headers, body) == (routed.status_code, dict(routed.headers), routed.json)


def test_what_is_long_not_text_or_of_somebody_unknown_goes_alone(house: House, week: Week) -> None:
    lean, token = lean_of(house), known(week.ana).token
    assert lean.joins(environ(week.id, "zone=" + "h" * (LONGEST_TOGETHER - 5), token))
    reader = known(house.somebody(scope="read"))
    assert lean.joins(environ(week.id, "", reader.token))
    for alone in (
        environ(week.id, "zone=" + "h" * LONGEST_TOGETHER, token),
        environ(week.id, "zone=%ff", token),
        environ(week.id, "zone=é", token),
        environ(week.id, "", token, REQUEST_METHOD="HEAD"),
        environ("x|y", "", token),
        environ(week.id, "", token, HTTP_AUTHORIZATION="Basic eA=="),
        environ(week.id, "", token, HTTP_AUTHORIZATION="Bearer wl.nobody.x"),
    ):
        assert not lean.joins(alone)


@pytest.mark.parametrize(
    ("head", "joins"),
    [
        (b"GET /games/g/quotes HTTP/1.1\r\n", True),
        (b"GET /games/g/quotes?order=claim HTTP/1.1\r\n", True),
        (b"GET /games/g/quotes/x HTTP/1.1\r\n", False),
        (b"HEAD /games/g/quotes HTTP/1.1\r\n", False),
        (b"POST /games/g/commands HTTP/1.1\r\nPrefer: respond-async\r\n", False),
    ],
)
def test_only_quotes_stand_in_their_line(house: House, head: bytes, joins: bool) -> None:
    assert lean_of(house).may_join(head + b"\r\n") is joins
