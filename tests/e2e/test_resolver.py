"""The resolver as a process of its own on a folder: killed at every named step, it judges everything exactly once."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from shared import faults
from shared.config import Settings, from_environment, make_keys
from shared.documents.sqlite import SqliteDocuments
from shared.events import JournalEvent, Submitted, input_id, salt_of, unpack
from shared.log import PARTITIONS, START, TURNS, Draft, TopicPartition
from shared.log.sqlite import SqliteLog
from shared.signing import Keyring, Signer
from warledger.servers.ports import free_ports

pytestmark = pytest.mark.slow
PATIENCE = 60.0
CREATE = {
    "map": {
        "territories": {
            "T": {"name": "T", "neighbours": ["U"], "centroid": {"x": 0, "y": 0}, "special": None},
            "U": {"name": "U", "neighbours": ["T"], "centroid": {"x": 9, "y": 0}, "special": None},
        }
    },
    "teams": {"red": {"name": "Red", "territories": ["T"]}, "blue": {"name": "Blue", "territories": ["U"]}},
    "config": {},
}
GAME = "g1"


class House:
    """A data folder with its keys, the orders intake's log, and a resolver process that comes and goes."""

    def __init__(self, folder: Path) -> None:
        (self.port,) = free_ports(1)
        self.environment = {"WARLEDGER_DATA": str(folder), "WARLEDGER_RESOLVER_PORT": str(self.port)}
        self.settings: Settings = from_environment(self.environment)
        make_keys(self.settings)
        names = ("orders", "polls", "economy", "ticks")
        self._keyring = Keyring({name: self.settings.key(name) for name in names})
        signer = Signer("orders", self.settings.key("orders"))
        self.log = SqliteLog(self.settings.log_folder, signer, self._keyring)
        self.process: subprocess.Popen[bytes] | None = None
        self.sent: list[str] = []

    def start(self, fault: str = "") -> None:
        """Start the resolver, with a fault armed if one is given."""
        environment = {**os.environ, **self.environment, faults.VARIABLE: fault}
        command = [sys.executable, "-m", "services.resolver"]
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)

    def stop(self) -> int:
        """Ask the resolver to end; its exit status."""
        assert self.process is not None
        self.process.terminate()
        return self.wait()

    def wait(self) -> int:
        """Wait for the end of the resolver; its exit status, negative for a signal."""
        assert self.process is not None
        _, self.errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode

    def probe(self, path: str) -> tuple[int, str]:
        """Status and body of one of the resolver's paths; 0 while nobody answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except (OSError, HTTPException):
            return 0, ""

    def say(self, actor: str, type: str, payload: dict[str, Any]) -> int:
        """Append an input as the orders service would; its time, in UTC milliseconds."""
        role = "operator" if actor == "op" else "player"
        id = input_id(GAME, actor, str(len(self.sent)))
        salt = salt_of(self.settings.key("salt"), actor=actor, game=GAME, id=id, payload=payload, role=role, type=type)
        submitted = Submitted(id, GAME, actor, "operator" if actor == "op" else "player", type, payload, salt)
        [stored] = self.log.append("orders", [Draft(GAME, submitted.value(), {})])
        self.sent.append(id)
        return stored.at

    def deadline_soon(self, within_ms: int) -> int:
        """A deadline so near, or twice as far and so on where a busy machine stored its command behind it."""
        while True:
            deadline = time.time_ns() // 1_000_000 + within_ms
            if self.say("op", "set_deadline", {"deadline": deadline, "reason": "operator"}) <= deadline:
                return deadline
            within_ms *= 2

    def journal(self) -> list[JournalEvent]:
        reader = self.log.reader()
        reader.assign({TopicPartition(TURNS, number): START for number in range(PARTITIONS)})
        events: list[JournalEvent] = []
        while records := reader.poll(0):
            events += [event for record in records for event in unpack(record.value).events]
        reader.close()
        return events

    def judged(self) -> list[str]:
        """Ids of the judged inputs of players and operators, in their order."""
        judgements = [event.data["input"] for event in self.journal() if "input" in event.data]
        return [given["id"] for given in judgements if given["role"] != "clock"]

    def closes(self) -> int:
        judgements = [event.data["input"] for event in self.journal() if "input" in event.data]
        return sum(given["type"] == "close_turn" for given in judgements)


def eventually(condition: Any, what: str) -> None:
    """Poll until the condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            pytest.fail(f"not within {PATIENCE} seconds: {what}")
        time.sleep(0.02)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.process.kill()
        made.process.communicate()
    made.log.close()


def open_a_war(house: House) -> None:
    house.say("op", "create_game", {"game": "gxc", "create": CREATE})
    for player, team, place in (("ana", "red", "T"), ("bia", "blue", "U")):
        house.say(player, "join", {"team": team})
        house.say(player, "place", {"territory": place})
    house.say("op", "start_game", {})


def test_inputs_are_judged_and_the_process_answers_its_probes(house: House) -> None:
    open_a_war(house)
    house.start()
    eventually(lambda: house.judged() == house.sent, "every input is judged")
    eventually(lambda: house.probe("/readyz") == (200, "ok\n"), "ready")

    assert house.probe("/livez") == (200, "ok\n")
    assert 'warledger_inputs_judged_total{verdict="accepted"}' in house.probe("/metrics")[1]
    assert {event.type for event in house.journal() if "rejected" in event.type} == set()
    assert house.stop() == 0


def test_a_deadline_closes_the_turn_by_itself(house: House) -> None:
    open_a_war(house)
    house.start()
    deadline = house.deadline_soon(1_500)

    eventually(lambda: house.closes() == 1, "the turn is closed")

    (close,) = [e for e in house.journal() if e.data.get("input", {}).get("type") == "close_turn"]
    assert close.data["at"] == deadline
    assert house.stop() == 0


@pytest.mark.timeout(600)
def test_killed_at_every_step_it_judges_every_input_once(house: House) -> None:
    open_a_war(house)
    steps = [name for name in faults.POINTS if name.startswith("resolver.")]
    for count, step in enumerate(steps, 1):
        house.start(step)
        house.say("ana", "set_order", {"defend": count % 3})
        house.deadline_soon(300)
        if "snapshot" in step:
            eventually(lambda: house.judged() == house.sent, "the inputs before the snapshot are judged")
            house.stop()
        else:
            house.wait()
        assert house.process is not None
        assert house.process.returncode == -signal.SIGKILL, step
    house.start()
    house.deadline_soon(300)

    eventually(lambda: house.judged() == house.sent, "every input is judged once, in its order")
    eventually(lambda: house.closes() >= 2, "turns close")

    events = house.journal()
    assert [event.n for event in events] == list(range(1, len(events) + 1))
    assert house.stop() == 0
    manifests = SqliteDocuments(house.settings.docs_folder).find("manifests", "")
    assert any(document.body.get("game") == GAME for document in manifests)


def test_log_lines_hold_no_secret(house: House) -> None:
    open_a_war(house)
    house.start()
    eventually(lambda: house.judged() == house.sent, "every input is judged")
    assert house.stop() == 0

    secrets = [house.settings.key(name).hex().encode() for name in ("orders", "ticks", "salt")]
    secrets.append(house.settings.secret_file.read_bytes().strip())
    assert not any(secret in house.errors for secret in secrets)


def test_a_missing_key_is_said_and_ends_the_process(house: House) -> None:
    (house.settings.keys / "polls.key").unlink()
    house.start()

    assert house.wait() == 2
    assert b"polls.key" in house.errors
