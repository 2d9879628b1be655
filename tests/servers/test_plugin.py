"""The servers of a session: shared by its workers, gone with it, and no skip goes unnoticed where they are required."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import KafkaServer, MongoServer, fresh_kafka_url, fresh_mongo_url
from tests.servers.plugin import ROOT
from warledger.servers.child import started_at
from warledger.servers.mongo import answers
from warledger.servers.opening import GIVEN

PATIENCE = 100.0

TWO_TESTS = """
def test_one(mongo_server): {body}
def test_two(mongo_server): {body}
"""


class Session:
    """A session of pytest of its own, in a folder with one file of tests."""

    def __init__(self, folder: Path, body: str, *options: str, **variables: str) -> None:
        (folder / "test_it.py").write_text(TWO_TESTS.format(body=body))
        environment = {key: value for key, value in os.environ.items() if key not in GIVEN.values()}
        # Only the plugins that are needed: others that are installed take seconds to load.
        environment |= {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "WARLEDGER_SERVERS": "processes",
            "PYTHONPATH": str(ROOT),
        }
        environment |= variables
        environment.pop("PYTEST_XDIST_WORKER", None)
        command = [sys.executable, "-m", "pytest", "-p", "tests.servers.plugin", "-p", "no:cacheprovider", "-rs"]
        self.process = subprocess.Popen(
            [*command, "--rootdir", str(folder), "-c", os.devnull, str(folder), *options],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def result(self) -> tuple[int, str]:
        """Exit status and output, when it has ended."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output


def write_address(path: Path) -> str:
    """Code of a test that says which server it got."""
    return f"open({str(path)!r}, 'a').write(mongo_server.url + '\\n')"


def eventually(condition: object, what: str) -> None:
    """Poll until the condition holds."""
    assert callable(condition)
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.mark.servers
def test_workers_share_one_server_that_is_gone_when_the_session_has_ended(
    tmp_path: Path, mongo_server: MongoServer
) -> None:
    said = tmp_path / "addresses"
    status, output = Session(tmp_path, write_address(said), "-p", "xdist", "-n", "2").result()
    assert status == 0, output
    addresses = said.read_text().split()
    assert len(addresses) == 2
    assert len(set(addresses)) == 1
    assert not answers(addresses[0])


@pytest.mark.servers
def test_a_session_that_is_killed_leaves_no_server_behind(tmp_path: Path, mongo_server: MongoServer) -> None:
    said = tmp_path / "addresses"
    session = Session(tmp_path, f"{write_address(said)}; __import__('signal').pause()")
    eventually(lambda: said.exists() and said.read_text().endswith("\n"), "a test has its server")
    address = said.read_text().strip()
    keepers = _with_argument("tests.servers.keeper", session.process.pid)
    assert answers(address)
    session.process.kill()
    session.result()
    eventually(lambda: not answers(address), "the server has ended")
    eventually(lambda: not any(map(started_at, keepers)), "its keeper has ended")
    assert len(keepers) == 1


@pytest.mark.servers
def test_the_logs_of_servers_are_kept_when_a_test_fails(tmp_path: Path, mongo_server: MongoServer) -> None:
    status, output = Session(tmp_path, "assert False").result()
    kept = [Path(found) for found in re.findall(r"log of a server: (.*)", output)]
    try:
        assert status == 1
        assert any("listening" in path.read_text() for path in kept if path.name.endswith("-mongo.log")), output
    finally:
        for path in kept:
            path.unlink()


@pytest.mark.slow
def test_without_a_server_tests_are_skipped_and_say_why(tmp_path: Path) -> None:
    session = Session(tmp_path, "pass", WARLEDGER_TEST_MONGO="mongodb://127.0.0.1:1", WARLEDGER_REQUIRE_SERVERS="0")
    status, output = session.result()
    assert status == 0, output
    assert "2 skipped" in output
    assert "WARLEDGER_TEST_MONGO=mongodb://127.0.0.1:1: no answer" in output


@pytest.mark.slow
def test_without_a_server_tests_fail_where_servers_are_required(tmp_path: Path) -> None:
    session = Session(tmp_path, "pass", WARLEDGER_TEST_MONGO="mongodb://127.0.0.1:1", WARLEDGER_REQUIRE_SERVERS="1")
    status, output = session.result()
    assert status == 1, output
    assert "2 errors" in output
    assert "WARLEDGER_REQUIRE_SERVERS=1, and there is no server" in output


def test_every_test_gets_a_share_of_its_own() -> None:
    kafka, mongo = KafkaServer("127.0.0.1:1"), MongoServer("mongodb://127.0.0.1:2")
    assert fresh_kafka_url(kafka) != fresh_kafka_url(kafka)
    assert fresh_mongo_url(mongo) != fresh_mongo_url(mongo)


def _with_argument(word: str, parent: int) -> list[int]:
    """Children of a process with this word in their command line."""
    return [pid for pid in _children(parent) if word in Path(f"/proc/{pid}/cmdline").read_text()]


def _children(parent: int) -> Iterator[int]:
    for task in Path(f"/proc/{parent}/task").iterdir():
        yield from map(int, (task / "children").read_text().split())
