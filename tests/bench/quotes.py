"""Quotes of Map War 3 over HTTP against a Flask hello: prices of many players, on a map of hundreds of zones."""

import os
import random
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from shared.config import Settings, from_environment
from tests.bench.http_workload import (
    ASYNC,
    HELLO,
    REQUESTS,
    environment_of,
    judge_here,
    operator_of,
    peer,
    players_of,
    rate,
    request_of,
    server,
)
from tests.bench.rows import Bars, Row, ratios
from warledger.commands.up import prepare

GAME = "market"
NATIONS = 20
ZONES = 400
RUNS = 7
BARS = Bars("min", 0.4, None)
_ACROSS = 20
_SHARE = ZONES // NATIONS


class House:
    """Gateway and economy service with a game in turn 2, and the hello server, all with the same settings."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        environment = environment_of(folder)
        settings = from_environment({**os.environ, **environment})
        prepare(settings)
        self._file = folder / "requests"
        self._gateway, self._hello = settings.ports["gateway"], settings.ports["streams"]
        for service in ("orders", "economy", "gateway"):
            stack.enter_context(server(settings.ports[service], f"services.{service}", environment=environment))
        stack.enter_context(peer(self._hello, "tests.bench.hello:app"))
        self._players = players_of(settings, NATIONS)
        self._begin(settings)
        chance = random.Random(1)
        self._requests = [self._request(number % NATIONS, chance) for number in range(REQUESTS)]

    def hello_rate(self) -> float:
        """GETs of the hello server answered a second."""
        return rate(self._hello, [HELLO], self._file)

    def quote_rate(self) -> float:
        """Quotes a second that the gateway tells, each with its rows."""
        return rate(self._gateway, self._requests, self._file)

    def _begin(self, settings: Settings) -> None:
        operator = operator_of(settings)
        create = {"map": {"zones": zones()}, "players": [account for account, _ in self._players]}
        operator.post("/games", {"id": GAME, "game": "map-war", "create": create}, headers=ASYNC)
        judge_here(settings, lambda: operator.request("GET", f"/games/{GAME}").status == 200)
        operator.command(GAME, "start_game", wait=False)
        for number, (_, token) in enumerate(self._players):
            start = {"zone": _home(number), "name": f"Nation {number}", "color": f"#0000{number + 1:02X}"}
            operator.as_token(token).command(GAME, "choose_start", start, wait=False)
        judge_here(settings, lambda: operator.get(f"/games/{GAME}")["phase"] == "orders")

    def _request(self, number: int, chance: random.Random) -> bytes:
        _, token = self._players[number]
        query = urlencode(question(number, chance))
        return request_of("GET", f"/games/{GAME}/quotes?{query}", {"Authorization": f"Bearer {token}"}, b"")


def zones() -> dict[str, Any]:
    """A grid of land."""
    return {
        str(number): {"kind": "land", "neighbours": [str(other) for other in _beside(number)], "city_max": 3}
        for number in range(ZONES)
    }


def _beside(number: int) -> list[int]:
    column = number % _ACROSS
    beside = [number - _ACROSS, number + _ACROSS]
    beside += [number - 1] if column else []
    beside += [number + 1] if column < _ACROSS - 1 else []
    return [other for other in beside if 0 <= other < ZONES]


def _home(number: int) -> str:
    return str(number * _SHARE)


def question(number: int, chance: random.Random) -> Mapping[str, Any]:
    """Something that nation `number` may want to know the price of."""
    other = _home((number + chance.randrange(1, NATIONS)) % NATIONS)
    return chance.choice(
        (
            {"order": "claim", "zone": str(chance.randrange(NATIONS) * _SHARE + chance.randrange(1, _SHARE))},
            {"order": "conquest", "zone": other},
            {"order": "sale", "zone": _home(number)},
            {"order": "sale", "good": chance.choice(("food", "resources")), "amount": chance.randrange(1, 100_000)},
        )
    )


def rows() -> list[Row]:
    """Rates under 16 connections kept alive, two workers of eight threads each, on both sides."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        house = House(Path(folder), stack)
        house.hello_rate(), house.quote_rate()
        found = ratios(house.quote_rate, house.hello_rate, RUNS)
        note = f"{house.quote_rate():,.0f}/s of {house.hello_rate():,.0f}/s"
    job = "map-war: GET of a quote through gateway and economy, requests/s against GET of a Flask hello"
    return [Row(job, BARS, found, note)]
