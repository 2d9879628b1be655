"""A game of 100,000 players at its web services: all orders before a deadline, and pages while a turn closes."""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from services.gateway.accounts import create_account
from services.gateway.tokens import issue_token
from shared.events import split_type, unpack
from shared.host_events import ACCEPTED
from shared.log import START, TURNS, TopicPartition, partition_of
from tests.bench.http_workload import signed_command
from tests.bench.kafka_house import Command, Process, await_
from tests.bench.load import packed
from tests.bench.rows import Bars, Row
from tests.bench.scale_house import Installation, War

PLAYERS = 100_000
TERRITORIES = 1_000
CONNECTIONS = 64
GAME = "bench"
WORKERS = {"WARLEDGER_WORKERS": "2", "WARLEDGER_THREADS": "8", "WARLEDGER_LOG_LEVEL": "warning"}
QUIET_SECONDS = 10.0
_PERCENT = 99


def posts_rows() -> list[Row]:
    """Everybody's order is posted to the intake, as the gateway does; then comes the deadline."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        installation = Installation(Path(name), stack, projected=False)
        orders = stack.enter_context(installation.house.process("services.orders", "orders", WORKERS))
        war = War(installation, GAME, PLAYERS, TERRITORIES)
        stack.callback(war.end)
        installation.create({GAME: war.create})
        given = list(war.first_turn())
        installation.give(item for item in given if item[1][2] != "set_order")
        await_(orders.ready, "the intake is ready")
        key = installation.house.settings.key("calls")
        now = int(time.time() * 1000)
        file = Path(name) / "requests"
        file.write_bytes(packed([_signed(key, command, now) for _, command in given if command[2] == "set_order"]))
        command = [sys.executable, "-m", "tests.bench.posts", str(orders.port), str(CONNECTIONS), str(file)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
        acknowledged, seconds = (float(text) for text in done.stdout.split())
        closed = installation.close([GAME], ahead=0.5)
        in_time = _orders_before_the_close(installation)
    job = f"{PLAYERS:,} orders posted by {CONNECTIONS} connections before one deadline, share acknowledged and in time"
    note = f"{acknowledged:,.0f} acknowledged at {acknowledged / seconds:,.0f}/s, {in_time:,} in time, closed"
    return [Row(job, Bars("min", 1, 1), [min(acknowledged, in_time) / PLAYERS], f"{note} {closed.judged:.1f} s later")]


def _signed(key: bytes, command: Command, now: int) -> bytes:
    actor, _, type_, payload = command
    return signed_command(key, actor, GAME, type_, payload, now)


def _orders_before_the_close(installation: Installation) -> int:
    """Players whose order the journal accepts before the first certificate."""
    reader = installation.house.log.reader()
    reader.assign({TopicPartition(TURNS, partition_of(GAME)): START})
    players: set[str] = set()
    while records := reader.poll(0):
        for record in records:
            for event in unpack(record.value).events:
                if event.type == ACCEPTED and event.data["input"]["type"] == "set_order":
                    players.add(event.data["input"]["actor"])
                elif split_type(event.type).name == "resolution.certified":
                    reader.close()
                    return len(players)
    raise RuntimeError("the turn was not closed")


class Read(NamedTuple):
    """When an answer came, and how many seconds it took."""

    at: float
    seconds: float


def reads_rows() -> list[Row]:
    """Map, roster and report of a player, one after the other, in a quiet turn and from a deadline to the last view."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        installation = Installation(Path(name), stack)
        gateway = stack.enter_context(installation.house.process("services.gateway", "gateway", WORKERS))
        war = War(installation, GAME, PLAYERS, TERRITORIES)
        stack.callback(war.end)
        installation.create({GAME: war.create})
        account = create_account(installation.house.documents, "reader", "player", None)
        token = issue_token(installation.house.documents, account.id, account.role).token
        installation.give(war.first_turn())
        team = next(iter(war.create["teams"]))
        installation.give([(GAME, (account.id, "player", "join", {"team": team}))])
        installation.settle()
        installation.close([GAME], ahead=2)
        installation.give(war.next_turn())
        installation.settle()
        await_(gateway.ready, "the gateway is ready")
        with _reading(gateway, token) as reads:
            time.sleep(QUIET_SECONDS)
            quiet = len(reads)
            begun = time.time() + 2
            closed = installation.close([GAME], ahead=2)
        meanwhile = [read.seconds for read in reads if begun <= read.at <= begun + closed.shown]
        before = [read.seconds for read in reads[quiet // 10 : quiet]]
        ends = _point(meanwhile), _point(before)
    job = f"map, roster and report, {PLAYERS:,} players, read while a turn closes, 99 % point against a quiet turn"
    note = f"{1000 * ends[0]:.0f} ms of {len(meanwhile)} against {1000 * ends[1]:.0f} ms of {len(before)}"
    return [Row(job, Bars("max", 5, 2), [ends[0] / ends[1]], note)]


@contextmanager
def _reading(gateway: Process, token: str) -> Iterator[list[Read]]:
    """Reads that one connection makes during the block, without a pause."""
    reads: list[Read] = []
    stop = threading.Event()
    faults: list[str] = []

    def work() -> None:
        connection = HTTPConnection("127.0.0.1", gateway.port, timeout=60)
        for page in cycle(("map", "roster", "turns/1?limit=100")):
            if stop.is_set():
                break
            begun = time.perf_counter()
            connection.request("GET", f"/games/{GAME}/{page}", headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                faults.append(f"{page}: {answer.status} {body[:200]!r}")
                break
            reads.append(Read(time.time(), time.perf_counter() - begun))
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield reads
    finally:
        stop.set()
        thread.join()
    if faults:
        raise RuntimeError(faults[0])


def _point(seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) * _PERCENT // 100]
