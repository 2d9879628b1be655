"""Deadlines under load and behind a sleeping resolver: the log's time decides, and a measured outage is credited."""

import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.counts import Counts
from tests.faults.deadlines import Course, check_deadlines
from tests.faults.houses import switched, toy_game
from tests.faults.proof import check_judged_once, check_proofs, journal_of
from tests.faults.toy import with_toy
from tests.faults.waiting import eventually
from warledger.api import Client, Refused
from warledger.demo.installation import Installation

GAME = "game"
NEAR_MS = 50


def now() -> int:
    return time.time_ns() // 1_000_000


def course(house: Installation) -> Course:
    """The game's course so far, each judgement checked."""
    return check_deadlines(journal_of(house, GAME))


def say(client: Client, type: str, payload: Mapping[str, Any]) -> None:
    """Give a command and wait until it is judged. Raises Refused."""
    client.judged(client.command(GAME, type, payload))


def aim(client: Client, turns: int, spread: Sequence[int]) -> None:
    """In each turn send orders that name it at these milliseconds from its deadline, as well as the machine lets us."""
    for _ in range(turns):
        seen = client.get(f"/games/{GAME}")
        for offset in spread:
            time.sleep(max(0, seen["deadline"] + offset - now()) / 1000)
            client.command(GAME, "order", {"name": str(offset), "turn": seen["turn"]}, wait=False)
        eventually(partial(is_after, client, seen["turn"]), "the next turn is open")


def is_after(client: Client, turn: int) -> bool:
    """Whether a later turn is open."""
    return bool(client.get(f"/games/{GAME}")["turn"] > turn)


def aim_all(players: Sequence[Client], turns: int) -> None:
    """All of them at once, each at moments of her own."""
    with ThreadPoolExecutor(len(players)) as pool:
        work = [
            pool.submit(aim, client, turns, [-90 + 6 * number, -30 + 4 * number, 3 * number])
            for number, client in enumerate(players)
        ]
        for done in work:
            done.result()


def storm_of_orders(folder: Path, turns: int, counts: Counts) -> Course:
    """Six players aim at the deadline of each turn from both sides until one comes near. Returns the game's course."""
    with switched(folder, turn_ms=900) as house, pytest.MonkeyPatch.context() as patch:
        patch.setattr("shared.rules.GAMES", with_toy(900))
        toy_game(house, GAME)
        players = [client for _, client in house.players(6)]
        aim_all(players, turns)
        while not course(house).near(NEAR_MS):
            aim_all(players, 1)
        with pytest.raises(Refused, match="wrong_turn"):
            say(players[0], "order", {"name": "late", "turn": 1})
        with pytest.raises(Refused, match="bad_deadline"):
            say(house.operator, "set_deadline", {"deadline": now() - 60_000, "reason": "operator"})
        say(house.operator, "set_deadline", {"deadline": None, "reason": "pause"})
        *before, _ = journal_of(house, GAME)
        found = check_deadlines(before[:-1])
        judged = check_judged_once(house, [GAME], [])
        check_proofs(house, [GAME], folder)
    assert len(found.closes) >= turns - 1
    assert found.credits == {}
    assert found.near(NEAR_MS) > 0
    counts.add("deadlines", "inputs judged", judged)
    counts.add("deadlines", "turns closed by the clock", len(found.closes))
    counts.add("deadlines", "inputs within 10 ms of a deadline", found.near(10))
    counts.add("deadlines", "inputs within 1 ms of a deadline", found.near(1))
    counts.add("deadlines", "orders too late for the turn that they name", found.late)
    return found


@pytest.mark.slow
def test_orders_around_the_last_millisecond_belong_where_their_time_says(tmp_path: Path, counts: Counts) -> None:
    storm_of_orders(tmp_path, 6, counts)


@pytest.mark.faults
@pytest.mark.timeout(600)
def test_orders_around_the_last_millisecond_of_a_hundred_turns(tmp_path: Path, counts: Counts) -> None:
    found = storm_of_orders(tmp_path, 100, counts)
    assert found.late > 0
    assert found.near(1) > 0


