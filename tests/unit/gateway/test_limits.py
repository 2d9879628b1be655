"""Limits on attempts: counted beforehand, shared, by window, without keeping who tried."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.gateway.limits import Attempts, Limit, network_of
from shared.documents import Documents
from shared.documents.sqlite import SqliteDocuments
from shared.errors import Problem
from tests.unit.gateway.clocks import SetClock

LOGIN = Limit("login", 3, 60)


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[Documents]:
    store = SqliteDocuments(tmp_path)
    yield store
    store.close()


@pytest.fixture
def clock() -> SetClock:
    return SetClock(600_000)


@pytest.fixture
def attempts(documents: Documents, clock: SetClock) -> Attempts:
    return Attempts(documents, clock)


def test_the_attempt_beyond_the_limit_is_refused_with_the_time_to_wait(attempts: Attempts, clock: SetClock) -> None:
    for _ in range(3):
        attempts.take(LOGIN, "192.0.2.1")
    clock.advance(20_000)
    with pytest.raises(Problem) as refused:
        attempts.take(LOGIN, "192.0.2.1")
    assert refused.value.status == 429
    assert refused.value.headers["Retry-After"] == "40"


def test_the_next_window_begins_anew_and_other_keys_are_free(attempts: Attempts, clock: SetClock) -> None:
    for _ in range(3):
        attempts.take(LOGIN, "192.0.2.1")
    attempts.take(LOGIN, "192.0.2.2")
    clock.advance(60_000)
    attempts.take(LOGIN, "192.0.2.1")


def test_an_honest_attempt_is_given_back(attempts: Attempts) -> None:
    for _ in range(10):
        attempts.take(LOGIN, "ana")
        attempts.give_back(LOGIN, "ana")


def test_many_at_once_do_not_slip_through(documents: Documents, clock: SetClock) -> None:
    limit = Limit("login", 5, 60)

    def attempt(_: int) -> bool:
        try:
            Attempts(documents, clock).take(limit, "ana")
        except Problem:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(40))) == 5


def test_the_store_holds_no_address_and_forgets_old_windows(
    attempts: Attempts, documents: Documents, clock: SetClock
) -> None:
    attempts.take(LOGIN, "192.0.2.1")
    assert "192.0.2.1" not in str(documents.find("limits", ""))
    clock.advance(120_000)
    attempts.take(LOGIN, "192.0.2.9")
    assert len(documents.find("limits", "")) == 1


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("", "unknown"),
    ],
)
def test_an_ipv6_client_counts_by_its_network(address: str, network: str) -> None:
    assert network_of(address) == network
