"""An installation in a folder whose log and documents count: its resolver and projector run in this process."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from services.resolver.hosting.judging import Context
from services.resolver.loop import Resolver
from services.resolver.projector.loop import Projector
from services.resolver.sequencer import Services
from services.resolver.settings import Pace
from services.resolver.snapshotting import Entry, Fresh, Snapshots
from shared.events import Submitted, input_id
from shared.log import TICKS, Draft
from shared.rules.interface import Role
from shared.signing import Keyring, Signer
from tests.operations.counting import CountedDocuments, CountedLog, Counts
from tests.unit.resolver.hosting.table import KEY, master_key
from tests.unit.resolver.house import KEYS, NO_CREDIT, FixedSecrets, HandClock

GAME = "war"
A_CALL = 500
"""Inputs that are appended at once, as the intake does under load."""
Command = tuple[str, Role, str, Mapping[str, Any]]
"""Actor, role, type and payload."""


class _SnapshotsAtOnce(Snapshots):
    """Stored by the thread that asks, so that the same is stored in every run."""

    def save_beside(self, partition: int, offset: int, games: Sequence[Fresh]) -> Future[list[Entry]]:
        stored: Future[list[Entry]] = Future()
        stored.set_result(self.save(partition, offset, games))
        return stored


class Installation:
    """Everything that is counted goes to `counts`; time passes when the clock is set."""

    def __init__(self, folder: Path, counts: Counts) -> None:
        self.counts = counts
        self.clock = HandClock()
        folder.mkdir(parents=True, exist_ok=True)
        master_key(folder)
        self._given = 0
        self._intake = self._log(folder, "orders")
        self._judging = self._log(folder, TICKS)
        self._documents = CountedDocuments(folder / "docs")
        self._documents.counts = self.counts
        services = Services(
            log=self._judging,
            snapshots=_SnapshotsAtOnce(self._documents),
            context=Context(FixedSecrets(folder / f"{KEY[:4]}.key"), lambda _sha256: None),
            clock=self.clock,
            pace=replace(Pace(), credit=NO_CREDIT, snapshot_rest=0),
        )
        self._resolver = Resolver(services, "resolver")
        self._projector = Projector(self._judging, self._documents, "projector")
        self.settle()

    def give(self, commands: Iterable[Command]) -> None:
        """Append these inputs to the topic `orders`, each signed by its intake."""
        given = iter(commands)
        while part := list(islice(given, A_CALL)):
            self._intake.append("orders", [self._draft(*command) for command in part])

    def settle(self) -> None:
        """Let resolver and projector work until neither reads anything any more."""
        quiet = 0
        while quiet < 2:
            before = self.counts["records read"]
            self._resolver.round(0)
            self._projector.round(0)
            quiet = quiet + 1 if self.counts["records read"] == before else 0

    def close(self) -> None:
        """End both, which stores a snapshot of every game, and close the files."""
        self._projector.close()
        self._resolver.close()
        self._documents.close()
        for log in (self._intake, self._judging):
            log.close()

    def _log(self, folder: Path, signer: str) -> CountedLog:
        log = CountedLog(folder / "log", Signer(signer, KEYS[signer]), Keyring(KEYS), self.clock)
        log.counts = self.counts
        return log

    def _draft(self, actor: str, role: Role, type: str, payload: Mapping[str, Any]) -> Draft:
        self._given += 1
        salt = hashlib.sha256(str(self._given).encode()).hexdigest()[:32]
        id = input_id(GAME, actor, str(self._given))
        return Draft(GAME, Submitted(id, GAME, actor, role, type, payload, salt).value(), {"ce_id": id})
