"""What the image would run, without a container: the installed wheel, on a real Kafka and a MongoDB server.

Commands, variables, start order, keys and health checks are those of docker-compose.yml; addresses and folders are
replaced, nothing else. The processes run as a user without rights, from a tree and in a folder that cannot be written.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import tests.servers
from shared.config import SERVICES, from_environment
from tests.faults.waiting import eventually
from tests.servers import KafkaServer, MongoServer
from tests.unit.deploy.compose import ONCE, TOOL, services
from tests.unit.deploy.installed import NOBODY, as_nobody, installed
from warledger.api import Client
from warledger.demo.installation import free_ports
from warledger.keyrings import MASTER, READ_BY

pytestmark = [pytest.mark.slow, pytest.mark.servers, pytest.mark.timeout(600)]
COMPOSE = services()
READY_WITHIN = 120.0


class Composed:
    """The services of the compose file as processes of this machine."""

    def __init__(self, tree: Path, folder: Path, log: str, documents: str) -> None:
        self.folder = folder
        self._tree = tree
        self._ports = free_ports()
        self._replaced = {"kafka://kafka:9092": log, "mongodb://mongo:27017/warledger": documents}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        for name in ("keys/all", *(f"keys/{ring}" for ring in READ_BY), "exports", "empty"):
            (folder / name).mkdir(mode=0o700, parents=True)
        for path in [folder, *folder.rglob("*")]:
            if as_nobody():
                os.chown(path, NOBODY, NOBODY)
        (folder / "empty").chmod(0o500)

    def variables(self, name: str, **more: str) -> dict[str, str]:
        """What a container of this service has in its environment, here."""
        given = {key: str(item) for key, item in COMPOSE[name]["environment"].items() if item is not None}
        temporary = self.folder / f"tmp-{name}"
        if not temporary.exists():
            temporary.mkdir()
            if as_nobody():
                os.chown(temporary, NOBODY, NOBODY)
        return {
            **{key: self._here(value) for key, value in given.items()},
            **self._ports,
            "PATH": f"{self._tree / 'bin'}:/usr/bin:/bin",
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": "/nonexistent",
            "TMPDIR": str(temporary),
            **more,
        }

    def _here(self, value: str) -> str:
        """A value of the compose file with the addresses and folders of this machine."""
        if value in self._replaced:
            return self._replaced[value]
        if found := re.fullmatch(r"http://[a-z]+:(\d+)", value):
            return f"http://127.0.0.1:{self._port(int(found[1]))}"
        return value.replace("0.0.0.0", "127.0.0.1") if not value.startswith("/keys") else str(self.folder) + value

    def _port(self, number: int) -> str:
        named = {port: name for name, port in from_environment({}).ports.items()}
        return self._ports[f"WARLEDGER_{named[number].upper()}_PORT"]

    @property
    def gateway(self) -> str:
        """Where clients reach it."""
        return f"http://127.0.0.1:{self._port(8080)}"

    def start(self, name: str) -> None:
        """Start a service that runs on."""
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running[name] = subprocess.Popen(  # type: ignore[call-overload]
                COMPOSE[name]["command"],
                cwd=self.folder / "empty",
                env=self.variables(name),
                executable=str(self._tree / "bin" / COMPOSE[name]["command"][0]),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **as_nobody(),
            )

    def run(self, name: str, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        """Run a command as a container of a service would: the service's own, or `words`."""
        service = COMPOSE[name]
        command = [*service.get("entrypoint", ()), *(words or service["command"])]
        command = [item.replace("/keys", f"{self.folder}/keys") for item in command]
        done: subprocess.CompletedProcess[str] = subprocess.run(
            command,
            cwd=self.folder / ("exports" if name == TOOL else "empty"),
            env=self.variables(name, **more),
            executable=str(self._tree / "bin" / command[0]),
            capture_output=True,
            text=True,
            timeout=250,
            check=False,
            **as_nobody(),  # type: ignore[call-overload]
        )
        return done

    def healthy(self, name: str) -> bool:
        """What the health check of a service says."""
        check = COMPOSE[name]["healthcheck"]["test"]
        assert check[0] == "CMD"
        assert self.running[name].poll() is None, (self.folder / f"{name}.log").read_text()
        return self.run(name, *check[1:]).returncode == 0

    def up(self, name: str) -> None:
        """Start a service after what it depends on, as `docker compose up` would."""
        for other in COMPOSE[name].get("depends_on", {}):
            if other in SERVICES and other not in self.running:
                self.up(other)
        self.start(name)
        eventually(lambda: self.healthy(name), f"{name} is healthy", READY_WITHIN, pause=0.2)

    def stop(self) -> dict[str, int]:
        """Ask all to end; exit status of each, within the time that the compose file gives it."""
        for process in self.running.values():
            process.send_signal(signal.SIGTERM)
        status = {}
        for name, process in self.running.items():
            status[name] = process.wait(int(COMPOSE[name]["stop_grace_period"].removesuffix("s")))
        return status

    def kill(self) -> None:
        """End what is left."""
        for process in self.running.values():
            if process.poll() is None:
                process.kill()
                process.wait()


