"""A whole installation in one process: gateway, intakes, resolver and projector on real files, without sockets."""

import threading
from itertools import count
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from flask import Flask
from werkzeug.test import TestResponse

from services.gateway.accounts import AccountRole, Passwords, create_account
from services.gateway.app import create_app
from services.gateway.bootstrap import context_of
from services.gateway.connections import Reply
from services.gateway.forwarding import Intakes
from services.gateway.tokens import Scope, issue_token
from services.resolver.hosting.judging import Context
from services.resolver.hosting.secrets import MasterKey
from services.resolver.loop import Resolver
from services.resolver.projector.loop import Projector
from services.resolver.sequencer import Services
from services.resolver.settings import Pace
from services.resolver.snapshotting import Snapshots
from shared.calls import Caller
from shared.clock import SystemClock
from shared.commands import WRITERS
from shared.config import Settings, from_environment, make_keys
from shared.documents.sqlite import SqliteDocuments
from shared.intake.admission import Admission
from shared.log import TICKS
from shared.log.sqlite import SqliteLog
from shared.signing import Keyring, Signer
from tests.unit.intake.apps import app_of
from warledger.maps import map_named

CHEAP = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
_numbers = count(1)


class LocalIntakes(Intakes):
    """Intakes that are called in this process. `calls` counts the calls."""

    def __init__(self, settings: Settings, documents: SqliteDocuments) -> None:
        super().__init__(settings.urls, settings.key("calls"), SystemClock())
        self.logs: list[SqliteLog] = []
        self._apps: dict[str, Flask] = {}
        self.calls = 0
        for service, topic in WRITERS.items():
            log = SqliteLog(settings.log_folder, Signer(service, settings.key(service)), None, SystemClock())
            admission = Admission(topic, log, documents, settings.key("salt"), SystemClock())
            self._apps[service] = app_of(service, admission, settings.key("calls"))
            self.logs.append(log)

    def _post(self, service: str, path: str, caller: Caller, body: bytes, traceparent: str) -> Reply:
        self.calls += 1
        headers = self._headers(caller, path, body, traceparent)
        answer = self._apps[service].test_client().post(path, data=body, headers=headers)
        return Reply(answer.status_code, {name.lower(): item for name, item in answer.headers}, answer.get_data())


class Player:
    """Somebody with a token, or without one."""

    def __init__(self, app: Flask, token: str | None = None, account: str = "") -> None:
        self._client = app.test_client()
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.account = account
        self.token = token

    def get(self, path: str, **headers: str) -> TestResponse:
        named = {name.replace("_", "-"): item for name, item in headers.items()}
        return self._client.get(path, headers={**self._headers, **named})

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        named = {name.replace("_", "-"): item for name, item in headers.items()}
        return self._client.open(path, method=method, json=body, headers={**self._headers, **named})

    def post(self, path: str, body: Any, **headers: str) -> TestResponse:
        return self.send("POST", path, body, **headers)

    def command(self, game: str, type: str, payload: Any = None, **headers: str) -> TestResponse:
        return self.post(f"/games/{game}/commands", {"type": type, "payload": payload or {}}, **headers)

    def raw(self, method: str, path: str, data: bytes, content_type: str) -> TestResponse:
        return self._client.open(path, method=method, data=data, content_type=content_type, headers=self._headers)


class House:
    """The installation; while `running` everything is judged and shown as it comes."""

    def __init__(self, folder: Path, *, role: str = "gateway", **environment: str) -> None:
        self.settings = from_environment({"WARLEDGER_DATA": str(folder), **_QUIET, **environment})
        make_keys(self.settings)
        self.documents = SqliteDocuments(self.settings.docs_folder)
        self.intakes = LocalIntakes(self.settings, self.documents)
        self.context = context_of(self.settings, self.documents, role=role, passwords=CHEAP, intakes=self.intakes)
        self.app = create_app(self.context)
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._parts: list[Resolver | Projector] = []

    def run(self) -> None:
        """Start resolver and projector, each on a thread."""
        for part in (self._resolver(), self._projector()):
            thread = threading.Thread(target=part.run, args=(self._stop,), daemon=True)
            thread.start()
            self._threads.append(thread)
            self._parts.append(part)

    def _resolver(self) -> Resolver:
        keyring = Keyring({name: self.settings.key(name) for name in (*WRITERS, TICKS)})
        log = SqliteLog(self.settings.log_folder, Signer(TICKS, self.settings.key(TICKS)), keyring, SystemClock())
        context = Context(MasterKey(self.settings.secret_file), self._blob)
        self.intakes.logs.append(log)
        return Resolver(Services(log, Snapshots(self.documents), context, SystemClock(), Pace()), "test")

    def _projector(self) -> Projector:
        log = SqliteLog(self.settings.log_folder, None, None, SystemClock())
        self.intakes.logs.append(log)
        return Projector(log, self.documents, "test")

    def _blob(self, sha256: str) -> bytes | None:
        found = self.documents.get("blobs", [sha256]).get(sha256)
        return None if found is None else str(found.body["text"]).encode()

    def close(self) -> None:
        """Stop what runs."""
        self.context.watch.stop()
        self._stop.set()
        for thread in self._threads:
            thread.join(10)
        for part in self._parts:
            part.close()
        for log in self.intakes.logs:
            log.close()
        self.documents.close()

    def nobody(self) -> Player:
        return Player(self.app)

    def somebody(self, role: AccountRole = "player", scope: Scope | None = None) -> Player:
        """A new account with a token."""
        account = create_account(self.documents, f"somebody {next(_numbers)}", role, None)
        token = issue_token(self.documents, account.id, role, scope).token
        return Player(self.app, token, account.id)

    def war(self, operator: Player, start: bool = True, **config: Any) -> str:
        """A war of red and blue on eight territories, attacks allowed from the first turn. Returns its id."""
        board = map_named("small-eight")
        territories = sorted(board.territories)
        teams = {
            "red": {"name": "Red", "territories": territories[:4]},
            "blue": {"name": "Blue", "territories": territories[4:]},
        }
        game = f"war-{next(_numbers)}"
        creation = {"map": board.document(), "teams": teams, "config": {"recruitment_turns": 0, **config}}
        answer = operator.post("/games", {"id": game, "game": "gxc", "create": creation})
        assert answer.status_code == 201, answer.get_data(as_text=True)
        if start:
            assert operator.command(game, "start_game").status_code == 201
        return game

    def recruit(self, game: str, team: str, territory: str) -> Player:
        """A new player who joined, stands on a territory, and energized."""
        player = self.somebody()
        for type, payload in (("join", {"team": team}), ("place", {"territory": territory}), ("energize", {})):
            answer = player.command(game, type, payload)
            assert answer.status_code == 201, answer.get_data(as_text=True)
        return player


_QUIET = {
    "WARLEDGER_LOGINS_A_MINUTE": "100000",
    "WARLEDGER_REGISTRATIONS_AN_HOUR": "100000",
    "WARLEDGER_COMMANDS_A_MINUTE": "1000000",
    "WARLEDGER_WAIT_MS": "20000",
}
