"""`warledger topics` as a user runs it: exit codes, lines and JSON, on a real broker."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from shared.log.kafka_place import parse_place
from shared.log.kafka_topics import TOPICS
from tests.servers.topics import remove_topics
from warledger.servers.ports import free_ports


def run(log: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "WARLEDGER_LOG": log}
    command = [sys.executable, "-m", "warledger", "topics", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=200)


def rows(done: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def log(fresh_kafka_url: str) -> Iterator[str]:
    """A log in Kafka without topics; they are removed with the test."""
    yield fresh_kafka_url
    remove_topics(parse_place(fresh_kafka_url))


@pytest.mark.servers
def test_topics_are_made_once_and_drift_ends_with_1(log: str) -> None:
    prefix = log.rpartition("/")[2]
    before = run(log, "status")
    assert before.returncode == 1
    assert f"drift: {prefix}.turns: topic is missing, must be 12 partitions" in before.stdout

    made = run(log, "apply", "--json")
    assert made.returncode == 0, made.stderr
    *mended, summary = rows(made)
    assert [(row["state"], row["topic"]) for row in mended] == [("mended", f"{prefix}.{topic}") for topic in TOPICS]
    assert summary == {"log": log, "topics": 6, "mended": 6, "drift": 0}

    after = run(log, "status", "--json")
    assert (after.returncode, rows(after)) == (0, [{"log": log, "topics": 6, "mended": 0, "drift": 0}])

    thin = run(log, "apply", "--replication", "3", "--json")
    assert thin.returncode == 1
    *left, summary = rows(thin)
    assert {(row["state"], row["setting"], row["found"]) for row in left} == {("drift", "replicas", "1")}
    assert summary["drift"] == len(left) >= len(TOPICS)


@pytest.mark.servers
def test_rights_on_brokers_that_refuse_nobody_are_not_in_force_and_the_remedy_is_named(log: str) -> None:
    for arguments in (["acls"], ["acls", "--apply"]):
        done = run(log, *arguments)
        assert (done.returncode, done.stdout) == (1, "")
        assert "refuse nobody anything: they have no authorizer" in done.stderr
        assert "deploy/kafka-acls.yaml says what they must be told" in done.stderr


@pytest.mark.servers
def test_a_log_without_topics_that_is_read_names_the_command_that_tells(log: str) -> None:
    environment = {**os.environ, "WARLEDGER_LOG": log}
    command = [sys.executable, "-m", "warledger", "tail", "chronicle", "--no-follow"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=200)
    assert done.returncode == 3
    assert "`warledger topics status` says whether its topics are there" in done.stderr


@pytest.mark.servers
def test_more_replicas_than_brokers_are_a_wrong_request(log: str) -> None:
    done = run(log, "apply", "--replication", "9")

    assert done.returncode == 2
    assert "9 replicas need as many brokers" in done.stderr


@pytest.mark.slow
def test_brokers_that_are_away_end_it_with_3() -> None:
    (port,) = free_ports(1)
    done = run(f"kafka://127.0.0.1:{port}", "status")

    assert done.returncode == 3
    assert f"127.0.0.1:{port}" in done.stderr
