"""Fixtures of real servers, for all tests: started by the first test that needs one, ended with the session.

`kafka_server` and `mongo_server` are shared by all workers of a session; `fresh_kafka_url` and `fresh_mongo_url` give
each test a share of its own. What this machine cannot have is a skip that says why, and with
WARLEDGER_REQUIRE_SERVERS=1 an error.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, NoReturn

import pytest

import tests.servers
from tests.servers import KafkaServer, MongoServer
from tests.servers.keeper import ORDERLY, SESSION_LOCK

ROOT = Path(__file__).parents[2]
KINDS = ("kafka", "mongo")
_START_SECONDS = 300.0
_END_SECONDS = 60.0
_FOLDER = pytest.StashKey[Path]()


class _Controller:
    """Has the folder of the session and its lock; ends the servers when the session ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept: list[Path] = []
        self._lock: IO[str] = (folder / SESSION_LOCK).open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker where the session's folder is."""
        node.workerinput["servers"] = str(self.folder)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """End the servers; keep their logs if anything failed."""
        (self.folder / ORDERLY).touch()
        self._lock.close()
        for kind in KINDS:
            _await_end(self.folder / f"{kind}.alive")
        if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            self._keep_logs()
        shutil.rmtree(self.folder, ignore_errors=True)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say where the logs are."""
        for path in self.kept:
            terminalreporter.write_line(f"log of a server: {path}")

    def _keep_logs(self) -> None:
        kept = ROOT / "build" / "servers"
        for log in sorted([*self.folder.glob("*.log"), *self.folder.glob("*/*.log")]):
            if not log.stat().st_size:
                continue
            kept.mkdir(parents=True, exist_ok=True)
            self.kept.append(Path(shutil.copy(log, kept / f"{self.folder.name}-{log.name}")))


def pytest_configure(config: pytest.Config) -> None:
    """Make the session's folder, or in a worker find it."""
    told = getattr(config, "workerinput", {}).get("servers")
    if told is None:
        folder = Path(tempfile.mkdtemp(prefix="warledger-servers-"))
        config.pluginmanager.register(_Controller(folder), "servers-of-the-session")
    config.stash[_FOLDER] = Path(told) if told else folder


def unavailable(reason: str) -> NoReturn:
    """End the test: skipped, or failed where servers are required."""
    if os.environ.get("WARLEDGER_REQUIRE_SERVERS") == "1":
        pytest.fail(f"WARLEDGER_REQUIRE_SERVERS=1, and there is no server: {reason}", pytrace=False)
    pytest.skip(reason)


def shared_address(folder: Path, kind: str) -> str:
    """The address of the session's server; started if it is not. Ends the test where there can be none."""
    path = folder / f"{kind}.json"
    with (folder / f"{kind}.start").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            _start_keeper(folder, kind)
    said = json.loads(path.read_text())
    if "reason" in said:
        unavailable(said["reason"])
    return str(said["address"])


def _start_keeper(folder: Path, kind: str) -> None:
    """Start the process that keeps the server, unless one is at it for a test that ran out of time; wait for it."""
    if _held(folder / f"{kind}.alive"):
        _await_address(folder, kind, lambda: _held(folder / f"{kind}.alive"))
        return
    with (folder / f"{kind}-keeper.log").open("wb") as log:
        keeper = subprocess.Popen(
            [sys.executable, "-m", "tests.servers.keeper", kind, str(folder)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    _await_address(folder, kind, lambda: keeper.poll() is None)
    # It is waited for by its lock, and outlives the worker that started it.
    keeper.returncode = 0


def _await_address(folder: Path, kind: str, at_it: Callable[[], bool]) -> None:
    end = time.monotonic() + _START_SECONDS
    path = folder / f"{kind}.json"
    while not path.exists():
        if not at_it() and not path.exists():
            pytest.fail(f"the keeper of {kind} ended: {(folder / f'{kind}-keeper.log').read_text()}", pytrace=False)
        if time.monotonic() > end:
            pytest.fail(f"{kind} did not start within {_START_SECONDS:.0f} seconds", pytrace=False)
        time.sleep(0.02)


def _await_end(alive: Path) -> None:
    """Wait until a keeper is gone; there may never have been one."""
    end = time.monotonic() + _END_SECONDS
    while _held(alive) and time.monotonic() < end:
        time.sleep(0.02)


def _held(path: Path) -> bool:
    """Whether a process holds the lock of a file."""
    if not path.exists():
        return False
    with path.open("r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


@pytest.fixture(scope="session")
def kafka_server(pytestconfig: pytest.Config) -> KafkaServer:
    """A Kafka that all tests of this session share."""
    return KafkaServer(shared_address(pytestconfig.stash[_FOLDER], "kafka"))


@pytest.fixture(scope="session")
def mongo_server(pytestconfig: pytest.Config) -> MongoServer:
    """A server of the MongoDB protocol that all tests of this session share."""
    return MongoServer(shared_address(pytestconfig.stash[_FOLDER], "mongo"))


@pytest.fixture
def fresh_kafka_url(kafka_server: KafkaServer) -> str:
    """A share of the cluster for one test."""
    return tests.servers.fresh_kafka_url(kafka_server)


@pytest.fixture
def fresh_mongo_url(mongo_server: MongoServer) -> str:
    """A database for one test."""
    return tests.servers.fresh_mongo_url(mongo_server)
