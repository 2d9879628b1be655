"""A resolver by itself, as a process, under a clock that goes faster than the machine's: what intakes append is
appended here, and nobody shows anything."""

import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any

from services.resolver.ticking import ORDERS
from shared import faults
from shared.adapters import open_log
from shared.commands import HOST_COMMANDS, WRITERS
from shared.config import from_environment
from shared.events import JournalEvent, Submitted, input_id
from shared.log import TICKS, Draft, Log, TopicPartition
from shared.log.reading import standing
from shared.rules import rules_of
from shared.rules.interface import Role
from shared.signing import Signer
from tests.faults import service
from tests.faults.houses import ROOT
from tests.faults.proof import journals_in
from tests.faults.service import HastyClock
from tests.faults.waiting import eventually
from warledger.api import JUDGED_WITHIN, Answer, Client
from warledger.commands.up import prepare
from warledger.demo.installation import free_ports

OPERATOR = "operator"
FAR_AHEAD = 10**15
SIGNERS = {topic: signer for signer, topic in WRITERS.items()}


class Judging:
    """An installation of which the resolver alone runs. Its clock goes like the machine's until `hasten` is called."""

    def __init__(self, folder: Path, pace: Mapping[str, Any]) -> None:
        self._fault = folder / "fault"
        self._log_file = folder / "resolver.log"
        self._environment = {
            **os.environ,
            **free_ports(),
            "WARLEDGER_DATA": str(folder / "data"),
            "WARLEDGER_ROLE": "resolver",
            "PYTHONPATH": str(ROOT),
            "FAULTS_PACE": json.dumps(pace),
            faults.FILE_VARIABLE: str(self._fault),
        }
        self.settings = from_environment(self._environment)
        prepare(self.settings)
        self.clock = HastyClock(1, FAR_AHEAD)
        keys = {name: self.settings.key(name) for name in (*WRITERS, TICKS)}
        self._logs: Mapping[str, Log] = {
            topic: open_log(self.settings, signer=Signer(name, keys[name]), keys=keys, clock=self)
            for topic, name in SIGNERS.items()
        }
        self._kinds: dict[str, str] = {}
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Judging":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        for log in self._logs.values():
            log.close()

    def now(self) -> int:
        """The time of the log: UTC milliseconds."""
        return self.clock.now()

    def hasten(self, rate: int) -> None:
        """From now on the clock goes so many times as fast, here and in every resolver that is started."""
        since = self.clock.now()
        self.clock = HastyClock(rate, since)
        self._environment["FAULTS_HASTE"] = f"{rate} {since}"

    def create(self, game: str, kind: str, create: Mapping[str, Any], reminders: Iterable[Mapping[str, int]]) -> None:
        """The creation of a game, by an operator."""
        self._kinds[game] = kind
        version = rules_of(kind).version
        payload = {"game": kind, "rules": version, "create": create, "reminders": list(reminders)}
        self.say(game, OPERATOR, "create_game", payload)

    def say(self, game: str, actor: str, type: str, payload: Mapping[str, Any]) -> None:
        """Append an input as its intake does; nobody waits for its judgement."""
        row = HOST_COMMANDS.get(type) or rules_of(self._kinds[game]).commands[type]
        role: Role = "operator" if actor == OPERATOR else "player"
        id = input_id(game, actor, secrets.token_hex(16))
        submitted = Submitted(id, game, actor, role, type, payload, secrets.token_hex(16))
        self._logs[row.topic].append(row.topic, [Draft(game, submitted.value(), {"ce_id": id})])

    def start(self) -> None:
        """Start the resolver."""
        with self._log_file.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", service.MODULE],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def die_at(self, step: str, meanwhile: Callable[[], object]) -> None:
        """The resolver has died at a named step (shared/faults.py)."""
        assert self.process is not None
        fresh = self._fault.with_suffix(".new")
        fresh.write_text(step)
        fresh.rename(self._fault)
        process = self.process
        eventually(lambda: process.poll() is not None, f"it dies at {step}", 120, meanwhile=meanwhile)
        assert process.returncode == -signal.SIGKILL, self._log_file.read_text()[-2000:]

    def journals(self) -> dict[str, list[JournalEvent]]:
        """The journal of every game."""
        return journals_in(self.settings, self._kinds)

    def longest_silence(self, partition: int) -> int:
        """The longest time between two neighbouring records of `orders` of a partition, in milliseconds."""
        records = standing(self._logs[ORDERS], [TopicPartition(ORDERS, partition)])
        return max(later.at - before.at for before, later in pairwise(records))


class Voice(Client):
    """A player, or the operator, who says it where nobody but the log listens."""

    def __init__(self, house: Judging, actor: str) -> None:
        super().__init__("http://127.0.0.1:1")
        self._house = house
        self._actor = actor

    def command(
        self,
        game: str,
        type: str,
        payload: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
        wait: bool = True,
    ) -> Answer:
        self._house.say(game, self._actor, type, payload or {})
        return Answer(202, {}, {})

    def judged(self, answer: Answer, seconds: float = JUDGED_WITHIN, *, every: float = 0.0) -> Answer:
        """It is judged when there is a resolver."""
        return answer
