"""A resolver on a real log and real documents in a folder, with a clock in the test's hand and the toy game."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.resolver.hosting.judging import Context
from services.resolver.hosting.secrets import MasterKey
from services.resolver.loop import Resolver
from services.resolver.sequencer import Services
from services.resolver.settings import CreditPolicy, Pace
from services.resolver.snapshotting import Snapshots
from shared.canonical import parse
from shared.commands import commands_of
from shared.documents.sqlite import SqliteDocuments
from shared.events import JournalEvent, Submitted, input_id, unpack
from shared.log import (
    CHRONICLE,
    DEAD_LETTERS,
    INPUT_TOPICS,
    PARTITIONS,
    TICKS,
    TURNS,
    Coordinates,
    Draft,
    Record,
    TopicPartition,
)
from shared.log import START as LOG_START
from shared.log.sqlite import SqliteLog
from shared.rules.interface import Registration, Role
from shared.signing import Keyring, Signer
from tests.unit.resolver.hosting.table import KEY, master_key
from tests.unit.resolver.hosting.toy import TOY_1, TOY_2, TURN_MS

START = 1_000_000
"""When every test begins, UTC milliseconds."""
KEYS = {name: hashlib.sha256(name.encode()).digest() for name in ("orders", "polls", "economy", TICKS)}
TOPIC_OF = {"chat": "votes"}
SIGNER_OF = {"orders": "orders", "votes": "polls", "trades": "economy"}
NO_CREDIT = CreditPolicy(gap_ms=10**12)
UNHURRIED = replace(Pace(), credit=NO_CREDIT, tick_again_ms=0, retry_ms=0, idle_ms=0)
"""Pace of tests that are about something else: no credit, no pauses."""


class HandClock:
    """A clock that a test sets."""

    def __init__(self, now: int = START) -> None:
        self.time = now

    def now(self) -> int:
        return self.time


class FixedSecrets(MasterKey):
    """A master key whose salts and nonces follow from the game, so that two runs can be compared."""

    def new_salt(self, game: str, number: int) -> str:
        return hashlib.sha256(f"{game} salt {number}".encode()).hexdigest()[:32]

    def new_nonce(self, game: str, k: int) -> str:
        return hashlib.sha256(f"{game} nonce {k}".encode()).hexdigest()[:32]


def install_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the toy the one game of registry and command table."""
    versions = (Registration("toy", "1", lambda: TOY_1), Registration("toy", "2", lambda: TOY_2))
    monkeypatch.setattr("shared.rules.GAMES", versions)
    monkeypatch.setattr("shared.commands.GAMES", versions)
    commands_of.cache_clear()


_open: "list[House]" = []


def close_houses() -> None:
    """Close the files of every house that was built."""
    while _open:
        _open.pop().close()


