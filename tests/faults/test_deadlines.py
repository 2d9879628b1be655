"""Deadlines under load and behind a sleeping resolver: the log's time decides, and a measured outage is credited."""

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

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


def now() -> int:
    return time.time_ns() // 1_000_000


def course(house: Installation) -> Course:
    """The game's course so far, each judgement checked."""
    return check_deadlines(journal_of(house, GAME))


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


def storm_of_orders(folder: Path, turns: int, counts: Counts) -> Course:
    """Six players aim at the deadline of each turn from both sides. Returns the game's course."""
    with switched(folder, turn_ms=900) as house, pytest.MonkeyPatch.context() as patch:
        patch.setattr("shared.rules.GAMES", with_toy(900))
        toy_game(house, GAME)
        players = [client for _, client in house.players(6)]
        with ThreadPoolExecutor(len(players)) as pool:
            work = [
                pool.submit(aim, client, turns, [-90 + 6 * number, -30 + 4 * number, 3 * number])
                for number, client in enumerate(players)
            ]
            for done in work:
                done.result()
        with pytest.raises(Refused, match="wrong_turn"):
            players[0].command(GAME, "order", {"name": "late", "turn": 1})
        with pytest.raises(Refused, match="bad_deadline"):
            house.operator.command(GAME, "set_deadline", {"deadline": now() - 60_000, "reason": "operator"})
        house.operator.command(GAME, "set_deadline", {"deadline": None, "reason": "pause"})
        *before, _ = journal_of(house, GAME)
        found = check_deadlines(before[:-1])
        judged = check_judged_once(house, [GAME], [])
        check_proofs(house, [GAME], folder)
    assert len(found.closes) >= turns - 1
    assert found.credits == {}
    assert found.near(50) > 0
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
            eventually(lambda: len(course(house).closes) >= 1, "a turn is closed", 30 + turn_ms / 1000)
            with asleep(house):
                start = now()
                time.sleep(3.4 * turn_ms / 1000)  # so long it sleeps
                end = now()
            eventually(lambda: course(house).closes[-1] > end, "turns close again", 30 + 2 * turn_ms / 1000, 0.1)
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
        eventually(lambda: course(house).closes, "the turn is closed", 60 + (turn_ms + length_ms) / 1000, 0.1)
        found = course(house)
        check_proofs(house, [GAME], folder)
    deadline, moved = next(iter(found.credits.items()))
    assert start < deadline
    assert moved - deadline >= end - start
    assert found.closes[0] == list(found.credits.values())[-1]  # a machine that stalls once more is credited once more
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
