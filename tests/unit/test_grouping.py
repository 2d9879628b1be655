"""Calls that come while another is under way go together; each gets what is its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.grouping import Grouping

SECONDS = 60


class Slow:
    """Work that holds the first group until it is told to go on, and notes every group."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.begun = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, items: Sequence[int]) -> list[int]:
        self.groups.append(list(items))
        if len(self.groups) == 1:
            self.begun.set()
            assert self.go_on.wait(SECONDS)
        if -1 in items:
            raise LookupError("one of them is bad")
        return [item * 10 for item in items]


def together(slow: Slow, grouping: Grouping[int, int], items: Sequence[int]) -> list[int | str]:
    """Call with 0, then with the items at once while that is under way; returns what the items get, by item."""

    def call(item: int) -> int | str:
        try:
            return grouping(item)
        except (LookupError, ValueError) as error:
            return str(error)

    with ThreadPoolExecutor(len(items) + 1) as pool:
        first = pool.submit(call, 0)
        assert slow.begun.wait(SECONDS)
        rest = [pool.submit(call, item) for item in items]
        while len(grouping._waiting) < len(items):
            threading.Event().wait(0.001)
        slow.go_on.set()
        assert first.result(SECONDS) == 0
        return [future.result(SECONDS) for future in rest]


def test_one_alone_goes_at_once() -> None:
    assert Grouping[int, int](lambda items: [item + 1 for item in items], 8)(1) == 2


def test_who_comes_meanwhile_goes_together_and_gets_her_own() -> None:
    slow = Slow()
    assert together(slow, Grouping(slow, 8), [1, 2, 3]) == [10, 20, 30]
    assert [sorted(group) for group in slow.groups] == [[0], [1, 2, 3]]


def test_a_group_has_a_largest_size() -> None:
    slow = Slow()
    assert together(slow, Grouping(slow, 2), [1, 2, 3]) == [10, 20, 30]
    assert [len(group) for group in slow.groups] == [1, 2, 1]


def test_heavy_items_go_in_smaller_groups_and_one_that_is_too_heavy_goes_alone() -> None:
    slow = Slow()
    grouping = Grouping(slow, 5, lambda item: item)
    assert sorted(map(int, together(slow, grouping, [2, 3, 9, 1]))) == [10, 20, 30, 90]
    assert all(sum(group) <= 5 or len(group) == 1 for group in slow.groups)


def test_who_comes_while_the_work_waits_for_a_lock_goes_with_it() -> None:
    lock, groups = threading.Lock(), []

    def work(take: Callable[[], Sequence[int]]) -> Sequence[int]:
        with lock:
            groups.append(list(take()))
            return groups[-1]

    grouping = Grouping[int, int].late(work, 8)
    with ThreadPoolExecutor(3) as pool, lock:
        calls = [pool.submit(grouping, item) for item in range(3)]
        while len(grouping._waiting) < 3:
            threading.Event().wait(0.001)
        lock.release()
        assert [call.result(SECONDS) for call in calls] == [0, 1, 2]
        lock.acquire()
    assert [sorted(group) for group in groups] == [[0, 1, 2]]


def test_work_that_fails_before_it_takes_fails_for_all_that_wait() -> None:
    go_on = threading.Event()

    def work(take: Callable[[], Sequence[int]]) -> Sequence[int]:
        assert go_on.wait(SECONDS)
        raise LookupError("the lock cannot be had")

    grouping = Grouping[int, int].late(work, 8)
    with ThreadPoolExecutor(3) as pool:
        calls = [pool.submit(grouping, item) for item in range(3)]
        while len(grouping._waiting) < 3:
            threading.Event().wait(0.001)
        go_on.set()
        assert [str(call.exception(SECONDS)) for call in calls] == ["the lock cannot be had"] * 3
    assert not grouping._led


def test_a_failure_is_told_to_its_group_and_the_next_one_goes_on() -> None:
    slow = Slow()
    grouping = Grouping(slow, 8)
    assert together(slow, grouping, [-1, 2]) == ["one of them is bad"] * 2
    assert grouping(5) == 50


@pytest.mark.parametrize("threads", [1, 8])
def test_nobody_is_forgotten(threads: int) -> None:
    grouping = Grouping[int, int](list, 3)
    with ThreadPoolExecutor(threads) as pool:
        assert list(pool.map(grouping, range(2_000))) == list(range(2_000))


def test_work_that_gives_too_few_results_fails_for_its_group_and_leaves_nobody_waiting() -> None:
    slow = Slow()
    grouping = Grouping[int, int](lambda items: [item for item in slow(items) if item != 20], 8)
    assert together(slow, grouping, [1, 2]) == ["1 results for 2 items"] * 2
    assert grouping(5) == 50
