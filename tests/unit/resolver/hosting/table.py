"""A host at work in a test: one game, its journal and chronicle, a master key, and stored data."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judging import Context, Judged, judge, judge_clock
from services.resolver.hosting.secrets import MasterKey
from shared.canonical import canonical, parse, sha256_hex
from shared.events import JournalEvent, Submitted, pack, unpack
from shared.rules.interface import Registration, Role
from tests.unit.resolver.hosting.toy import TOY_1, TOY_2

KEY = "5e" * 32


def master_key(folder: Path, key: str = KEY) -> MasterKey:
    path = folder / f"{key[:4]}.key"
    if not path.exists():
        path.write_text(key + "\n")
        path.chmod(0o600)
    return MasterKey(path)


def install_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put both versions of the toy game into the registry."""
    versions = (Registration("toy", "1", lambda: TOY_1), Registration("toy", "2", lambda: TOY_2))
    monkeypatch.setattr("shared.rules.GAMES", versions)


class Table:
    """Judges inputs of one game and keeps what they write."""

    def __init__(self, folder: Path, game: str = "g1", kind: str = "toy", key: str = KEY) -> None:
        self.folder = folder
        self.id = game
        self.kind = kind
        self.game: HostedGame | None = None
        self.stored: dict[str, bytes] = {}
        self.context = Context(master_key(folder, key), self.stored.get)
        self.journal: list[JournalEvent] = []
        self.chronicle: list[JournalEvent] = []
        self.count = 0

    @property
    def hosted(self) -> HostedGame:
        assert self.game is not None
        return self.game

    def store(self, value: Any) -> str:
        """Store large data; returns its SHA-256."""
        text = canonical(value)
        self.stored[sha256_hex(text)] = text
        return sha256_hex(text)

    def submitted(
        self, actor: str, type: str, payload: Mapping[str, Any], *, role: Role = "player", id: str | None = None
    ) -> Submitted:
        self.count += 1
        return Submitted(
            id or f"i-{self.count}", self.id, actor, role, type, payload, sha256_hex(str(self.count).encode())[:32]
        )

    def create(self, create: Any, at: int = 1000, **extra: Any) -> Judged:
        payload = {"game": self.kind, "rules": "1", "create": create, **extra}
        return self.take(self.submitted("op", "create_game", payload, role="operator"), at)

    def say(self, actor: str, type: str, at: int, **payload: Any) -> Judged:
        role: Role = "operator" if actor == "op" else "player"
        return self.take(self.submitted(actor, type, payload, role=role), at)

    def take(self, submitted: Submitted, at: int) -> Judged:
        return self.keep(judge(self.game, submitted, at, self.context))

    def run_clock(self, until: int) -> None:
        """Apply every deadline up to and with `until`."""
        while (due := self.hosted.due()) is not None and due.at <= until:
            self.keep(judge_clock(self.hosted, due, self.context))

    def keep(self, judged: Judged) -> Judged:
        """Remember the events as a committed log would."""
        self.game = judged.game
        self.journal += [_stored(event) for event in judged.events]
        self.chronicle += told(judged)
        return judged


def _stored(event: JournalEvent) -> JournalEvent:
    """The event as it is read again from its bytes."""
    return unpack(pack("any", [event])[0]).events[0]


def told(judged: Judged) -> list[JournalEvent]:
    """The events that the chronicle gets."""
    read = [parse(line) for line in judged.chronicle_lines]
    assert not read or read[0]["n"] == judged.first_told
    return [JournalEvent(event["n"], event["type"], event["data"], tuple(event["to"])) for event in read]


def names(judged: Judged) -> list[str]:
    """Names of the journal events without prefix and version."""
    return [event.type.split(".", 2)[2].rpartition(".")[0] for event in judged.events]


def code_of(judged: Judged) -> str:
    """`accepted`, `repeated`, or the code of the refusal."""
    return str(judged.events[0].data.get("code", judged.verdict))
