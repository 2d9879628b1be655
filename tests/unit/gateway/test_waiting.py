"""The poller thread: it outlives whatever reading heads throws at it, and its death is told."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from services.gateway import waiting
from services.gateway.waiting import HeadWatch
from tests.unit.gateway.house import House


class Heads:
    """Marks of heads that grow with each look; the first looks fail."""

    def __init__(self, *failures: BaseException) -> None:
        self._failures = list(failures)
        self._looks = 0

    def marks(self, games: Iterable[str]) -> Mapping[str, object]:
        if self._failures:
            raise self._failures.pop(0)
        self._looks += 1
        return dict.fromkeys(games, self._looks)


@pytest.fixture
def watching(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Heads], HeadWatch[object]]]:
    monkeypatch.setattr(waiting, "_SICK_SECONDS", 0.01)
    made: list[HeadWatch[object]] = []

    def watch(heads: Heads) -> HeadWatch[object]:
        made.append(HeadWatch(heads.marks, lambda seconds: time.sleep(0.005)))
        return made[-1]

    yield watch
    for item in made:
        item.stop()


def test_an_unexpected_failure_is_survived_and_waiters_are_woken_after_it(
    watching: Callable[[Heads], HeadWatch[object]],
) -> None:
    heads = watching(Heads(RuntimeError("no such column"), KeyError("head"), MemoryError()))
    with heads.on("g1") as watch:
        assert watch.wait(0, 60)
    assert heads.fault() is None


def _fault_within(watch: HeadWatch[Any], seconds: float) -> str | None:
    end = time.monotonic() + seconds
    while watch.fault() is None and time.monotonic() < end:
        time.sleep(0.01)
    return watch.fault()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_dead_thread_is_told_and_one_that_was_stopped_is_no_fault(
    watching: Callable[[Heads], HeadWatch[object]],
) -> None:
    heads = watching(Heads(SystemExit()))
    assert heads.fault() is None
    with heads.on("g1"):
        assert "has died" in str(_fault_within(heads, 60))
    heads.stop()
    assert heads.fault() is None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_gateway_whose_poller_died_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path)
    try:
        assert house.nobody().get("/readyz").status_code == 200
        monkeypatch.setattr(house.context.watch, "_marks", Heads(SystemExit()).marks)
        with house.context.watch.on("g1"):
            assert _fault_within(house.context.watch, 60)
            answer = house.nobody().get("/readyz")
        assert (answer.status_code, "has died" in answer.get_data(as_text=True)) == (503, True)
    finally:
        house.close()
