"""The gateway as its own processes: streams over real connections, pages, and logs without secrets."""

import re
import threading
from collections.abc import Generator

import pytest
import urllib3

from tests.e2e.wars import enlisted, small_war
from warledger.api import Client
from warledger.demo.installation import Installation

pytestmark = pytest.mark.slow


def lines(url: str, token: str | None = None, **headers: str) -> Generator[str, None, None]:
    """The lines of a stream, redirects followed as a client does that drops its token on the way."""
    pool = urllib3.PoolManager(timeout=urllib3.Timeout(connect=60, read=60))
    named = {name.replace("_", "-"): item for name, item in headers.items()}
    if token:
        named["Authorization"] = f"Bearer {token}"
    answer = pool.request("GET", url, headers=named, redirect=False, preload_content=False)
    assert answer.status == 307
    named.pop("Authorization", None)
    answer = pool.request("GET", answer.headers["Location"], headers=named, preload_content=False)
    assert answer.status == 200
    rest = b""
    try:
        for chunk in answer.stream(64, decode_content=True):
            *whole, rest = (rest + chunk).split(b"\n")
            yield from (line.decode() for line in whole)
    finally:
        answer.close()
        pool.clear()


def token_of(client: Client) -> str:
    token = client.token
    assert token is not None
    return token


def test_a_stream_tells_a_player_what_her_team_does_while_it_is_done(house: Installation) -> None:
    game = small_war(house)
    red = enlisted(house, game, "red", "dunmere")
    stream = lines(f"{house.settings.urls['gateway']}/games/{game}/stream", token_of(red))
    while next(stream) != "event: opened":
        pass
    sender = threading.Thread(target=red.command, args=(game, "set_order", {"defend": 2}))
    sender.start()
    while next(stream) != "event: warledger.gxc.order_set.v1":
        pass
    sender.join()
    stream.close()


def test_the_pages_are_served_to_a_browser(house: Installation) -> None:
    game = small_war(house)
    for path in ("/", "/docs", "/docs/errors", f"/games/{game}"):
        answer = house.operator.request("GET", path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


def test_no_log_holds_a_token_a_password_or_an_address(house: Installation) -> None:
    secret = "a password nobody may read"
    visitor = Client(house.settings.urls["gateway"])
    visitor.post("/accounts", {"name": "watched", "password": secret, "email": "watched@example.org"})
    token = visitor.post("/tokens", {"name": "watched", "password": secret}).body["token"]
    watched = visitor.as_token(token)
    watched.get("/accounts/me")
    visitor.request("POST", "/tokens", {"name": "watched", "password": secret + "!"})
    visitor.request("GET", f"/games/{token}")
    visitor.as_token(token + "x").request("GET", "/accounts/me")
    folder = house.settings.keys.parent / "logs"
    logs = {path.name: path.read_text(errors="replace") for path in folder.glob("*.log")}
    assert logs
    for name, text in logs.items():
        for hidden in (secret, token.split(".")[2], "watched@example.org"):
            assert hidden not in text, name
        for key in house.settings.keys.glob("*.key"):
            assert key.read_text().strip() not in text, name


def test_a_header_flood_is_refused_and_others_are_served(house: Installation) -> None:
    pool = urllib3.PoolManager(timeout=60)
    url = house.settings.urls["gateway"]
    many = {f"X-{number}": "x" for number in range(500)}
    assert pool.request("GET", f"{url}/games", headers=many, retries=False).status in (400, 431)
    assert pool.request("GET", f"{url}/games", headers={"X": "x" * 100_000}, retries=False).status in (400, 431)
    assert pool.request("GET", f"{url}/games").status == 200
    pool.clear()


def test_metrics_count_requests(house: Installation) -> None:
    text = str(house.operator.request("GET", "/metrics").body)
    labels = 'method="GET",route="[^"]+",service="gateway",status="200"'
    assert re.search(rf"warledger_requests_total\{{{labels}\}} [1-9]", text)