@contextmanager
def asleep(house: Installation) -> Iterator[None]:
    """The resolver neither works nor dies."""
    process = house.services.children["resolver"].process
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


@contextmanager
def orders_every(client: Client, seconds: float) -> Iterator[None]:
    """A player who gives orders all the time."""
    stop = threading.Event()

    def give() -> None:
        while not stop.wait(seconds):
            client.command(GAME, "order", {"name": "awake"}, wait=False)

    thread = threading.Thread(target=give)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def sleep_through(folder: Path, turn_ms: int, order_seconds: float, counts: Counts) -> None:
    """The resolver sleeps past three deadlines while orders come in."""
    with switched(folder, turn_ms=turn_ms) as house, pytest.MonkeyPatch.context() as patch:
        patch.setattr("shared.rules.GAMES", with_toy(turn_ms))
        toy_game(house, GAME)
        ((_, ana),) = house.players(1)
        with orders_every(ana, order_seconds):
            eventually(lambda: len(course(house).closes) >= 1, "a turn is closed", 60 + turn_ms / 1000)
            with asleep(house):
                start = now()
                time.sleep(3.4 * turn_ms / 1000)  # so long it sleeps
                end = now()
            eventually(lambda: course(house).closes[-1] > end, "turns close again", 60 + 2 * turn_ms / 1000, 0.1)
        found = course(house)
        overdue = [at for at in found.closes if start <= at <= end]
        assert len(overdue) >= 3
        assert overdue == [overdue[0] + number * turn_ms for number in range(len(overdue))]
        assert found.credits == {}
        check_proofs(house, [GAME], folder)
    counts.add("deadlines", "overdue turns closed in a row", len(overdue))


@pytest.mark.slow
def test_turns_that_a_sleeping_resolver_missed_close_in_a_row(tmp_path: Path, counts: Counts) -> None:
    sleep_through(tmp_path, 1_000, 0.1, counts)


@pytest.mark.faults
@pytest.mark.timeout(300)
def test_a_resolver_that_sleeps_longer_than_an_outage_credits_nothing_while_orders_come_in(
    tmp_path: Path, counts: Counts
) -> None:
    sleep_through(tmp_path, 12_000, 4.0, counts)


def silence(folder: Path, turn_ms: int, length_ms: int, pace: dict[str, object], counts: Counts) -> None:
    """Nothing is written for a while before a deadline: neither ticks nor orders."""
    with switched(folder, turn_ms=turn_ms, pace=pace) as house, pytest.MonkeyPatch.context() as patch:
        patch.setattr("shared.rules.GAMES", with_toy(turn_ms))
        toy_game(house, GAME)
        with asleep(house):
            start = now()
            time.sleep(length_ms / 1000)  # so long is the outage
            end = now()

        def closed() -> list[int]:
            """When turns closed that were open at the outage; a machine that is slow may have closed some before it."""
            return [at for at in course(house).closes if at > start]

        eventually(closed, "the turn is closed", 60 + (turn_ms + length_ms) / 1000, 0.1)
        found, first = course(house), closed()[0]
        check_proofs(house, [GAME], folder)
    deadline, moved = next(item for item in found.credits.items() if item[0] > start)
    assert moved - deadline >= end - start
    assert first in found.credits.values()  # a machine that stalls once more is credited once more
    assert moved <= first
    counts.add("deadlines", "outages credited")
    counts.largest("deadlines", "ms credited for an outage", moved - deadline)


@pytest.mark.slow
def test_a_measured_outage_moves_the_deadline_by_its_length(tmp_path: Path, counts: Counts) -> None:
    credit = {"window_ms": 60_000, "gap_ms": 2_500, "rest_ms": 500}
    silence(tmp_path, 4_500, 3_300, {"credit": credit, "measure_ms": 400}, counts)


@pytest.mark.faults
@pytest.mark.timeout(300)
def test_an_outage_of_forty_seconds_moves_the_deadline_by_its_length(tmp_path: Path, counts: Counts) -> None:
    silence(tmp_path, 60_000, 40_000, {}, counts)
