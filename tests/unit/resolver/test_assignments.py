"""The loop, when the group shares the partitions out anew."""

from dataclasses import replace

import pytest

from services.resolver import loop
from services.resolver.journal import PartitionStopped
from services.resolver.loop import Resolver
from services.resolver.sequencer import Sequencer
from services.resolver.takeover import Taken, take_over
from shared.log import PARTITIONS, partition_of
from shared.log.sqlite import WholeMembership
from tests.unit.resolver.house import UNHURRIED, House

HERE = partition_of("g1")
EVERYTHING = frozenset(range(PARTITIONS))


class Group:
    """What the group gives, in the test's hand."""

    def __init__(self) -> None:
        self.given = EVERYTHING
        self.apart: str | None = None


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> Group:
    group = Group()
    monkeypatch.setattr(WholeMembership, "partitions", lambda self: group.given)
    monkeypatch.setattr(WholeMembership, "fault", lambda self: group.apart)
    return group


def _running(resolver: Resolver) -> set[int]:
    return set(resolver._running)


def test_a_process_without_an_assignment_is_not_ready_and_says_why(house: House, group: Group) -> None:
    group.given, group.apart = frozenset(), "joining the group resolver"
    assert house.resolver.round(0)
    assert house.resolver.ready_fault() == "joining the group resolver"

    group.apart = None
    house.resolver.round(0)

    assert house.resolver.ready_fault() is None
    assert house.resolver.live_fault() is None


def test_a_process_that_hears_nothing_of_its_group_gives_everything_up(house: House, group: Group) -> None:
    house.resolver.round(0)
    assert _running(house.resolver) == EVERYTHING

    group.given, group.apart = frozenset(), "no broker answers"
    house.resolver.round(0)

    assert _running(house.resolver) == set()
    assert house.resolver.ready_fault() == "no broker answers"


def test_what_stays_is_neither_dropped_nor_taken_over_again(house: House, group: Group) -> None:
    house.resolver.round(0)
    before = house.resolver._running[HERE]

    group.given = frozenset({HERE})
    house.resolver.round(0)

    assert house.resolver._running == {HERE: before}


def test_takeovers_that_last_leave_their_turn_to_the_partitions_that_run(
    house: House, group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "TAKING_OVER_SECONDS", -1)
    house.open("g1")
    group.given = frozenset({HERE})
    house.settle()
    group.given = EVERYTHING

    house.say("g1", "ana", "order", name="while others are taken over")
    judged = len(house.told("g1"))
    house.resolver.round(0)

    assert len(house.told("g1")) > judged
    assert "not taken over yet" in (house.resolver.ready_fault() or "")
    house.settle()
    assert house.resolver.ready_fault() is not None, "nothing is taken over while others run and no time is left"
    monkeypatch.setattr(loop, "TAKING_OVER_SECONDS", 60)
    house.resolver.round(0)
    assert _running(house.resolver) == EVERYTHING
    assert house.resolver.ready_fault() is None


def test_a_partition_that_goes_away_during_a_takeover_is_not_taken_over(
    house: House, group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shrink(*arguments: object) -> Taken:
        group.given = frozenset({0, 1})
        return take_over(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(loop, "take_over", shrink)

    house.resolver.round(0)

    assert _running(house.resolver) == {0, 1}


def test_a_partition_that_comes_back_is_taken_over_at_once_though_it_failed_before(
    house: House, group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance = Sequencer.advance

    def fail(self: Sequencer, now: int) -> None:
        if self.partition == HERE:
            raise ZeroDivisionError("a fault of ours")
        advance(self, now)

    house.resolver = house.new_resolver(replace(UNHURRIED, retry_ms=3_600_000))
    with monkeypatch.context() as broken:
        broken.setattr(Sequencer, "advance", fail)
        house.resolver.round(0)
    assert HERE not in _running(house.resolver)

    group.given = EVERYTHING - {HERE}
    house.resolver.round(0)
    assert house.resolver.ready_fault() is None
    group.given = EVERYTHING
    house.resolver.round(0)

    assert _running(house.resolver) == EVERYTHING


def test_a_partition_that_stopped_here_is_tried_again_when_it_comes_back(
    house: House, group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(log: object, snapshots: object, partition: int, *rest: object) -> Taken:
        if partition == HERE:
            raise PartitionStopped("it is damaged")
        return take_over(log, snapshots, partition, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as damaged:
        damaged.setattr(loop, "take_over", stop)
        house.resolver.round(0)
    house.resolver.round(0)
    assert "it is damaged" in (house.resolver.ready_fault() or "")

    for group.given in (EVERYTHING - {HERE}, EVERYTHING):
        house.resolver.round(0)

    assert _running(house.resolver) == EVERYTHING
    assert house.resolver.ready_fault() is None


def test_two_resolvers_that_swap_their_partitions_judge_every_input_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = house.resolver, house.new_resolver()
    halves = [frozenset(range(6)), frozenset(range(6, PARTITIONS))]
    for resolver in (one, other):
        resolver._membership = WholeMembership()
    house.open("g1")

    for number in range(6):
        monkeypatch.setattr(one._membership, "partitions", lambda half=halves[number % 2]: half)
        monkeypatch.setattr(other._membership, "partitions", lambda half=halves[1 - number % 2]: half)
        house.say("g1", "ana", "order", name=f"order {number}")
        for resolver in (one, other):
            resolver.round(0)
            resolver.round(0)

    assert sum("order" in told for told in house.told("g1")) == 6
