"""`warledger servers`: up, found again, looked at, ended, and up once more with what was stored."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient

from tests.servers import KafkaServer, MongoServer
from tests.servers.plugin import ROOT
from warledger.servers.opening import GIVEN

pytestmark = [pytest.mark.servers, pytest.mark.slow, pytest.mark.timeout(600)]


class Commands:
    """The command line on an installation of its own."""

    def __init__(self, data: Path) -> None:
        given = set(GIVEN.values())
        self._environment = {key: value for key, value in os.environ.items() if key not in given}
        self._environment |= {"WARLEDGER_DATA": str(data), "PYTHONPATH": str(ROOT), "WARLEDGER_SERVERS": "processes"}

    def call(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, output, and what was said beside it."""
        command = [sys.executable, "-m", "warledger", "servers", *arguments]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=250, check=False)
        return done.returncode, done.stdout, done.stderr

    def rows(self, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
        """Exit code and the lines of --json."""
        code, output, _ = self.call(*arguments, "--json")
        return code, [json.loads(line) for line in output.splitlines()]


def test_servers_are_up_until_they_are_put_down_and_keep_what_they_stored(
    tmp_path: Path, kafka_server: KafkaServer, mongo_server: MongoServer
) -> None:
    # The session's servers show that this machine can have some; the commands start their own.
    commands = Commands(tmp_path / "data")
    try:
        assert commands.call("status")[:2] == (1, "Kafka: not started\ndocuments: not started\n")
        assert commands.call("down") == (0, "", "")

        code, output, said = commands.call("up")
        assert code == 0, said
        exported = dict(line.removeprefix("export ").split("=", 1) for line in output.splitlines())
        assert list(exported) == ["WARLEDGER_LOG", "WARLEDGER_DOCS"]
        assert exported["WARLEDGER_LOG"].startswith("kafka://127.0.0.1:")
        with MongoClient[dict[str, Any]](exported["WARLEDGER_DOCS"]) as client:
            client.get_default_database().told.insert_one({"_id": 1})

        code, rows = commands.rows("status")
        assert (code, [row["state"] for row in rows]) == (0, ["answers", "answers"])
        assert commands.rows("up") == (0, [exported])
        assert commands.rows("status") == (0, rows), "those that run are found, and no others started"

        (document_server,) = rows[1]["processes"]
        os.kill(document_server, signal.SIGKILL)
        code, rows = commands.rows("status")
        assert (code, [row["state"] for row in rows]) == (1, ["answers", "not started"])
        assert commands.rows("up") == (0, [exported])
        with MongoClient[dict[str, Any]](exported["WARLEDGER_DOCS"]) as client:
            assert client.get_default_database().told.find_one() == {"_id": 1}

        ended = [{"server": "kafka", "state": "ended"}, {"server": "mongo", "state": "ended"}]
        assert commands.rows("down") == (0, ended)
        code, rows = commands.rows("status")
        assert (code, [row["state"] for row in rows]) == (1, ["not started", "not started"])
    finally:
        commands.call("down")


def test_what_does_not_answer_is_said(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands._environment["WARLEDGER_TEST_KAFKA"] = "127.0.0.1:1"
    assert commands.call("up") == (3, "", "Kafka: WARLEDGER_TEST_KAFKA=127.0.0.1:1: no answer\n")
