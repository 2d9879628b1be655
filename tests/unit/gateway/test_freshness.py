"""`Age` of what is read of a game while the views are not kept up to the log."""

from dataclasses import replace

import pytest

from services.gateway.app import create_app
from services.resolver import lagging
from shared.clock import SystemClock
from shared.views.freshness import Freshness
from tests.faults.waiting import eventually
from tests.unit.gateway.clocks import SetClock
from tests.unit.gateway.house import House, Player

LATER_MS = 600_000


@pytest.fixture
def later(house: House) -> Player:
    """Somebody who reads ten minutes after a projector was last heard of."""
    clock = SetClock(SystemClock().now() + LATER_MS)
    return Player(create_app(replace(house.context, freshness=Freshness(house.documents, clock))))


@pytest.mark.slow
def test_a_running_projector_says_that_the_views_are_complete_and_nobody_hears_of_an_age(
    house: House, played: str, later: Player
) -> None:
    eventually(lambda: "Age" in later.get(f"/games/{played}").headers, "an age", 12 * lagging.EVERY_SECONDS)
    for path in ("", "/map", "/turns/1"):
        assert "Age" not in house.nobody().get(f"/games/{played}{path}").headers


def test_pages_drawings_and_unchanged_answers_tell_an_age_and_refusals_do_not(
    house: House, played: str, later: Player
) -> None:
    eventually(lambda: "Age" in later.get(f"/games/{played}").headers, "an age", 12 * lagging.EVERY_SECONDS)
    first = later.get(f"/games/{played}/map")
    unchanged = later.get(f"/games/{played}/map", If_None_Match=first.headers["ETag"])
    drawing = later.get(f"/games/{played}/map", Accept="image/svg+xml")

    assert unchanged.status_code == 304
    for answer in (first, unchanged, drawing):
        assert LATER_MS / 1000 - 120 < int(answer.headers["Age"]) <= LATER_MS / 1000 + 120
    assert "Age" not in later.get("/games/none").headers
    assert "Age" not in later.get("/games").headers
