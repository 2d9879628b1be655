"""How old the views of a game may be, as the projector has said it last."""

from shared.log import PARTITIONS, partition_of
from shared.views import freshness
from shared.views.freshness import SHOWN_FROM_SECONDS, Freshness, note_freshness
from tests.unit.gateway.clocks import SetClock
from tests.unit.views.memory import MemoryDocuments

GAME = "g1"
NOW = 1_700_000_000_000


def said(documents: MemoryDocuments, clock: SetClock, seconds: int) -> int | None:
    """The age that somebody hears who asks so many seconds later."""
    clock.at = NOW + seconds * 1000
    return Freshness(documents, clock).age(GAME)


def test_views_that_are_kept_up_have_no_age_and_others_tell_it_in_seconds() -> None:
    documents, clock = MemoryDocuments(), SetClock(NOW)
    note_freshness(documents, {partition_of(GAME): NOW})

    assert said(documents, clock, SHOWN_FROM_SECONDS - 1) is None
    assert said(documents, clock, SHOWN_FROM_SECONDS) == SHOWN_FROM_SECONDS
    assert said(documents, clock, 300) == 300


def test_an_age_is_that_of_the_games_own_partition() -> None:
    documents, clock = MemoryDocuments(), SetClock(NOW)
    others = {number: NOW for number in range(PARTITIONS) if number != partition_of(GAME)}
    note_freshness(documents, others)
    assert said(documents, clock, 300) is None

    note_freshness(documents, {partition_of(GAME): NOW + 100_000})
    assert said(documents, clock, 300) == 200


def test_what_a_projector_says_that_was_asleep_does_not_make_views_older() -> None:
    documents, clock = MemoryDocuments(), SetClock(NOW)
    note_freshness(documents, {partition_of(GAME): NOW})
    note_freshness(documents, {partition_of(GAME): NOW - 500_000})

    assert said(documents, clock, 20) == 20


def test_it_is_looked_up_seldom_and_a_store_that_is_away_changes_nothing() -> None:
    documents, clock = MemoryDocuments(), SetClock(NOW + 60_000)
    note_freshness(documents, {partition_of(GAME): NOW})
    asked = Freshness(documents, clock)
    assert asked.age(GAME) == 60
    note_freshness(documents, {partition_of(GAME): NOW + 60_000})

    assert asked.age(GAME) == 60
    asked._looked -= freshness._LOOK_SECONDS
    assert asked.age(GAME) is None
