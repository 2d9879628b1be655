"""A client of a group that has stopped to take part in it, and does not see that it must join again."""

import time
from types import SimpleNamespace
from typing import Any

import pytest

from shared.log import kafka_membership as module


class Coordinator:
    """The part of kafka-python's client that keeps a membership, in the states that it was found in."""

    def __init__(self, *, stable: bool, heard_ago: float, due: bool = False) -> None:
        self._stable = stable
        self._due = due
        self.asked = 0
        heard = time.monotonic() - heard_ago
        self.heartbeat = SimpleNamespace(last_send=heard, last_receive=heard)

    def stable(self) -> bool:
        return self._stable

    def need_rejoin(self) -> bool:
        return self._due

    def request_rejoin(self) -> None:
        self._due = True
        self.asked += 1


def seat_of(coordinator: Coordinator) -> Any:
    return module._Seat(SimpleNamespace(_coordinator=coordinator), "resolver", "turns")


def test_a_join_that_failed_while_its_reason_went_away_is_begun_again() -> None:
    coordinator = Coordinator(stable=False, heard_ago=0)
    seat = seat_of(coordinator)

    assert seat.must_rejoin()
    assert seat.must_rejoin()

    assert coordinator.asked == 1


def test_a_member_that_hears_nothing_long_after_its_session_joins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    coordinator = Coordinator(stable=True, heard_ago=0)
    seat = seat_of(coordinator)
    later = time.monotonic() + module.SESSION_SECONDS + module.REJOIN_SECONDS + 1
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: later))

    assert seat.must_rejoin()

    assert coordinator.asked == 1


@pytest.mark.parametrize("heard_ago", [0, 20], ids=["a member that is heard", "one that has just begun"])
def test_a_member_that_takes_part_is_left_alone(heard_ago: float) -> None:
    coordinator = Coordinator(stable=True, heard_ago=heard_ago)

    assert not seat_of(coordinator).must_rejoin()

    assert coordinator.asked == 0


def test_a_join_that_is_due_needs_no_request() -> None:
    coordinator = Coordinator(stable=False, heard_ago=20, due=True)

    assert seat_of(coordinator).must_rejoin()

    assert coordinator.asked == 0
