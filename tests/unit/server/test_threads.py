"""Jobs go to threads, calls come back to the event loop: none is lost, and a byte stands for many."""

import os
import select
import threading
import time
from collections.abc import Iterator

import pytest

from shared.server.threads import Calls, Settings, Threads

SECONDS = 60


@pytest.fixture
def calls() -> Iterator[Calls]:
    made = Calls()
    made.init()
    yield made
    made.close()


def rung(calls: Calls, seconds: float = 0) -> bool:
    return bool(select.select([calls.fileno()], [], [], seconds)[0])


def test_jobs_are_done_in_several_threads_at_once_and_no_more_than_were_asked_for() -> None:
    threads = Threads(2)
    meeting = threading.Barrier(3)
    names: list[str] = []

    def job() -> None:
        names.append(threading.current_thread().name)
        meeting.wait(SECONDS)

    for _ in range(4):
        threads.submit(job)
    meeting.wait(SECONDS)
    meeting.wait(SECONDS)
    assert len(names) == 4
    assert len(set(names)) == 2


def test_jobs_one_after_the_other_need_no_thread_each() -> None:
    threads = Threads(100)
    names: set[str] = set()
    for _ in range(100):
        done = threading.Event()

        def job(done: threading.Event = done) -> None:
            names.add(threading.current_thread().name)
            done.set()

        threads.submit(job)
        assert done.wait(SECONDS)
        until_one_is_idle(threads)
    assert len(names) == 1


@pytest.mark.parametrize("raised", [ZeroDivisionError, SystemExit])
def test_a_job_that_raises_ends_no_thread_and_is_logged_with_its_cause(
    raised: type[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    threads = Threads(2)
    meeting = threading.Barrier(3)

    def faulty() -> None:
        meeting.wait(SECONDS)
        try:
            raise KeyError("the cause")
        except KeyError as cause:
            raise raised("the fault") from cause

    def meet() -> None:
        meeting.wait(SECONDS)

    for _ in range(2):
        threads.submit(faulty)
    meeting.wait(SECONDS)
    for _ in range(2):
        threads.submit(meet)
    meeting.wait(SECONDS)  # both threads are there for the next jobs
    said = capsys.readouterr().out
    assert all(text in said for text in ("job_failed", "the cause", "the fault"))


def until_one_is_idle(threads: Threads) -> None:
    """Who has done a job says so a little later that she waits for the next."""
    end = time.monotonic() + SECONDS
    while not threads._idle and time.monotonic() < end:
        time.sleep(0)


def test_many_calls_ring_once(calls: Calls) -> None:
    for _ in range(3):
        calls.defer(dict)
    assert os.read(calls.fileno(), 100) == b"!"


def test_calls_are_made_in_order_and_later_ones_ring_again(calls: Calls) -> None:
    made: list[int] = []
    for number in range(3):
        calls.defer(made.append, number)
    assert rung(calls)
    calls.run_callbacks(None)
    assert made == [0, 1, 2]
    assert not rung(calls)
    calls.defer(made.append, 3)
    assert rung(calls)
    calls.run_callbacks(None)
    assert made == [0, 1, 2, 3]


def test_a_call_left_while_calls_are_made_is_not_lost(calls: Calls) -> None:
    made: list[str] = []
    calls.defer(calls.defer, made.append, "later")
    while rung(calls):
        calls.run_callbacks(None)
    assert made == ["later"]


def test_no_call_of_many_threads_is_lost(calls: Calls) -> None:
    made: list[int] = []

    def leave(first: int) -> None:
        for number in range(first, first + 1000):
            calls.defer(made.append, number)

    threads = [threading.Thread(target=leave, args=(first,)) for first in range(0, 4000, 1000)]
    for thread in threads:
        thread.start()
    while len(made) < 4000 and rung(calls, SECONDS):
        calls.run_callbacks(None)
    for thread in threads:
        thread.join(SECONDS)
    assert sorted(made) == list(range(4000))


def test_a_call_after_the_end_is_nothing() -> None:
    calls = Calls()
    calls.init()
    calls.close()
    calls.defer(lambda: pytest.fail("it must not be made"))


def test_a_setting_is_looked_up_once() -> None:
    class Slow:
        asked = 0

        @property
        def threads(self) -> int:
            self.asked += 1
            return 8

    slow = Slow()
    settings = Settings(slow)
    assert [settings.threads, settings.threads] == [8, 8]
    assert slow.asked == 1
    with pytest.raises(AttributeError):
        _ = settings.nonsense