class House:
    """One installation: the log's files, the documents, and at most one resolver at work."""

    def __init__(self, folder: Path, pace: Pace = UNHURRIED) -> None:
        self._logs: list[SqliteLog] = []
        _open.append(self)
        self.folder = folder
        self.pace = pace
        self.clock = HandClock()
        self.keyring = Keyring(KEYS)
        self.documents = SqliteDocuments(folder / "docs")
        folder.mkdir(exist_ok=True)
        master_key(folder)
        self._writers = {name: self.log(name) for name in KEYS}
        self.count = 0
        self._watcher = self._writers[TICKS].reader()
        topics = (TURNS, DEAD_LETTERS, *INPUT_TOPICS)
        everywhere = [TopicPartition(topic, number) for topic in topics for number in range(PARTITIONS)]
        self._watcher.assign(dict.fromkeys(everywhere, LOG_START))
        self.resolver = self.new_resolver()

    def log(self, signer: str) -> SqliteLog:
        """A log as the process with this key opens it."""
        self._logs.append(SqliteLog(self.folder / "log", Signer(signer, KEYS[signer]), self.keyring, self.clock))
        return self._logs[-1]

    def close(self) -> None:
        """Close every file."""
        self._watcher.close()
        for log in self._logs:
            log.close()
        self.documents.close()

    def new_resolver(self, pace: Pace | None = None) -> Resolver:
        """Another resolver on the same files; it is not used before it is asked for a round."""
        secrets = FixedSecrets(self.folder / f"{KEY[:4]}.key")
        services = Services(
            log=self.log(TICKS),
            snapshots=Snapshots(self.documents),
            context=Context(secrets, lambda sha256: None),
            clock=self.clock,
            pace=pace or self.pace,
        )
        return Resolver(services, "test")

    def restart(self) -> None:
        """Forget the resolver as if it was killed, and begin with another one."""
        self.resolver = self.new_resolver()

    def submitted(
        self, game: str, actor: str, type: str, payload: Mapping[str, Any], key: str | None = None
    ) -> Submitted:
        """An input as an intake makes it; `op` is the operator."""
        self.count += 1
        role: Role = "operator" if actor == "op" else "player"
        salt = hashlib.sha256(str(self.count).encode()).hexdigest()[:32]
        return Submitted(input_id(game, actor, key or str(self.count)), game, actor, role, type, payload, salt)

    def say(
        self, game: str, actor: str, type: str, /, *, at: int | None = None, key: str | None = None, **payload: Any
    ) -> Coordinates:
        """Append an input; with `at` the clock is set to that time first."""
        if at is not None:
            self.clock.time = at
        return self.send(self.submitted(game, actor, type, payload, key), TOPIC_OF.get(type, "orders"))

    def send(self, submitted: Submitted, topic: str, signer: str | None = None) -> Coordinates:
        """Append an input to a topic, signed by its intake or by somebody else."""
        return self.write(submitted.game, submitted.value(), topic, signer)

    def write(self, key: str, value: bytes, topic: str, signer: str | None = None) -> Coordinates:
        """Append any bytes to a topic."""
        writer = self._writers[signer or SIGNER_OF[topic]]
        return writer.append(topic, [Draft(key, value, {"ce_id": "x"})])[0]

    def create(self, game: str, *names: str, at: int | None = None) -> None:
        self.say(game, "op", "create_game", at=at, game="toy", rules="1", create={"names": list(names)})

    def open(self, game: str, at: int | None = None) -> int:
        """Create a game and open its first turn; returns its deadline."""
        self.create(game, at=at)
        return self.say(game, "op", "start").at + TURN_MS

    def settle(self, at: int | None = None) -> None:
        """Let the resolver work until nothing more happens."""
        if at is not None:
            self.clock.time = at
        quiet = 0
        while quiet < 2:
            self.resolver.round(0)
            quiet = 0 if self._watcher.poll(0) else quiet + 1

    def records(self, topic: str) -> list[Record]:
        """Every record of a topic, by partition."""
        reader = self._writers[TICKS].reader()
        reader.assign({TopicPartition(topic, number): LOG_START for number in range(PARTITIONS)})
        found: list[Record] = []
        while more := reader.poll(0, 100_000):
            found += more
        reader.close()
        return sorted(found, key=lambda record: (record.partition, record.offset))

    def journal(self, game: str) -> list[JournalEvent]:
        return self._events(TURNS, game)

    def chronicle(self, game: str) -> list[JournalEvent]:
        return self._events(CHRONICLE, game)

    def _events(self, topic: str, game: str) -> list[JournalEvent]:
        batches = [unpack(record.value) for record in self.records(topic) if record.key == game]
        return [event for batch in batches for event in batch.events]

    def told(self, game: str) -> list[str]:
        """The journal in short: judgements with type (and code), other events by name."""
        return [_short(event) for event in self.journal(game)]

    def dead_letters(self) -> list[dict[str, Any]]:
        return [parse(record.value) for record in self.records(DEAD_LETTERS)]


def _short(event: JournalEvent) -> str:
    name = event.type.removeprefix("warledger.").rpartition(".v")[0].partition(".")[2]
    if not name.startswith("input."):
        return name
    code = f" {event.data['code']}" if "code" in event.data else ""
    return f"{name.removeprefix('input.')} {event.data['input']['type']}{code}"
