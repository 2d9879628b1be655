"""While an intake cannot store, one call tries it and nobody waits behind that one."""

import threading
from contextlib import ExitStack

import pytest

from services.gateway.breaker import SLOW_SECONDS, Breaker, Refused


class Seconds:
    """A clock that the test holds."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def breaker(seconds: Seconds) -> Breaker:
    return Breaker(seconds)


def fail(breaker: Breaker) -> None:
    """An exchange that nobody says has succeeded."""
    with breaker.exchange(breaker.arrive()):
        pass


def test_calls_wait_behind_one_that_is_quick(breaker: Breaker, seconds: Seconds) -> None:
    with breaker.exchange(breaker.arrive()) as succeed:
        seconds.now += SLOW_SECONDS / 2
        waiting = breaker.arrive()
        succeed()
    with breaker.exchange(waiting) as succeed:
        succeed()


def test_nobody_waits_behind_one_that_lasts(breaker: Breaker, seconds: Seconds) -> None:
    with breaker.exchange(breaker.arrive()) as succeed:
        seconds.now += SLOW_SECONDS + 1
        with pytest.raises(Refused):
            breaker.arrive()
        succeed()
    breaker.arrive()


def test_who_waited_for_an_exchange_that_failed_is_told_the_same(breaker: Breaker) -> None:
    with breaker.exchange(breaker.arrive()):
        waiting = breaker.arrive()
    with pytest.raises(Refused), breaker.exchange(waiting):
        pytest.fail("it was tried")


def test_after_a_failure_one_tries_at_a_time_until_one_succeeds(breaker: Breaker) -> None:
    fail(breaker)
    with breaker.exchange(breaker.arrive()) as succeed:
        with pytest.raises(Refused):
            breaker.arrive()
        succeed()
    with breaker.exchange(breaker.arrive()):
        breaker.arrive()


def test_an_exchange_that_raises_has_failed_and_is_not_under_way_any_more(breaker: Breaker) -> None:
    with pytest.raises(ConnectionError), breaker.exchange(breaker.arrive()):
        raise ConnectionError
    with breaker.exchange(breaker.arrive()), pytest.raises(Refused):
        breaker.arrive()
    breaker.arrive()


def test_exchanges_side_by_side_are_counted_each(breaker: Breaker, seconds: Seconds) -> None:
    with ExitStack() as quick:
        quick.enter_context(breaker.exchange(breaker.arrive()))()
        slow = ExitStack()
        slow.enter_context(breaker.exchange(breaker.arrive()))()
        quick.pop_all().close()
        seconds.now += SLOW_SECONDS + 1
        with pytest.raises(Refused):
            breaker.arrive()
        slow.close()
    breaker.arrive()


def test_many_threads_leave_nothing_under_way() -> None:
    breaker = Breaker()

    def call() -> None:
        for number in range(200):
            try:
                with breaker.exchange(breaker.arrive()) as succeed:
                    if number % 3:
                        succeed()
            except Refused:
                pass

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert breaker._under_way == []
