"""Processes of an installation for the rows that measure them: each by itself, with its log."""

import os
import re
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from shared.adapters import kafka_place, open_documents, open_log
from shared.calls import Caller
from shared.clock import SystemClock
from shared.config import from_environment
from shared.errors import Problem
from shared.intake.admission import Admission, Call
from shared.log.kafka_topics import apply
from shared.logs import configure
from shared.rules.interface import Role
from shared.signing import Signer
from tests.servers import KafkaServer, MongoServer, fresh_kafka_url, fresh_mongo_url
from warledger.commands.up import prepare
from warledger.demo.installation import free_ports

A_CALL = 500
"""Commands that are appended at once."""
WITHIN = 300.0
"""Seconds that anything here may take."""

Command = tuple[str, Role, str, Mapping[str, Any]]
"""Actor, role, type and payload."""


def await_(condition: Callable[[], object], what: str, nap: float = 0.02) -> None:
    """Look until it holds. Raises RuntimeError, which says `what` did not come."""
    end = time.monotonic() + WITHIN
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"not within {WITHIN:.0f} seconds: {what}")
        time.sleep(nap)


def on_servers(kafka: KafkaServer, mongo: MongoServer) -> dict[str, str]:
    """The variables of an installation on a share of both servers that nobody has used."""
    return {"WARLEDGER_LOG": fresh_kafka_url(kafka), "WARLEDGER_DOCS": fresh_mongo_url(mongo)}


class House:
    """A fresh installation, on servers or in its folder: keys, topics, and what appends to it as an intake does."""

    def __init__(self, folder: Path, variables: Mapping[str, str], kind: str = "gxc") -> None:
        """`variables` say where it stores what; its games are of this kind."""
        configure("bench", "warning")
        self._folder = folder
        self._kind = kind
        self._environment = {"WARLEDGER_DATA": str(folder / "data"), **variables}
        self.settings = from_environment({**os.environ, **self._environment, **free_ports()})
        if not self.settings.log_is_local:
            apply(kafka_place(self.settings))
        prepare(self.settings)
        key = self.settings.key("orders")
        self.log = open_log(self.settings, signer=Signer("orders", key), keys={"orders": key})
        self.documents = open_documents(self.settings)
        self._intake = Admission("orders", self.log, self.documents, self.settings.key("salt"), SystemClock())

    def give(self, game: str, commands: Iterable[Command]) -> int:
        """Append these as the intake does, signed and each with a trace; returns how many. Raises Problem."""
        return self.give_each((game, command) for command in commands)

    def give_each(self, commands: Iterable[tuple[str, Command]], at_once: int = A_CALL) -> int:
        """As `give`, each to a game of its own, so many in one append."""
        given, count = iter(commands), 0
        while part := [_call(game, self._kind, command) for game, command in islice(given, at_once)]:
            for answer in self._intake.admit_all(part):
                if isinstance(answer, Problem):
                    raise answer
            count += len(part)
        return count

    @contextmanager
    def process(self, module: str, service: str, more: Mapping[str, str] | None = None) -> Iterator["Process"]:
        """A process of ours from when it lives until the end of the block."""
        ports = free_ports()
        environment = {**os.environ, **self._environment, **ports, **(more or {})}
        log = self._folder / f"{service}-{secrets.token_hex(4)}.log"
        with log.open("wb") as file:
            child = subprocess.Popen(
                [sys.executable, "-m", module], env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file
            )
        process = Process(child.pid, int(ports[f"WARLEDGER_{service.upper()}_PORT"]), log)
        try:
            yield process
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait()

    def close(self) -> None:
        """End the clients of this process."""
        self.log.close()
        self.documents.close()


class Line(NamedTuple):
    """A line of a log: when the work was done, and how many seconds the write at its end took."""

    at: float
    seconds: float
    said: dict[str, Any]


class Process:
    """A running process: what it answers and what it has logged."""

    def __init__(self, pid: int, port: int, log: Path) -> None:
        self.pid = pid
        self.port = port
        self.log = log

    def lines(self, event: str, since: float) -> "list[Line]":
        """The lines of its log with this event after a time, in seconds."""
        found = []
        for text in self.log.read_text().splitlines():
            said = orjson.loads(text) if text.startswith("{") else {}
            if said.get("event") == event:
                at = datetime.fromisoformat(said["time"]).timestamp()
                if at > since:
                    found.append(Line(at, min(said["ms"] / 1000, at - since), said))
        return found

    def ready(self) -> bool:
        """Whether it says that it is."""
        return self._answer("/readyz") is not None

    def metric(self, name: str) -> float:
        """A metric, summed over its labels; 0 if it is not there yet."""
        text = self._answer("/metrics") or ""
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.MULTILINE))

    def _answer(self, path: str) -> str | None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
                return str(answer.read(), "utf-8")
        except urllib.error.HTTPError:
            return None
        except OSError:
            return None


def _call(game: str, kind: str, command: Command) -> Call:
    actor, role, type, payload = command
    ruleset = {"kind": "host", "rules": ""} if type == "create_game" else {"kind": kind, "rules": "1"}
    body = {"game": game, **ruleset, "type": type, "payload": payload, "key": secrets.token_hex(16)}
    return Call(Caller(actor, role), body, f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01")
