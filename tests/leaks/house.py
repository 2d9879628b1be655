"""A whole installation whose clock, keys and random draws are in the test's hand, so that two of them can be compared
byte for byte: the same story gives the same bytes."""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from flask import Flask

from services.gateway.accounts import Passwords
from services.gateway.app import create_app
from services.gateway.bootstrap import STREAMS, context_of
from services.gateway.connections import Reply
from services.gateway.context import Context as GatewayContext
from services.gateway.forwarding import Intakes
from services.resolver.hosting.judging import Context
from services.resolver.loop import Resolver
from services.resolver.projector.loop import Projector
from services.resolver.sequencer import Services
from services.resolver.snapshotting import Snapshots
from shared.calls import Caller
from shared.commands import WRITERS
from shared.config import KEY_NAMES, Settings, from_environment
from shared.documents import Document
from shared.documents.sqlite import SqliteDocuments
from shared.intake.admission import Admission
from shared.log import CHRONICLE, PARTITIONS, START, TICKS, Log, Record, TopicPartition
from shared.log.sqlite import SqliteLog
from shared.signing import Keyring, Signer
from tests.unit.intake.apps import app_of
from tests.unit.resolver.house import UNHURRIED, FixedSecrets, HandClock

BEGIN = 1_700_000_000_000
"""When every story begins, UTC milliseconds."""
_LIMITS = {"WARLEDGER_LOGINS_A_MINUTE": "100000", "WARLEDGER_REGISTRATIONS_AN_HOUR": "100000"}


class House:
    """Gateway, streams, intakes, resolver and projector on real files; everything is stepped by the test."""

    def __init__(self, folder: Path) -> None:
        self.settings = from_environment({"WARLEDGER_DATA": str(folder), "WARLEDGER_WAIT_MS": "0", **_LIMITS})
        _write_keys(self.settings)
        self.clock = HandClock(BEGIN)
        self.documents = SqliteDocuments(self.settings.docs_folder)
        self.logs: list[SqliteLog] = []
        self.stepping = True
        intakes = _LocalIntakes(self)
        self.gateway = self._context("gateway", intakes)
        self._streams = self._context(STREAMS, intakes)
        for context in (self.gateway, self._streams):
            _never_wait(context)
        self.apps = {"gateway": create_app(self.gateway), STREAMS: create_app(self._streams)}
        keyring = Keyring({name: self.settings.key(name) for name in (*WRITERS, TICKS)})
        secrets_ = FixedSecrets(self.settings.secret_file)
        log = self.log(TICKS, keyring)
        services = Services(log, Snapshots(self.documents), Context(secrets_, self._blob), self.clock, UNHURRIED)
        self._resolver = Resolver(services, "test")
        self._projector = Projector(log, self.documents, "test")
        self._watch: Log = log

    def log(self, signer: str, keyring: Keyring | None = None) -> SqliteLog:
        """A log as the process with this key opens it."""
        made = SqliteLog(self.settings.log_folder, Signer(signer, self.settings.key(signer)), keyring, self.clock)
        self.logs.append(made)
        return made

    def step(self) -> None:
        """Judge and show everything that is there."""
        for _ in range(3):
            self._resolver.round(0)
        self._projector.round(0)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is sent meanwhile is judged together at the end."""
        self.stepping = False
        yield
        self.stepping = True
        self.step()

    def account(self, name: str, role: str = "player") -> tuple[str, str]:
        """Id and token of a new account; both follow from the name."""
        id = f"u{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        body = {"name": name, "role": role, "email": None, "password": None, "created_at": BEGIN}
        assert self.documents.insert("accounts", Document(id, 1, body))
        return id, self.gateway.tokens.issue(id, "operator" if role == "operator" else "player", None).token

    def chronicle(self) -> list[Record]:
        """Every record of the chronicle."""
        reader = self._watch.reader()
        reader.assign({TopicPartition(CHRONICLE, number): START for number in range(PARTITIONS)})
        found: list[Record] = []
        while more := reader.poll(0, 10_000):
            found += more
        reader.close()
        return found

    def close(self) -> None:
        """Close every file."""
        for context in (self.gateway, self._streams):
            context.watch.stop()
        self._resolver.close()
        self._projector.close()
        for log in self.logs:
            log.close()
        self.documents.close()

    def _context(self, role: str, intakes: Intakes) -> GatewayContext:
        return context_of(
            self.settings,
            self.documents,
            role=role,
            clock=self.clock,
            passwords=Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)),
            intakes=intakes,
        )

    def _blob(self, sha256: str) -> bytes | None:
        found = self.documents.get("blobs", [sha256]).get(sha256)
        return None if found is None else str(found.body["text"]).encode()


class _LocalIntakes(Intakes):
    """Intakes that are called in this process; what they took is judged before they answer."""

    def __init__(self, house: House) -> None:
        super().__init__(house.settings.urls, house.settings.key("calls"), house.clock)
        self._house = house
        self._apps: dict[str, Flask] = {}
        for service, topic in WRITERS.items():
            admission = Admission(topic, house.log(service), house.documents, house.settings.key("salt"), house.clock)
            self._apps[service] = app_of(service, admission, house.settings.key("calls"))

    def _post(self, service: str, path: str, caller: Caller, body: bytes, traceparent: str) -> Reply:
        headers = self._headers(caller, path, body, traceparent)
        answer = self._apps[service].test_client().post(path, data=body, headers=headers)
        if self._house.stepping:
            self._house.step()
        return Reply(answer.status_code, {name.lower(): item for name, item in answer.headers}, answer.get_data())


def _write_keys(settings: Settings) -> None:
    """Keys that follow from their names."""
    for path in [settings.secret_file, *(settings.keys / f"{name}.key" for name in KEY_NAMES)]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(hashlib.sha256(path.name.encode()).hexdigest() + "\n")
        path.chmod(0o600)


def _never_wait(context: GatewayContext) -> None:
    """A stream ends where it would begin to wait."""
    watch = context.watch

    class _Nothing:
        version = 0
        mark = None

        def wait(self, _seen: int, _seconds: float) -> bool:
            watch.stopping = True
            return True

    @contextmanager
    def on(_game: str) -> Iterator[_Nothing]:
        watch.stopping = False
        yield _Nothing()

    context.watch.on = on  # type: ignore[method-assign, assignment]


def pin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dice of a resolution follow from its label alone, so that inputs nobody sees cannot be seen in them."""
    monkeypatch.setattr(
        "services.resolver.hosting.draws.resolution_seed",
        lambda _seed, game, label, _digest: hashlib.sha256(f"{game}|{label}".encode()).digest(),
    )


class Drawn:
    """In place of the random source of `secrets`: begins anew with each request."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begin("")
        monkeypatch.setattr(secrets, "token_bytes", self._bytes)
        monkeypatch.setattr(secrets, "token_hex", lambda count=32: self._bytes(count).hex())
        monkeypatch.setattr(secrets, "token_urlsafe", lambda count=32: self._bytes(count).hex())

    def begin(self, seed: str) -> None:
        """What is drawn from here on follows from this seed."""
        self._seed, self._count = seed, 0

    def _bytes(self, count: int | None = None) -> bytes:
        self._count += 1
        return hashlib.shake_256(f"{self._seed}|{self._count}".encode()).digest(count or 32)
