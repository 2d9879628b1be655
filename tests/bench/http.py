"""Commands over HTTP: the intake against a Flask hello, the gateway against the intake, judged against stored."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from tests.bench.http_workload import GAME, House, creation
from tests.bench.rows import Bars, Row, ratios
from warledger.api import Client
from warledger.demo.installation import installation

RUNS = 7
RATES = Bars("min", 0.45, 0.6)
COMMANDS = 40
"""Commands of one run of the row with one client."""


@contextmanager
def warm_house() -> Iterator[House]:
    """A house that has answered requests of each kind."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        house = House(Path(folder), stack)
        for warm_up in (house.hello_rate, house.orders_rate, house.gateway_rate):
            warm_up()
        yield house


def intake_row(house: House, runs: int = RUNS) -> Row:
    """Rates under 16 connections kept alive, two workers of eight threads each."""
    found = ratios(house.orders_rate, house.hello_rate, runs)
    note = f"{house.orders_rate():,.0f}/s of {house.hello_rate():,.0f}/s"
    return Row("POST to the orders service, requests/s against GET of a Flask hello", RATES, found, note)


def gateway_row(house: House, runs: int = RUNS) -> Row:
    """The same of the gateway, in front of that orders service."""
    found = ratios(house.gateway_rate, house.orders_rate, runs)
    note = f"{house.gateway_rate():,.0f}/s of {house.orders_rate():,.0f}/s"
    return Row("POST through the gateway, respond-async, requests/s against POST to orders", RATES, found, note)


def judged_row(runs: int = RUNS) -> Row:
    """Median time of a command until its judgement is answered, through that of one answered as stored."""
    with tempfile.TemporaryDirectory() as folder, installation(Path(folder) / "data") as house:
        house.operator.post("/games", creation())
        [(_, player)] = house.players(1)
        player.command(GAME, "join", {"team": "red"})
        player.command(GAME, "place", {"territory": "ashford"})
        house.operator.command(GAME, "start_game")
        player.command(GAME, "energize")

        def judged() -> float:
            return _median_time(player, wait=True)

        def stored() -> float:
            spent = _median_time(player, wait=False)
            player.command(GAME, "set_order", {"defend": 1})  # everything before it is judged now
            return spent

        judged(), stored()
        found = ratios(judged, stored, runs)
        note = f"{1000 * judged():.1f} ms"
    job = "command to judged answer, one client, median time against the respond-async POST"
    return Row(job, Bars("max", 8, 4), found, note)


def _median_time(player: Client, *, wait: bool) -> float:
    times = []
    for _ in range(COMMANDS):
        started = time.perf_counter()
        player.command(GAME, "set_order", {"defend": 2}, wait=wait)
        times.append(time.perf_counter() - started)
    return median(times)


def rows() -> list[Row]:
    """All of them."""
    with warm_house() as house:
        rates = [intake_row(house), gateway_row(house)]
    return [*rates, judged_row()]


def gateway_rows() -> list[Row]:
    """That of the gateway alone, which is measured in half a minute."""
    with warm_house() as house:
        return [gateway_row(house)]
