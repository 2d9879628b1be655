"""Deadlines are met by the log's time and nothing else (ENG-3)."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from services.resolver import sequencer
from services.resolver.settings import Pace
from shared.log import TICKS, partition_of
from tests.unit.resolver.hosting.toy import TURN_MS
from tests.unit.resolver.house import START, UNHURRIED, House

OPENED = ["accepted create_game", "game.created", "accepted start", "opened"]
CLOSED = ["accepted close", "closed", "opened", "resolution.leaves", "resolution.certified"]


def inputs_and_closes(house: House, game: str) -> list[str]:
    return [line for line in house.told(game)[len(OPENED) :] if line.partition(" ")[0] in ("accepted", "rejected")]


def test_an_input_at_the_deadline_is_in_time_and_one_a_millisecond_later_is_not(house: House) -> None:
    deadline = house.open("g1")
    house.say("g1", "ana", "order", at=deadline, name="in time")
    house.say("g1", "bia", "order", at=deadline + 1, name="late")

    house.settle()

    assert inputs_and_closes(house, "g1") == ["accepted order", "accepted close", "accepted order"]
    close = next(event for event in house.journal("g1") if event.data.get("input", {}).get("type") == "close")
    assert close.data["at"] == deadline


def test_an_input_in_time_on_another_topic_is_before_the_close(house: House) -> None:
    deadline = house.open("g1")
    house.settle()
    house.say("g1", "ana", "order", at=deadline + 1, name="late")
    house.clock.time = deadline
    house.say("g1", "bia", "chat", text="in time")
    house.clock.time = deadline + 5

    house.settle()

    assert inputs_and_closes(house, "g1") == ["accepted chat", "accepted close", "accepted order"]


def test_a_wall_clock_past_the_deadline_closes_nothing_while_the_log_is_not(house: House) -> None:
    deadline = house.open("g1")
    house.settle(at=deadline)
    assert inputs_and_closes(house, "g1") == []

    house.settle(at=deadline + 1)
    assert inputs_and_closes(house, "g1") == ["accepted close"]


def test_a_record_after_the_deadline_closes_it_though_the_own_clock_is_behind(house: House) -> None:
    deadline = house.open("g1")
    house.settle()
    house.say("g1", "ana", "order", at=deadline + 50, name="late")
    house.clock.time = deadline - 10_000
    for _ in range(5):
        house.resolver.round(0)

    assert inputs_and_closes(house, "g1") == []  # orders has passed the deadline, the ticks of the others have not
    house.settle(at=deadline + 60)
    assert inputs_and_closes(house, "g1") == ["accepted close", "accepted order"]


def test_until_the_close_nothing_later_is_judged_in_any_game_of_the_partition(house: House) -> None:
    first, other = two_games_of_one_partition()
    deadline = house.open(first)
    house.create(other)
    house.settle()
    house.say(other, "bia", "order", at=deadline + 1, name="later")
    house.clock.time = deadline
    house.resolver.round(0)
    house.resolver.round(0)

    assert "accepted order" not in house.told(other)

    house.settle(at=deadline + 2)
    assert "accepted order" in house.told(other)
    records = [record for record in house.records("turns") if record.at >= deadline]
    assert [record.key for record in records] == [first, other]


def test_overdue_turns_close_in_a_row_each_stamped_with_its_own_deadline(house: House) -> None:
    deadline = house.open("g1")
    house.say("g1", "ana", "order", at=deadline + TURN_MS, name="of turn 2")

    house.settle(at=deadline + 3 * TURN_MS)

    assert inputs_and_closes(house, "g1") == [
        "accepted close", "accepted order", "accepted close", "accepted close"
    ]  # fmt: skip
    closes = [event.data["at"] for event in house.journal("g1") if event.data.get("input", {}).get("type") == "close"]
    assert closes == [deadline, deadline + TURN_MS, deadline + 2 * TURN_MS]


def test_a_paused_game_is_not_closed_and_a_deadline_given_later_is(house: House) -> None:
    deadline = house.open("g1")
    house.say("g1", "op", "set_deadline", deadline=None, reason="pause")
    house.settle(at=deadline + TURN_MS)
    assert inputs_and_closes(house, "g1") == ["accepted set_deadline"]

    house.say("g1", "op", "set_deadline", deadline=deadline + 2 * TURN_MS, reason="operator")
    house.settle(at=deadline + 2 * TURN_MS + 1)
    assert inputs_and_closes(house, "g1")[-1] == "accepted close"


def test_many_games_with_one_deadline_close_in_one_commit_a_partition(house: House) -> None:
    games = [f"g{number}" for number in range(30)]
    for game in games:
        house.open(game)
    house.settle()
    before = len({(record.partition, record.at) for record in house.records("turns")})

    house.settle(at=START + TURN_MS + 1)

    assert all(inputs_and_closes(house, game) == ["accepted close"] for game in games)
    with_marks = [record for record in house.records("turns") if "marks" in record.headers and record.at > START + 1]
    assert before
    assert len(with_marks) == len({record.partition for record in with_marks})


@pytest.mark.parametrize(("events", "times"), [(len(CLOSED), 1), (len(CLOSED) + 1, 0)])
def test_memory_is_given_back_behind_the_commit_of_a_large_close(
    tmp_path: Path, toy: None, monkeypatch: pytest.MonkeyPatch, events: int, times: int
) -> None:
    house = House(tmp_path, replace(UNHURRIED, give_back_events=events, big_close_events=events))
    committed: list[str] = []
    monkeypatch.setattr(sequencer, "give_back", lambda: committed.append(house.told("g1")[-1]))

    deadline = house.open("g1")
    house.settle(deadline + 1)

    assert house.told("g1")[-len(CLOSED) :] == CLOSED
    assert committed == ["resolution.certified"] * times


def test_ticks_are_no_inputs(house: House) -> None:
    deadline = house.open("g1")
    house.settle(at=deadline + 1)

    ticks = [record for record in house.records("orders") if record.signer == TICKS]
    assert ticks
    assert house.dead_letters() == []
    assert house.told("g1") == OPENED + CLOSED


@pytest.mark.parametrize("quiet_ms", [10_000])
def test_while_a_deadline_is_near_orders_is_never_silent_for_long(tmp_path: Path, toy: None, quiet_ms: int) -> None:
    house = House(tmp_path, replace(Pace(), tick_again_ms=0, idle_ms=0))
    deadline = house.open("g1")
    house.settle()
    assert ticks_of(house) == []

    for moment in range(deadline - 700_000, deadline, 1_000):
        house.clock.time = moment
        house.resolver.round(0)

    ticks = ticks_of(house)
    assert ticks[0] == deadline - 600_000
    assert {later - earlier for earlier, later in pairwise(ticks)} <= {quiet_ms, quiet_ms + 1_000}


def test_a_clock_set_back_does_not_stop_the_ticks(tmp_path: Path, toy: None) -> None:
    house = House(tmp_path, replace(UNHURRIED, tick_again_ms=200))
    deadline = house.open("g1")
    house.settle(at=deadline - 5_000)
    before = len(ticks_of(house))

    house.clock.time = deadline - 500_000
    house.resolver.round(0)
    house.resolver.round(0)

    assert len(ticks_of(house)) > before


def ticks_of(house: House) -> list[int]:
    return [record.at for record in house.records("orders") if record.signer == TICKS]


def two_games_of_one_partition() -> tuple[str, str]:
    """Two ids whose games share a partition."""
    first = "g1"
    other = next(f"h{number}" for number in range(1_000) if partition_of(f"h{number}") == partition_of(first))
    return first, other
