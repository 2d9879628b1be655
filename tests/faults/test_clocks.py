"""A clock that jumps in either direction, a resolver that comes and goes: no input is carried over a deadline."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.resolver.replay import check
from services.resolver.settings import Pace
from shared.commands import commands_of
from shared.host_events import ACCEPTED
from shared.log import TICKS
from tests.counts import Counts
from tests.faults.deadlines import Course, check_deadlines
from tests.unit.resolver.hosting.toy import TURN_MS
from tests.unit.resolver.house import UNHURRIED, House, close_houses, install_toy

pytestmark = pytest.mark.slow

JUMPS = (-3 * TURN_MS, -TURN_MS, -31_000, -1, 0, 1, 1, 7, 31_000, TURN_MS - 1, TURN_MS, 2 * TURN_MS)
MEASURED = Pace(tick_again_ms=0, retry_ms=0, idle_ms=0)


def walk(folder: Path, seed: int, steps: int, pace: Pace) -> Course:
    """Play a game under a clock that jumps at random; then check every judgement, the replay, the count of inputs."""
    chance = random.Random(seed)
    house = House(folder, pace)
    house.open("g1")
    house.settle()
    latest, sent = house.clock.time, 0
    for step in range(steps):
        if chance.random() < 0.4:
            house.clock.time = max(1, house.clock.time + chance.choice(JUMPS))
            latest = max(latest, house.clock.time)
        if chance.random() < 0.6:
            if chance.random() < 0.7:
                house.say("g1", chance.choice(("ana", "bia")), "order", name=str(step))
            else:
                house.say("g1", "ana", "chat", text=str(step))
            sent += 1
        if chance.random() < 0.5:
            house.resolver.round(0)
        if chance.random() < 0.05:
            house.restart()
    house.settle(at=latest + 1)
    events = house.journal("g1")
    assert sum(event.type == ACCEPTED and event.data["input"]["role"] == "player" for event in events) == sent
    for topic in ("orders", "votes"):
        times = [record.at for record in house.records(topic) if record.signer is not None]
        assert times == sorted(times)
    found = check_deadlines(events)
    assert any(record.signer == TICKS for record in house.records("trades")) or not found.closes
    check(events)
    return found


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy game is the only one."""
    install_toy(monkeypatch)
    yield
    close_houses()
    commands_of.cache_clear()


def walks(folder: Path, seeds: range, counts: Counts) -> None:
    """A walk for each seed, every second one with outages measured."""
    for seed in seeds:
        found = walk(folder / str(seed), seed, 60, MEASURED if seed % 2 else UNHURRIED)
        close_houses()
        counts.add("clocks", "games under a jumping clock")
        counts.add("clocks", "turns closed", len(found.closes))
        counts.add("clocks", "outages credited", len(found.credits))
        counts.add("clocks", "inputs within 1 ms of a deadline", found.near(1))


def test_a_clock_that_jumps_moves_no_input_over_a_deadline(tmp_path: Path, counts: Counts) -> None:
    walks(tmp_path, range(6), counts)


@pytest.mark.faults
@pytest.mark.timeout(900)
def test_a_hundred_games_under_clocks_that_jump(tmp_path: Path, counts: Counts) -> None:
    walks(tmp_path, range(1_000, 1_100), counts)
