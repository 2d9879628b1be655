"""The projector as a process: reads a real journal, tells its health, ends cleanly, goes on after a kill."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPException
from pathlib import Path

import pytest

from shared.documents.sqlite import SqliteDocuments
from shared.host_events import REJECTED
from shared.log import Draft, Outcome, partition_of
from shared.log.sqlite import SqliteLog
from shared.views import Views, generations
from tests.unit.views.toy import Story, records
from warledger.servers.ports import free_ports

PATIENCE = 60.0


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def documents(data: Path) -> Iterator[SqliteDocuments]:
    store = SqliteDocuments(data / "docs")
    yield store
    store.close()


class Journal:
    """Commits units as the resolver does."""

    def __init__(self, data: Path) -> None:
        self.log = SqliteLog(data / "log")
        self._written = 0

    def commit(self, story: Story) -> None:
        """Commit what the story has that is not committed yet, one unit a commit."""
        for record in records([story])[self._written :]:
            owner = self.log.own(partition_of(story.game), "test")
            owner.commit(Outcome([Draft(story.game, record.value, {})], [], [], owner.marks()))
            self._written += 1


@pytest.fixture
def journal(data: Path) -> Iterator[Journal]:
    journal = Journal(data)
    yield journal
    journal.log.close()


class Process:
    """A running projector."""

    def __init__(self, data: Path) -> None:
        (self.port,) = free_ports(1)
        environment = {**os.environ, "WARLEDGER_DATA": str(data), "WARLEDGER_PROJECTOR_PORT": str(self.port)}
        command = [sys.executable, "-m", "services.resolver.projector"]
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)

    def answer(self, path: str) -> tuple[int, str]:
        """Status and body of a health path; status 0 while nobody listens."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except (OSError, HTTPException):
            return 0, ""

    def end(self, number: int) -> int:
        """Signal it; returns the exit status."""
        self.process.send_signal(number)
        _, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


@pytest.fixture
def start(data: Path) -> Iterator[Callable[[], Process]]:
    started: list[Process] = []

    def begin() -> Process:
        started.append(Process(data))
        return started[-1]

    yield begin
    for item in started:
        if item.process.poll() is None:
            item.end(signal.SIGKILL)
        if item.process.stderr is not None:
            item.process.stderr.close()


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def _judged(documents: SqliteDocuments, id: str) -> bool:
    return Views(documents).judgement("g1", id) is not None


def test_it_projects_tells_its_health_and_ends_on_sigterm(
    journal: Journal, documents: SqliteDocuments, start: Callable[[], Process]
) -> None:
    story = Story()
    story.unit(story.judgement("i1", REJECTED))
    journal.commit(story)
    projector = start()
    _until(lambda: _judged(documents, "i1"))
    story.unit(story.judgement("i2", REJECTED))
    journal.commit(story)
    _until(lambda: _judged(documents, "i2"))
    assert projector.answer("/livez")[0] == 200
    assert projector.answer("/readyz") == (200, "ok\n")
    assert "warledger_events_projected_total 2.0" in projector.answer("/metrics")[1]
    assert projector.end(signal.SIGTERM) == 0


def test_it_goes_on_after_a_kill_and_rebuilds_when_asked(
    journal: Journal, documents: SqliteDocuments, start: Callable[[], Process]
) -> None:
    story = Story()
    story.unit(story.judgement("i1", REJECTED))
    journal.commit(story)
    first = start()
    _until(lambda: _judged(documents, "i1"))
    first.end(signal.SIGKILL)
    story.unit(story.judgement("i2", REJECTED))
    journal.commit(story)
    wanted = generations.request_rebuild(documents)
    start()
    _until(lambda: generations.active(documents) == wanted)
    _until(lambda: _judged(documents, "i2"))
    _until(lambda: documents.find("judgements", "1|") == [])


def test_a_broken_record_is_told_by_readyz(
    journal: Journal, documents: SqliteDocuments, start: Callable[[], Process]
) -> None:
    owner = journal.log.own(partition_of("g2"), "test")
    owner.commit(Outcome([Draft("g2", b"no batch", {})], [], [], owner.marks()))
    projector = start()
    _until(lambda: projector.answer("/readyz")[0] == 503 and "offsets" in projector.answer("/readyz")[1])
    assert projector.answer("/livez")[0] == 200
    assert f"partition {partition_of('g2')}" in projector.answer("/readyz")[1]
