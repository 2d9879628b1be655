"""Nudges: they reach who listens on the channel, and nothing that goes wrong with them reaches the caller."""

import os
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.nudges import Listener, Nudger


@pytest.fixture
def nudger(tmp_path: Path) -> Iterator[Nudger]:
    nudger = Nudger(tmp_path, "orders")
    yield nudger
    nudger.close()


def test_a_nudge_reaches_every_listener_of_its_channel(tmp_path: Path, nudger: Nudger) -> None:
    listeners = [Listener(tmp_path, ["votes", "orders"]), Listener(tmp_path, ["orders"])]
    other = Listener(tmp_path, ["votes"])
    nudger.nudge()
    assert [listener.wait(60) for listener in listeners] == [True, True]
    assert not other.wait(0)
    for listener in [*listeners, other]:
        listener.close()


def test_nudges_that_nobody_waited_for_are_one(tmp_path: Path, nudger: Nudger) -> None:
    listener = Listener(tmp_path, ["orders"])
    for _ in range(2_000):
        nudger.nudge()
    assert listener.wait(0)
    assert not listener.wait(0)
    listener.close()


def test_a_listener_that_comes_later_is_found(tmp_path: Path, nudger: Nudger) -> None:
    nudger.nudge()
    listeners = []
    for _ in range(5):
        listeners.append(Listener(tmp_path, ["orders"]))
        nudger.nudge()
        assert all(listener.wait(60) for listener in listeners)
    for listener in listeners:
        listener.close()


def test_without_a_nudge_waiting_ends_at_its_timeout(tmp_path: Path) -> None:
    listener = Listener(tmp_path, ["orders"])
    started = time.monotonic()
    assert not listener.wait(0.05)
    assert time.monotonic() - started >= 0.04
    listener.close()


def test_a_closed_listener_leaves_no_file(tmp_path: Path, nudger: Nudger) -> None:
    listener = Listener(tmp_path, ["orders"])
    assert len(list((tmp_path / "nudges").iterdir())) == 1
    listener.close()
    assert not list((tmp_path / "nudges").iterdir())
    nudger.nudge()


def test_the_socket_of_a_dead_process_is_removed(
    tmp_path: Path, nudger: Nudger, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "nudges"
    place.mkdir()
    left = place / "orders.1.dead"
    dead = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    monkeypatch.chdir(place)
    dead.bind(left.name)
    dead.close()
    nudger.nudge()
    assert left.exists(), "it may be just about to listen"
    os.utime(left, (1, 1))
    nudger.nudge()
    assert not left.exists()


@pytest.mark.parametrize("name", ["short", "long" * 50])
def test_the_length_of_the_folder_s_name_does_not_matter(name: str) -> None:
    with tempfile.TemporaryDirectory() as short:
        folder = Path(short) / name
        listener, nudger = Listener(folder, ["orders"]), Nudger(folder, "orders")
        for _ in range(2):
            nudger.nudge()
            assert listener.wait(60)
        listener.close()
        nudger.close()


def test_a_folder_that_cannot_hold_sockets_only_costs_the_nudges(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    listener, nudger = Listener(file, ["orders"]), Nudger(file, "orders")
    nudger.nudge()
    assert not listener.wait(0.01)
    listener.close()
    nudger.close()
