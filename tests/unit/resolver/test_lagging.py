"""How far a partition is behind: offsets that hold records, and the age of the oldest."""

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from services.resolver import lagging
from services.resolver.lagging import Behind, LagMeter, measure
from shared.clock import Clock
from shared.log import PARTITIONS, START, Draft, Log, LogUnavailable, Mark, Reader, TopicPartition, partition_of
from shared.log.sqlite import SqliteLog
from shared.signing import Keyring, Signer
from tests.unit.warledger.running import eventually

PARTITION = partition_of("g1")
ORDERS, VOTES = TopicPartition("orders", PARTITION), TopicPartition("votes", PARTITION)
KEY = bytes(32)


class Set(Clock):
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 1_000_000

    def now(self) -> int:
        return self.time


@pytest.fixture
def clock() -> Set:
    return Set()


@pytest.fixture
def log(tmp_path: Path, clock: Set) -> Iterator[Log]:
    made = SqliteLog(tmp_path / "log", Signer("orders", KEY), Keyring({"orders": KEY}), clock)
    yield made
    made.close()


@pytest.fixture
def reader(log: Log) -> Iterator[Reader]:
    made = log.reader()
    yield made
    made.close()


def append(log: Log, topic: str, count: int = 1) -> None:
    for number in range(count):
        log.append(topic, [Draft("g1", str(number).encode(), {})])


def test_who_has_done_everything_is_not_behind(log: Log, reader: Reader, clock: Set) -> None:
    append(log, "orders", 3)
    assert measure(reader, {ORDERS: Mark(reader.end(ORDERS), clock.now()), VOTES: START}, clock.now()) == {
        PARTITION: Behind(0, 0.0)
    }


def test_what_is_not_done_counts_over_all_topics_from_the_oldest(log: Log, reader: Reader, clock: Set) -> None:
    append(log, "orders")
    done = Mark(reader.end(ORDERS), clock.now())
    clock.time += 3_000
    append(log, "votes", 2)
    clock.time += 2_000
    append(log, "orders")
    clock.time += 1_000
    behind = measure(reader, {ORDERS: done, VOTES: START}, clock.now())
    assert behind[PARTITION].records == reader.end(ORDERS) - done.offset + reader.end(VOTES)
    assert behind[PARTITION].seconds == 3.0


def test_a_burst_after_hours_of_silence_is_as_old_as_its_first_record(log: Log, reader: Reader, clock: Set) -> None:
    append(log, "orders")
    done = Mark(reader.end(ORDERS), clock.now())
    clock.time += 7_200_000
    append(log, "orders", 30)
    clock.time += 2_000
    behind = measure(reader, {ORDERS: done, VOTES: START}, clock.now())
    assert behind[PARTITION].records >= 30
    assert behind[PARTITION].seconds == 2.0


def test_a_record_that_is_not_heard_of_in_time_is_no_older_than_the_one_that_was_done(
    log: Log, reader: Reader, clock: Set, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lagging, "_LOOK_SECONDS", 0.0)
    append(log, "orders")
    done = Mark(reader.end(ORDERS), clock.now())
    clock.time += 60_000
    append(log, "orders", 30)
    assert measure(reader, {ORDERS: done, VOTES: START}, clock.now())[PARTITION].seconds == 60.0


def test_who_is_behind_by_seconds_alone_is_not_looked_at(log: Log, reader: Reader, clock: Set) -> None:
    append(log, "orders")
    done = Mark(reader.end(ORDERS), clock.now())
    clock.time += 4_000
    append(log, "orders", 30)
    assert measure(reader, {ORDERS: done}, clock.now())[PARTITION].seconds == 4.0


def test_of_a_partition_of_which_nothing_is_heard_in_time_nothing_is_said(
    log: Log, reader: Reader, clock: Set, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lagging, "_LOOK_SECONDS", 0.0)
    elsewhere = TopicPartition("orders", (PARTITION + 1) % PARTITIONS)
    append(log, "orders")
    assert measure(reader, {ORDERS: START, VOTES: START, elsewhere: START}, clock.now()) == {
        elsewhere.partition: Behind(0, 0.0)
    }


def test_a_log_that_is_away_is_said(tmp_path: Path, log: Log, reader: Reader) -> None:
    (tmp_path / "log" / "orders.db").mkdir(parents=True)
    with pytest.raises(LogUnavailable):
        measure(reader, {ORDERS: START}, 0)


def test_of_views_nothing_is_told_while_one_partition_cannot_be_asked(
    log: Log, clock: Set, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the age that readers are told grows, though other partitions move on."""
    monkeypatch.setattr(lagging, "EVERY_SECONDS", 0.01)
    silent = threading.Event()
    in_vain: list[TopicPartition] = []
    told: list[Mapping[int, Behind]] = []
    end = type(log.reader()).end

    def asked(reader: Any, place: TopicPartition) -> int:
        if place == VOTES and silent.is_set():
            in_vain.append(place)
            raise LogUnavailable("no broker says anything of votes")
        return end(reader, place)

    monkeypatch.setattr(type(log.reader()), "end", asked)
    meter = LagMeter("projector", log, lambda: {ORDERS: START, VOTES: START}, clock, lambda now, _at: told.append(now))
    try:
        eventually(lambda: bool(told), "something is told")
        silent.set()
        eventually(lambda: bool(in_vain), "it is asked in vain")
        before = len(told)
        append(log, "orders", 3)
        eventually(lambda: len(in_vain) > 3, "it is asked again and again")
        assert len(told) == before
        assert meter.remarks() == ["how far behind is not known: no broker says anything of votes"]
        silent.clear()
        eventually(lambda: len(told) > before and not meter.remarks(), "it is told again")
    finally:
        meter.close()
