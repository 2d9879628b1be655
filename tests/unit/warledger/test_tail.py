"""`warledger tail`: what stands in a topic, and what comes, one event a line."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest

from tests.unit.gateway.house import House, Player
from tests.unit.warledger.running import call, rows, write_row
from warledger.journals import chronicle, journal
from warledger.local import local_log

pytestmark = pytest.mark.slow


class Scene(NamedTuple):
    """Two wars that began, and the first's operator and player."""

    house: House
    data: Path
    game: str
    other: str
    operator: Player
    red: Player


@pytest.fixture
def scene(house: House, tmp_path: Path) -> Scene:
    operator = house.somebody("operator")
    game, other = house.war(operator), house.war(operator)
    red = house.recruit(game, "red", "dunmere")
    assert red.command(game, "set_order", {"defend": 3}).status_code == 201
    return Scene(house, tmp_path / "data", game, other, operator, red)


def test_the_chronicle_is_printed_one_event_a_line(scene: Scene) -> None:
    found = rows(scene.data, "tail", "chronicle", "--game", scene.game, "--no-follow")
    with local_log(scene.house.settings) as log:
        told = list(chronicle(log, scene.game))
    assert [(row["n"], row["type"], row["data"]) for row in found] == [(item.n, item.type, item.data) for item in told]
    assert [row["n"] for row in found] == list(range(1, len(found) + 1))
    assert {row["game"] for row in found} == {scene.game}


def test_without_a_game_all_games_are_told(scene: Scene) -> None:
    assert {row["game"] for row in rows(scene.data, "tail", "chronicle", "--no-follow")} == {scene.game, scene.other}


def test_the_journal_is_told_with_its_secrets_and_their_audiences(scene: Scene) -> None:
    found = rows(scene.data, "tail", "turns", "--game", scene.game, "--no-follow")
    with local_log(scene.house.settings) as log:
        assert len(found) == len(list(journal(log, scene.game)))
    [order] = [row for row in found if row["type"] == "warledger.gxc.order_set.v1"]
    assert order["to"] == ["team:red"]


def test_an_input_and_its_judgement_have_the_trace_of_their_request(scene: Scene) -> None:
    order = rows(scene.data, "tail", "orders", "--game", scene.game, "--no-follow")[-1]
    turns = rows(scene.data, "tail", "turns", "--game", scene.game, "--no-follow")
    [judgement] = [row for row in turns if row["data"].get("input", {}).get("id") == order["data"]["id"]]
    assert len(order["trace"]) == 32
    assert judgement["trace"] == order["trace"]


def test_a_line_has_time_game_number_type_and_data(scene: Scene) -> None:
    done = call(scene.data, "tail", "chronicle", "--game", scene.game, "--no-follow")
    second = done.stdout.splitlines()[1].split(" ", 4)
    assert second[1:4] == [scene.game, "2", "host.game.created.v1"]
    assert time.strptime(second[0][:19], "%Y-%m-%dT%H:%M:%S")
    assert orjson.loads(second[4])["kind"] == "gxc"


def test_inputs_show_who_signed_them_and_forged_ones_that_nobody_did(scene: Scene) -> None:
    now, signature = time.time_ns() // 1_000_000, f"orders:{'ab' * 32}"
    write_row(scene.house.settings.log_folder, "orders", scene.game, b"{}", now, signature)
    found = rows(scene.data, "tail", "orders", "--game", scene.game, "--no-follow")
    kinds = [(row["signer"], row["type"]) for row in found]
    assert kinds[-2:] == [("orders", "set_order"), ("?orders", "unreadable")]
    assert found[-2]["data"]["payload"]["defend"] == 3
    assert all(kind[0] == "orders" for kind in kinds[:-1])


def test_a_game_that_is_not_there_ends_with_2(scene: Scene) -> None:
    done = call(scene.data, "tail", "chronicle", "--game", "nowhere", "--no-follow")
    assert (done.exit_code, "holds nothing of a game nowhere" in done.output) == (2, True)


@contextmanager
def _running(scene: Scene, *arguments: str, **options: Any) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "warledger", "--data", str(scene.data), "tail", "--json", *arguments]
    # A shell starts what runs in its background with interrupts ignored, and all below inherit that. Popen itself has
    # no option for it; no thread of a test holds a lock that setting a signal needs.
    running = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        **options,
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def test_what_comes_is_told_as_it_comes_and_an_interrupt_ends_it_well(scene: Scene) -> None:
    with _running(scene, "chronicle", "--from-start", "--game", scene.game, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert orjson.loads(running.stdout.readline())["n"] == 1
        assert scene.operator.command(scene.game, "close_turn", {"turn": 1}).status_code == 201
        while orjson.loads(running.stdout.readline())["type"] != "warledger.gxc.turn_closed.v1":
            pass
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=200)
        assert (running.returncode, said) == (0, b"")


def test_a_reader_that_goes_away_ends_it_well(scene: Scene) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with _running(scene, "chronicle", "--no-follow", stdout=writing) as running:
        os.close(writing)
        _, said = running.communicate(timeout=200)
        assert (running.returncode, said) == (0, b"")
