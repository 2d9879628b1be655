"""Processes that are started, paused, killed, ended, and gone with the one that started them."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from warledger.servers import NoServer
from warledger.servers.child import Child, started_at

PATIENCE = 60.0
SAY_READY = "import time; print('ready', flush=True); time.sleep(600)"
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(600)"


def child(folder: Path, code: str) -> Child:
    """A process of Python."""
    return Child([sys.executable, "-c", code], folder / "it.log")


def started(folder: Path, code: str) -> Child:
    """One that says that it is ready."""
    made = child(folder, code)
    made.start()
    made.await_ready(lambda: made.said("ready"), PATIENCE)
    return made


def state(pid: int) -> str:
    """The letter by which Linux tells what a process does."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def eventually(condition: Callable[[], bool]) -> None:
    """Poll until the condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_process_that_ends_before_it_is_ready_is_no_server_and_says_why(tmp_path: Path) -> None:
    made = child(tmp_path, "print('first'); raise SystemExit('the port is taken')")
    made.start()
    with pytest.raises(NoServer, match=r"it ended with 1: the port is taken .*it\.log"):
        made.await_ready(lambda: False, PATIENCE)


def test_a_process_that_is_never_ready_is_no_server(tmp_path: Path) -> None:
    made = started(tmp_path, SAY_READY)
    with pytest.raises(NoServer, match="it was not ready within 0 seconds"):
        made.await_ready(lambda: False, 0.0)
    made.stop()


def test_what_was_said_before_the_last_start_does_not_count(tmp_path: Path) -> None:
    made = started(tmp_path, "print('ready', flush=True)")
    eventually(lambda: not made.running)
    made.command = [sys.executable, "-c", "pass"]
    made.start()
    eventually(lambda: not made.running)
    assert not made.said("ready")
    assert made.log.read_text() == "ready\n"


def test_a_paused_process_is_there_and_does_nothing_until_it_goes_on(tmp_path: Path) -> None:
    made = started(tmp_path, SAY_READY)
    made.pause()
    eventually(lambda: state(made.pid) == "T")
    assert made.running
    made.resume()
    eventually(lambda: state(made.pid) != "T")
    made.stop()
    assert not made.running


def test_a_process_is_asked_to_end_and_killed_if_it_does_not(tmp_path: Path) -> None:
    made = started(tmp_path, DEAF)
    made.stop(within=0.1)
    assert not made.running
    assert started_at(made.pid) is None


def test_a_paused_process_can_be_ended(tmp_path: Path) -> None:
    made = started(tmp_path, SAY_READY)
    made.pause()
    made.stop()
    assert not made.running


def test_a_process_is_not_started_twice_at_a_time(tmp_path: Path) -> None:
    made = started(tmp_path, SAY_READY)
    with pytest.raises(RuntimeError, match="runs already"):
        made.start()
    made.kill()
    made.start()
    made.kill()


def test_a_process_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    made = child(tmp_path, SAY_READY)
    thread = threading.Thread(target=made.start)
    thread.start()
    thread.join()
    made.await_ready(lambda: made.said("ready"), PATIENCE)
    assert made.running
    made.kill()


PARENT = """
import sys, time
from pathlib import Path
from warledger.servers.child import Child
command = [sys.executable, "-c", "import time; time.sleep(600)"]
made = Child(command, Path(sys.argv[1]), outlive=sys.argv[2] == "outlive")
made.start()
print(made.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("outlive", [False, True])
def test_a_process_is_gone_with_its_parent_unless_it_is_to_outlive_it(tmp_path: Path, outlive: bool) -> None:
    arguments = [str(tmp_path / "log"), "outlive" if outlive else ""]
    with subprocess.Popen([sys.executable, "-c", PARENT, *arguments], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        began = started_at(pid)
        parent.kill()
        parent.wait()
    if outlive:
        assert started_at(pid) == began
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: started_at(pid) != began)


def test_the_time_of_a_start_tells_a_process_from_a_later_one_of_its_number() -> None:
    assert started_at(os.getpid()) == started_at(os.getpid()) is not None
    assert started_at(os.getpid()) != started_at(1)
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    assert started_at(process.pid) is None
