"""Very many streams: as many as there are places are open, the others are told so, and everybody else is served."""

import pytest

from tests.counts import Counts
from tests.e2e.wars import enlisted, small_war
from tests.hostile.conftest import MOST_STREAMS
from tests.hostile.crowd import Crowd, Visitor, allow_open_files, each, whole
from tests.hostile.witness import Witness
from warledger.demo.installation import Installation, installation

pytestmark = pytest.mark.timeout(600)
GROUP = "open streams"
MANY, MANY_PLACES = 10_000, 1_000


def is_open(visitor: Visitor) -> bool:
    """Whether a visitor has an open stream."""
    return b"event: opened" in visitor.received and not visitor.closed


def siege(house: Installation, witness: Witness, counts: Counts, visitors: int, places: int) -> None:
    """More streams than there are places; then a turn closes, and whoever has a stream sees it."""
    game = small_war(house)
    allow_open_files(visitors + 2_000)
    request = whole("GET", f"/games/{game}/stream")
    with Crowd(house.settings.urls["streams"]) as crowd, witness.ordering() as took:
        each(crowd, visitors, request)

        crowd.run(100, until=lambda: None not in crowd.statuses())
        assert (crowd.answered(200), crowd.answered(429)) == (places, visitors - places)
        refused = next(visitor for visitor in crowd.visitors if visitor.status == 429)
        assert b'"code":"too_many_streams"' in refused.received
        assert b"Retry-After: " in refused.received
        house.operator.command(game, "close_turn", {"turn": 1})
        streams = [visitor for visitor in crowd.visitors if is_open(visitor)]
        assert crowd.run(100, until=lambda: all(b"turn_closed" in stream.received for stream in streams))
        assert all(is_open(stream) for stream in streams)
        assert house.operator.request("GET", "/games").status == 200
    counts.add(GROUP, "asked for", visitors)
    counts.add(GROUP, "open", places)
    counts.add(GROUP, "refused as too_many_streams", visitors - places)
    counts.largest(GROUP, "slowest honest order meanwhile, ms", max(took))
    assert gets_a_place(house, request)


def gets_a_place(house: Installation, request: bytes) -> bool:
    """Whether somebody who asks again and again gets a stream within a while."""
    with Crowd(house.settings.urls["streams"]) as crowd:
        for _ in range(60):
            visitor = crowd.add(request)
            crowd.run(2, until=lambda: visitor.status is not None)  # noqa: B023 - asked before the next one comes
            if crowd.run(0.5, until=lambda: is_open(visitor)):  # noqa: B023
                return True
    return False


@pytest.mark.slow
def test_streams_beyond_the_limit_are_refused_and_a_place_is_free_soon_after_somebody_hung_up(
    besieged: Installation, witness: Witness, counts: Counts
) -> None:
    siege(besieged, witness, counts, 3 * MOST_STREAMS, MOST_STREAMS)


@pytest.mark.faults
def test_ten_thousand_streams(tmp_path_factory: pytest.TempPathFactory, counts: Counts) -> None:
    places = {"WARLEDGER_MAX_STREAMS": str(MANY_PLACES)}
    with installation(tmp_path_factory.mktemp("streams") / "data", places) as house:
        game = small_war(house)
        siege(house, Witness(enlisted(house, game, "red", "dunmere"), game), counts, MANY, MANY_PLACES)
