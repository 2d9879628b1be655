"""Clients that are slow, idle, or do not read: they wait for themselves, nobody waits for them."""

import pytest

from tests.counts import Counts
from tests.hostile.crowd import Crowd, allow_open_files, each, head, whole
from tests.hostile.witness import Witness
from warledger.demo.installation import Installation

pytestmark = pytest.mark.timeout(600)
GROUP = "slow clients"
MORE_FILES = 2_000

SHORT = pytest.param(300, marks=pytest.mark.slow)


@pytest.mark.parametrize("count", [SHORT, pytest.param(3_000, marks=pytest.mark.faults)])
def test_headers_that_never_end_hold_nobody_up_and_are_cut_off(
    besieged: Installation, witness: Witness, counts: Counts, count: int
) -> None:
    allow_open_files(count + MORE_FILES)
    with Crowd(besieged.settings.urls["gateway"]) as crowd, witness.ordering() as took:
        each(crowd, count, head("GET", "/games"), b"X-Slow: " + b"x" * 1000)
        assert crowd.run(100, until=lambda: crowd.open() == 0)
    assert crowd.statuses() <= {408, None}  # None: dropped to make room for others
    assert crowd.answered(408)
    counts.add(GROUP, "headers without end", count)
    counts.largest(GROUP, "slowest honest order meanwhile, ms", max(took))


@pytest.mark.parametrize(
    ("count", "seconds"),
    [pytest.param(300, 5, marks=pytest.mark.slow), pytest.param(1_500, 90, marks=pytest.mark.faults)],
)
def test_bodies_that_never_end_hold_nobody_up(
    besieged: Installation, witness: Witness, counts: Counts, count: int, seconds: float
) -> None:
    allow_open_files(count + MORE_FILES)
    with Crowd(besieged.settings.urls["gateway"]) as crowd, witness.ordering() as took:
        each(
            crowd,
            count,
            whole("POST", "/tokens", "Content-Type: application/json", body=b"{" * 1_000)[:-990],
            b" " * 980,
        )
        ended = crowd.run(seconds, until=lambda: crowd.open() == 0)
    assert crowd.statuses() <= {408, None}
    assert ended == (seconds > 60)  # the time that a body may take
    assert crowd.answered(408) == (count if ended else 0)
    counts.add(GROUP, "bodies without end", count)
    counts.largest(GROUP, "slowest honest order meanwhile, ms", max(took))


@pytest.mark.parametrize("count", [SHORT, pytest.param(9_000, marks=pytest.mark.faults)])
def test_connections_without_a_word_make_room_for_others(
    besieged: Installation, witness: Witness, counts: Counts, count: int
) -> None:
    allow_open_files(count + MORE_FILES)
    with Crowd(besieged.settings.urls["gateway"]) as crowd, witness.ordering() as took:
        each(crowd, count, b"")
        assert crowd.run(100, until=lambda: crowd.open() == 0)
    counts.add(GROUP, "connections without a word", count)
    counts.largest(GROUP, "slowest honest order meanwhile, ms", max(took))


@pytest.mark.parametrize(
    "count", [pytest.param(60, marks=pytest.mark.slow), pytest.param(600, marks=pytest.mark.faults)]
)
def test_answers_that_nobody_reads_hold_no_thread(
    besieged: Installation, witness: Witness, counts: Counts, count: int
) -> None:
    large = whole("GET", "/docs", "Accept: text/html") * 40
    with Crowd(besieged.settings.urls["gateway"]) as crowd, witness.ordering() as took:
        for _ in range(count):
            crowd.add(large, reads=False, window=4_096)
        crowd.run(5)
    counts.add(GROUP, "answers that nobody reads", count)
    counts.largest(GROUP, "slowest honest order meanwhile, ms", max(took))


@pytest.mark.slow
def test_slow_but_honest_clients_are_answered(besieged: Installation) -> None:
    request = whole("GET", "/livez")
    with Crowd(besieged.settings.urls["gateway"]) as crowd:
        each(crowd, 20, request[:10], request[10:])
        assert crowd.run(100, until=lambda: crowd.answered(200) == 20, drip_every=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("count", [50, 2_000])  # all at once, and more than is read ahead
def test_requests_sent_in_a_row_are_answered_in_a_row(besieged: Installation, count: int) -> None:
    with Crowd(besieged.settings.urls["gateway"]) as crowd:
        visitor = crowd.add(whole("GET", "/livez") * count)
        assert crowd.run(100, until=lambda: visitor.received.count(b"HTTP/1.1 200 OK") == count)
