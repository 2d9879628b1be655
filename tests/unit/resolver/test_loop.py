"""The loop: which partitions it works on, and what it tells the probes."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from services.resolver import loop, sequencer
from services.resolver.admission import Arrival, admit
from services.resolver.sequencer import Sequencer
from services.resolver.settings import Pace
from services.resolver.takeover import take_over
from services.resolver.ticking import Ticker, Ticks
from services.resolver.timing import Pause, SnapshotTimer
from shared.log import PARTITIONS, LogUnavailable, Record, partition_of
from shared.log.sqlite import WholeMembership
from shared.log.sqlite_reader import SqliteReader
from tests.unit.resolver.house import UNHURRIED, House

OTHER = next(f"h{number}" for number in range(99) if partition_of(f"h{number}") != partition_of("g1"))


def test_a_resolver_is_ready_once_its_partitions_are_taken_over(house: House) -> None:
    assert house.resolver.ready_fault() == "starting"

    house.resolver.round(0)

    assert house.resolver.ready_fault() is None
    assert house.resolver.live_fault() is None


def test_a_loop_that_stands_still_is_not_live(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.resolver.round(0)
    monkeypatch.setattr(loop, "STUCK_SECONDS", -1)

    assert "no round" in (house.resolver.live_fault() or "")


def test_a_log_that_cannot_be_read_is_reported_and_read_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(self: SqliteReader, timeout: float, limit: int = 1000) -> list[object]:
        raise LogUnavailable("the disk is gone")

    house.open("g1")
    house.resolver.round(0)
    with monkeypatch.context() as gone:
        gone.setattr(SqliteReader, "poll", away)
        assert house.resolver.round(0) is False
        assert house.resolver.ready_fault() == "the disk is gone"

    house.settle()

    assert house.resolver.ready_fault() is None
    assert house.told("g1")[-1] == "opened"


def test_only_the_partitions_that_the_group_gives_are_worked_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    given = frozenset({partition_of("g1")})
    monkeypatch.setattr(WholeMembership, "partitions", lambda self: given)
    house.open("g1")
    house.open(OTHER)
    house.settle()
    assert house.told("g1")[-1] == "opened"
    assert house.told(OTHER) == []

    given = frozenset({partition_of(OTHER)})
    house.say("g1", "ana", "order", name="to somebody else")
    house.settle()

    assert house.told(OTHER)[-1] == "opened"
    assert house.told("g1")[-1] == "opened"


def test_a_partition_whose_code_fails_is_dropped_and_the_others_go_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance = Sequencer.advance

    def fail(self: Sequencer, now: int) -> None:
        if self.partition == partition_of("g1"):
            raise ZeroDivisionError("a fault of ours")
        advance(self, now)

    house.open("g1")
    house.open(OTHER)
    with monkeypatch.context() as broken:
        broken.setattr(Sequencer, "advance", fail)
        house.settle()
        assert "ZeroDivisionError" in (house.resolver.ready_fault() or "")
    assert house.told(OTHER)[-1] == "opened"

    house.settle()

    assert house.told("g1")[-1] == "opened"
    assert house.resolver.ready_fault() is None


def test_a_record_that_cannot_be_taken_in_stops_its_partition_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(record: Record) -> Arrival:
        if b"poison" in record.value:
            raise ZeroDivisionError("a fault of ours")
        return admit(record)

    monkeypatch.setattr(sequencer, "admit", fail)
    house.open("g1")
    house.open(OTHER)
    house.settle()
    house.say("g1", "ana", "order", name="poison")
    house.say("g1", "ana", "order", name="behind it")
    house.say(OTHER, "ana", "order", name="goes on")

    house.settle()

    place = partition_of("g1")
    assert house.resolver.ready_fault() == (
        f"partition {place}: stopped: orders, partition {place}, offset 2: ZeroDivisionError: a fault of ours"
    )
    assert place not in house.resolver._running
    assert house.told("g1")[-1] == "opened"
    assert house.told(OTHER)[-1] == "named"


def test_a_lost_partition_rests_before_it_is_taken_over_again(
    tmp_path: Path, toy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, replace(UNHURRIED, retry_ms=1_000))
    takeovers: list[int] = []

    def failing(*arguments: object) -> object:
        takeovers.append(1)
        raise LogUnavailable("locked")

    monkeypatch.setattr(loop, "take_over", failing)
    for _ in range(10):
        house.resolver.round(0)
    assert len(takeovers) == 12

    monkeypatch.setattr(loop, "take_over", take_over)
    house.clock.time += 1_000
    house.settle()
    assert house.resolver.ready_fault() is None


def test_more_records_than_may_wait_for_a_close_are_left_in_the_log(tmp_path: Path, toy: None) -> None:
    house = House(tmp_path, replace(UNHURRIED, held_records=5, poll_records=6))
    deadline = house.open("g1")
    house.settle()
    house.clock.time = deadline + 1
    for number in range(40):
        house.say("g1", "ana", "order", name=str(number))
    house.clock.time = deadline
    for _ in range(20):
        house.resolver.round(0)
    held = house.resolver._running[partition_of("g1")]._merge.held("orders")
    assert 5 <= held < 40

    house.settle(at=deadline + 2)

    judged = [event.data["input"]["payload"] for event in house.journal("g1") if "input" in event.data]
    assert [item["name"] for item in judged if "name" in item] == [str(number) for number in range(40)]


@pytest.mark.parametrize(
    ("heard", "now", "over", "expected"),
    [
        (0, 0, False, 3_000_000),
        (0, 2_999_900, False, 100),
        (0, 3_000_000, False, 0),
        (3_000_000, 3_000_000, False, 10_000),
        (3_599_000, 3_599_990, False, 11),
        (3_599_000, 3_600_001, False, 0),
        (3_599_000, 3_000_000, True, 0),
    ],
)
def test_the_loop_may_sleep_until_the_next_tick_or_deadline(
    house: House, heard: int, now: int, over: bool, expected: int
) -> None:
    ticker = Ticker(Ticks(house.log("ticks")), 0, Pace())
    ticker.heard(heard)

    assert ticker.wait_ms(3_600_000, now, over=over) == expected


def test_a_tick_that_showed_no_later_time_is_repeated_after_a_pause(house: House) -> None:
    ticks = Ticks(house.log("ticks"))
    ticker = Ticker(ticks, 0, Pace())
    for now in (1_000, 1_100, 1_199, 1_200):
        ticker.ask(("votes",), now)
        ticks.send()

    assert len(house.records("votes")) == 2
    assert ticker.wait_ms(0, 1_250, over=True) == 150


def test_a_pause_ends_when_the_clock_is_set_back() -> None:
    pause = Pause(100)
    assert pause.left(0) == 0
    pause.begin(1_000)
    assert pause.left(1_040) == 60
    assert pause.left(1_100) == 0
    assert pause.left(999) == 0


def test_a_snapshot_that_failed_is_tried_again_after_the_usual_time() -> None:
    timer = SnapshotTimer(replace(Pace(), snapshot_events=10, snapshot_ms=1_000))
    timer.committed(10, 0, now=0)
    assert timer.due(0)

    timer.failed(now=0)

    assert not timer.due(999)
    assert timer.due(1_000)


def test_a_snapshot_waits_while_games_close_one_after_the_other_until_its_time_has_come() -> None:
    pace = replace(Pace(), snapshot_closes=10, snapshot_ms=30_000, snapshot_calm_ms=5_000)
    timer = SnapshotTimer(pace)
    timer.committed(0, 10, now=0)
    timer.committed(0, 1, now=4_000)
    timer.committed(1, 0, now=8_000)
    assert not timer.due(8_999)
    assert timer.due(9_000)

    timer = SnapshotTimer(pace)
    for now in range(0, 30_000, 1_000):
        timer.committed(0, 10, now)
        assert not timer.due(now)
    assert timer.due(30_000)


def test_a_snapshot_that_held_up_inputs_is_not_soon_followed_by_the_next() -> None:
    timer = SnapshotTimer(replace(Pace(), snapshot_events=10, snapshot_rest=10))
    timer.committed(10, 0, now=0)
    timer.taken(0, seconds=0.2)
    timer.committed(10, 0, now=1)

    assert not timer.due(1_999)
    assert timer.due(2_000)


def test_a_partition_that_somebody_took_is_given_up_and_taken_back_though_there_is_nothing_to_commit(
    house: House,
) -> None:
    house.open("g1")
    house.settle()
    other = house.log("ticks").own(partition_of("g1"), "an import")

    house.settle(at=house.clock.time + UNHURRIED.held_ms)

    assert not other.held()
    assert house.resolver.ready_fault() is None
    house.say("g1", "ana", "order", name="goes on")
    house.settle()
    assert house.told("g1")[-1] == "named"


def test_what_goes_wrong_at_the_end_leaves_nothing_open(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    def closed(part: object) -> None:
        left.append(type(part))

    left: list[type] = []
    house.open("g1")
    house.settle()
    with monkeypatch.context() as ending:
        # The objects are changed, not their classes: tests beside this one may have a resolver of their own.
        for owned in house.resolver._running.values():
            ending.setattr(owned, "snapshot", broken)
            ending.setattr(owned, "release", partial(closed, owned))
        for reader in (house.resolver._scout, house.resolver._inputs._reader):
            ending.setattr(reader, "close", broken)
        ending.setattr(house.resolver._membership, "close", partial(closed, house.resolver._membership))
        with pytest.raises(OSError, match="full"):
            house.resolver.close()

    assert left == [*[Sequencer] * PARTITIONS, WholeMembership]
