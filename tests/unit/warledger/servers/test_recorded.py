"""What `warledger servers up` leaves behind: read back, told from strangers, ended."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.config import ConfigError
from warledger.servers.child import started_at
from warledger.servers.recorded import Recorded, State


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lasts."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as made:
        yield made
        made.kill()


def recorded(pid: int, began: str) -> Recorded:
    """A server of one process."""
    return Recorded("process", "127.0.0.1:1", (1, 2), ((pid, began),))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    state = State(tmp_path / "servers")
    assert state.read() == {}
    servers = {"kafka": recorded(7, "9"), "mongo": Recorded("container", "mongodb://h:1", container="abc")}
    with state.locked():
        state.write(servers)
    assert State(tmp_path / "servers").read() == servers


def test_a_state_that_says_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "servers.json").write_text('{"kafka": {"way": "process"}}')
    with pytest.raises(ConfigError, match=r"servers\.json: cannot be read .*end the servers by hand"):
        State(tmp_path).read()


def test_a_server_is_there_until_it_is_ended(process: "subprocess.Popen[bytes]") -> None:
    server = recorded(process.pid, str(started_at(process.pid)))
    assert server.there()
    assert server.end()
    assert process.wait() != 0
    assert not server.there()
    assert not server.end()


def test_a_process_of_the_same_number_that_began_at_another_time_is_left_alone(
    process: "subprocess.Popen[bytes]",
) -> None:
    server = recorded(process.pid, "1")
    assert not server.there()
    assert not server.end()
    assert process.poll() is None


def test_a_server_that_somebody_else_runs_is_not_ended() -> None:
    server = Recorded("given", "127.0.0.1:1")
    assert server.there()
    assert not server.end()


def test_the_ports_are_kept_for_the_next_start() -> None:
    assert recorded(os.getpid(), "1").ended() == Recorded("process", "127.0.0.1:1", (1, 2))
