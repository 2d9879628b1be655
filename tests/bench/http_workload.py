"""Web services under load: their processes, the requests, and the client that sends them."""

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from services.gateway.accounts import create_account
from services.gateway.tokens import issue_token
from services.resolver.bootstrap import build as build_resolver
from services.resolver.projector.bootstrap import build as build_projector
from shared.calls import Caller, call_headers
from shared.canonical import canonical
from shared.clock import SystemClock
from shared.config import Settings, from_environment
from shared.intake.batch import COMMANDS
from tests.bench.load import packed
from warledger.api import Client
from warledger.commands.up import prepare
from warledger.demo.installation import free_ports
from warledger.local import local_documents
from warledger.maps import map_named

GAME = "bench"
WORKERS = 2
THREADS = 8
CONNECTIONS = 16
SECONDS = 1.5
REQUESTS = 6_000
"""More than one run sends, so that each is an input of its own."""
PLAYERS = 32
_READY_SECONDS = 20.0
ASYNC = {"Prefer": "respond-async"}


@contextmanager
def server(port: int, module: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Iterator[int]:
    """A server as a process of its own, from when it listens until the end of the block; yields its port."""
    command = [sys.executable, "-m", module, *arguments]
    process = subprocess.Popen(command, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


@contextmanager
def peer(port: int, app: str, environment: Mapping[str, str] | None = None) -> Iterator[int]:
    """A Flask app under gunicorn as it comes, with as many workers and threads as our services have."""
    gunicorn = ("-k", "gthread", "-w", str(WORKERS), "--threads", str(THREADS), "--keep-alive", "30")
    place = ("-b", f"127.0.0.1:{port}", "--log-level", "warning", app)
    with server(port, "gunicorn", *gunicorn, *place, environment=environment):
        yield port


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + _READY_SECONDS
    while time.monotonic() < end and process.poll() is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/livez")
            connection.getresponse()
            return
        except OSError:
            time.sleep(0.02)
        finally:
            connection.close()
    raise RuntimeError(f"no server answers on port {port}")


def environment_of(folder: Path) -> dict[str, str]:
    """The variables of an installation under load."""
    return {
        "WARLEDGER_DATA": str(folder / "data"),
        "WARLEDGER_WORKERS": str(WORKERS),
        "WARLEDGER_THREADS": str(THREADS),
        "WARLEDGER_COMMANDS_A_MINUTE": "1000000",
        "WARLEDGER_LOG_LEVEL": "warning",  # the peer's: neither says a line of what it answered
        **free_ports(),
    }


class House:
    """The orders service, the gateway and the hello server with the same settings, and a running war of some players.

    What the load sends is stored and not judged: the resolver and the projector worked before, in this process.
    """

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        environment = environment_of(folder)
        settings = from_environment({**os.environ, **environment})
        prepare(settings)
        self._file = folder / "requests"
        self._key = settings.key("calls")
        self._clock = SystemClock()
        self.orders, self.gateway = settings.ports["orders"], settings.ports["gateway"]
        self.hello = settings.ports["streams"]
        stack.enter_context(server(self.orders, "services.orders", environment=environment))
        stack.enter_context(server(self.gateway, "services.gateway", environment=environment))
        stack.enter_context(peer(self.hello, "tests.bench.hello:app"))
        self._players = players_of(settings, PLAYERS)
        operator = operator_of(settings)
        operator.post("/games", creation(), headers=ASYNC)
        judge_here(settings, lambda: operator.request("GET", f"/games/{GAME}").status == 200)

    def hello_rate(self) -> float:
        """GETs of the hello server answered a second."""
        return self._rate(self.hello, [HELLO])

    def orders_rate(self) -> float:
        """Commands stored a second by the orders service, each signed as the gateway signs."""
        return self._rate(self.orders, [self._call(number) for number in range(REQUESTS)])

    def gateway_rate(self) -> float:
        """The same commands, sent by players to the gateway with `Prefer: respond-async`."""
        return self._rate(self.gateway, [self._post(number) for number in range(REQUESTS)])

    def _rate(self, port: int, requests: Sequence[bytes]) -> float:
        return rate(port, requests, self._file)

    def _call(self, number: int) -> bytes:
        account, _ = self._players[number % PLAYERS]
        return signed_call(self._key, account, number, self._clock.now())

    def _post(self, number: int) -> bytes:
        _, token = self._players[number % PLAYERS]
        headers = {"Authorization": f"Bearer {token}", "Prefer": "respond-async"}
        body = canonical({"type": "set_order", "payload": _payload(number)})
        return request_of("POST", f"/games/{GAME}/commands", headers, body)


def rate(port: int, requests: Sequence[bytes], file: Path) -> float:
    """Answers a second while CONNECTIONS send these requests in turn; `file` is room for them."""
    file.write_bytes(packed(list(requests)))
    command = [sys.executable, "-m", "tests.bench.load", str(port), str(SECONDS), str(CONNECTIONS), str(file)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return float(done.stdout.split()[0])


def signed_call(key: bytes, account: str, number: int, now: int) -> bytes:
    """A command as the gateway sends it to the orders service; each is an input of its own."""
    return signed_command(key, account, GAME, "set_order", _payload(number), now)


def signed_command(key: bytes, account: str, game: str, type: str, payload: Mapping[str, Any], now: int) -> bytes:
    """Any command of GXC in that form."""
    command = {"game": game, "kind": "gxc", "rules": "1", "type": type, "payload": payload}
    body = canonical({**command, "key": secrets.token_hex(16)})
    headers = call_headers(key, Caller(account, "player"), COMMANDS, body, now)
    trace = f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"
    return request_of("POST", COMMANDS, {**headers, "traceparent": trace}, body)


def _payload(number: int) -> dict[str, object]:
    target = {"target": f"territory-{number % 1000:03}", "energy": number % 20 + 1}
    return {"move_to": None, "attack": target, "defend": number % 10}


def request_of(method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {item}" for name, item in headers.items())]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


HELLO = request_of("GET", "/hello", {}, b"")
"""What the peer is asked."""


def players_of(settings: Settings, count: int) -> list[tuple[str, str]]:
    """Account and token of so many new players."""
    found = []
    with local_documents(settings) as documents:
        for number in range(count):
            account = create_account(documents, f"player {number:03}", "player", None)
            found.append((account.id, issue_token(documents, account.id, account.role).token))
    return found


def creation() -> dict[str, object]:
    """What POST /games takes for a war of two teams on a small map."""
    board = map_named("small-eight")
    names = sorted(board.territories)
    teams = {"red": {"name": "Red", "territories": names[:4]}, "blue": {"name": "Blue", "territories": names[4:]}}
    create = {"map": board.document(), "teams": teams, "config": {"recruitment_turns": 0}}
    return {"id": GAME, "game": "gxc", "create": create}


def operator_of(settings: Settings) -> Client:
    """The installation's own operator."""
    return Client(settings.urls["gateway"], (settings.keys / "operator.token").read_text().strip())


def judge_here(settings: Settings, shown: Callable[[], bool]) -> None:
    """Judge and show what was sent, by a resolver and a projector of this process: the services under load are alone
    afterwards."""
    resolver, projector = build_resolver(settings), build_projector(settings)
    end = time.monotonic() + _READY_SECONDS
    while not shown():
        if time.monotonic() > end:
            raise RuntimeError("what was sent does not appear in the views")
        resolver.round(0)
        projector.round(0)
    resolver.close()
    projector.close()
