"""Requests that go together wait while threads enough are at it, but not behind a group that takes too long."""

import math
from types import SimpleNamespace
from typing import Any

import pytest

from shared.server.groups import MOST_TOGETHER, Group, Groups


class Seconds:
    """A clock that the test holds."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


def groups(seconds: Seconds, most_groups: int = 1, patience: float = math.inf) -> Groups:
    app: Any = SimpleNamespace(most_groups=most_groups, patience=patience, may_join=lambda data: data != b"alone")
    return Groups(app, seconds)


def take(line: Groups, *requests: bytes) -> list[bool]:
    connection: Any = None
    return [line.takes(connection, data) for data in requests]


def data_of(group: Group | None) -> list[bytes]:
    assert group is not None
    return [data for _, data in group.requests]


def test_what_is_there_goes_together_and_what_may_not_join_does_not(seconds: Seconds) -> None:
    line = groups(seconds)
    assert take(line, b"1", b"alone", b"2") == [True, False, True]
    assert data_of(line.next()) == [b"1", b"2"]
    assert line.next() is None


def test_who_comes_while_threads_enough_are_at_it_goes_with_the_next(seconds: Seconds) -> None:
    line = groups(seconds, most_groups=2)
    take(line, b"1")
    first = line.next()
    take(line, b"2")
    assert data_of(line.next()) == [b"2"]
    take(line, b"3", b"4")
    assert line.next() is None
    assert first is not None
    line.done(first)
    assert data_of(line.next()) == [b"3", b"4"]


def test_a_group_has_a_largest_size(seconds: Seconds) -> None:
    line = groups(seconds, most_groups=2)
    take(line, *(b"x" for _ in range(MOST_TOGETHER + 1)))
    assert [len(data_of(line.next())) for _ in range(2)] == [MOST_TOGETHER, 1]


def test_nobody_waits_longer_than_that_behind_a_group_without_an_answer(seconds: Seconds) -> None:
    line = groups(seconds, patience=1.0)
    take(line, b"1")
    assert data_of(line.next()) == [b"1"]
    take(line, b"2")
    seconds.now += 0.9
    assert line.next() is None
    seconds.now += 0.2
    assert data_of(line.next()) == [b"2"]
    take(line, b"3")
    assert line.next() is None