@pytest.fixture(scope="module")
def composed(kafka_server: KafkaServer, mongo_server: MongoServer) -> Iterator[Composed]:
    """Everything that the compose file starts, started."""
    with ExitStack() as ends:
        tree = ends.enter_context(installed())
        folder = Path(tempfile.mkdtemp(prefix="warledger-composed-"))
        ends.callback(shutil.rmtree, folder)
        log, documents = tests.servers.fresh_kafka_url(kafka_server), tests.servers.fresh_mongo_url(mongo_server)
        made = Composed(tree, folder, log, documents)
        ends.callback(made.kill)
        for name in ONCE:
            done = made.run(name)
            assert done.returncode == 0, done.stdout + done.stderr
        for name in SERVICES:
            if name not in made.running:
                made.up(name)
        yield made


def tool(composed: Composed, *words: str, **more: str) -> list[Any]:
    """A command of the command line, which must succeed; what it prints."""
    done = composed.run(TOOL, "--json", *words, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def person(composed: Composed, name: str) -> Client:
    """Somebody who registers and logs in."""
    visitor = Client(composed.gateway)
    visitor.post("/accounts", {"name": name, "password": f"the password of {name}"})
    said: Mapping[str, Any] = visitor.post("/tokens", {"name": name, "password": f"the password of {name}"}).body
    return visitor.as_token(said["token"])


def test_what_runs_once_may_run_again(composed: Composed) -> None:
    before = {path: path.read_bytes() for path in composed.folder.glob("keys/*/*.key")}
    assert len(before) > 10
    for name in ONCE:
        done = composed.run(name)
        assert done.returncode == 0, done.stdout + done.stderr
    assert {path: path.read_bytes() for path in composed.folder.glob("keys/*/*.key")} == before


def test_each_process_runs_on_its_own_keys(composed: Composed) -> None:
    for ring, names in READ_BY.items():
        assert {path.stem for path in (composed.folder / "keys" / ring).iterdir()} == set(names)
    assert (composed.folder / "keys" / "all" / f"{MASTER}.key").exists()


def test_a_war_is_played_and_checked_with_what_the_image_holds(composed: Composed) -> None:
    (tina,) = tool(composed, "account", "create", "tina", "--operator")
    token = {"WARLEDGER_TOKEN": tina["token"]}
    creation = (
        "game",
        "create",
        "spring",
        "--map",
        "small-eight",
        "--teams",
        "2",
        "--set",
        "recruitment_turns=0",
        "--start",
    )
    tool(composed, *creation, **token)
    ana, bia = person(composed, "ana"), person(composed, "bia")
    for player, team in ((ana, "ash"), (bia, "birch")):
        player.judged(player.command("spring", "join", {"team": team}))
    territory = next(
        name for name, item in ana.get("/games/spring/map")["territories"].items() if item["owner"] == "ash"
    )
    for type, payload in (("place", {"territory": territory}), ("energize", {}), ("set_order", {"defend": 3})):
        ana.judged(ana.command("spring", type, payload))
    ana.judged(ana.command("spring", "chat", {"channel": "all", "text": "greetings"}))
    tool(composed, "game", "close", "spring", **token)

    eventually(lambda: ana.get("/games/spring/certificates")["certificates"], "the turn is certified")
    assert ana.request("GET", "/verify_turn.py").status == 200
    assert ana.request("GET", "/", headers={"Accept": "text/html"}).status == 200
    assert "greetings" in str(bia.get("/games/spring/messages"))
    tool(composed, "replay", "spring")
    tool(composed, "export", "spring", "--out", "spring.jsonl")
    tool(composed, "verify", "spring.jsonl")
    tool(composed, "doctor")


def test_every_process_ends_in_its_time_when_it_is_asked_to(composed: Composed) -> None:
    started = time.monotonic()
    assert set(composed.stop().values()) == {0}
    assert time.monotonic() - started < 30
    written = {path.name for path in composed.folder.iterdir()} - {"keys", "exports", "empty"}
    assert written == {f"{name}.log" for name in SERVICES} | {f"tmp-{name}" for name in (*SERVICES, *ONCE, TOOL)}
    assert list((composed.folder / "empty").iterdir()) == []
    for name in SERVICES:
        for line in (composed.folder / f"{name}.log").read_text().splitlines():
            assert json.loads(line)["level"] != "error", line
