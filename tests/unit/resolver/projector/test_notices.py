"""Notices follow from the journal alone: each once, under one id, however the journal was cut and read."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.host_events import REMINDER_GIVEN, REMINDERS_DUE
from shared.views import FeedEntry, Head, Views, ids
from tests.unit.resolver.projector.batches import project_rest
from tests.unit.views.memory import MemoryDocuments
from tests.unit.views.toy import Story, records, stories

OF_ANA = ("public", "player:ana", "team:red")
HER_NOTICES = tuple(ids.notices(audience) for audience in OF_ANA)
STREAM = (*OF_ANA, *HER_NOTICES)
_fixture_is_constant = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50
)


def projected(story: Story, size: int = 10_000) -> tuple[Views, Head]:
    documents = MemoryDocuments()
    project_rest(documents, records([story]), size)
    views = Views(documents)
    head = views.head("g1")
    assert head is not None
    return views, head


def streamed(views: Views, head: Head, a_read: int) -> Iterator[FeedEntry]:
    """What a stream gives that is broken off after every read and goes on behind its last event."""
    after: dict[str, int] = {}
    while read := views.news(head, STREAM, after, a_read):
        assert read == views.feed(head, STREAM, after, a_read)
        yield from read
        after = dict(read[-1].after)


def paged(views: Views, head: Head, a_page: int) -> Iterator[FeedEntry]:
    """The list, page by page."""
    page = views.newest(head, HER_NOTICES, None, a_page)
    while page:
        yield from page
        page = views.newest(head, HER_NOTICES, page[-1].after, a_page)


@_fixture_is_constant
@given(stories(), st.integers(1, 8), st.integers(1, 7))
def test_every_split_reading_and_paging_gives_the_same_notices_each_once(story: Story, size: int, step: int) -> None:
    views, head = projected(story)
    whole = [entry for entry in views.feed(head, STREAM, {}, 10_000) if entry.notice]
    named = [(entry.notice, entry.type, entry.data, entry.at) for entry in whole]
    assert len({entry.notice for entry in whole}) == len(whole)

    split, reached = projected(story, size)
    again = [entry for entry in streamed(split, reached, step) if entry.notice]
    listed = [*paged(split, reached, step)][::-1]

    assert [(entry.notice, entry.type, entry.data, entry.at) for entry in again] == named
    assert [(entry.notice, entry.type, entry.data, entry.at) for entry in listed] == named


@_fixture_is_constant
@given(stories(), st.integers(1, 5))
def test_a_stream_has_every_event_once_and_each_notice_behind_its_event(story: Story, step: int) -> None:
    views, head = projected(story)
    read = list(streamed(views, head, step))
    events = [entry.n for entry in read if not entry.notice]
    expected = [
        event.n
        for unit in story.units
        for record in unit
        for event in record
        if not {"public", "player:ana", "team:red"}.isdisjoint(event.to)
    ]
    assert events == expected
    for before, entry in pairwise(read):
        if entry.notice:
            assert before.n == entry.n


@pytest.fixture
def reminded() -> Story:
    """Ana has acted, and in the same record she and bia are reminded."""
    story = Story()
    story.created()
    told = {"at": 77_000, "deadline": 99_000, "seconds": 5}
    story.unit(
        story.judgement("i1", actor="ana"),
        story.wrote(to=("team:red",)),
        story.event(REMINDERS_DUE, {**told, "players": 2}, ()),
        story.event(REMINDER_GIVEN, {**told, "period": "turn", "number": 3}, ("player:ana", "player:bia")),
    )
    return story


def test_a_reminder_is_a_notice_to_those_whom_the_game_waits_for_and_to_nobody_else(reminded: Story) -> None:
    views, head = projected(reminded)
    for who, number in (("ana", 1), ("bia", 1)):
        (found,) = views.newest(head, [ids.notices(f"player:{who}")], None, 10)
        assert (found.notice, found.type, found.at) == (f"player:{who}={number}", "deadline_near", 77_000)
        assert found.data == {"deadline": 99_000, "seconds": 5, "period": "turn", "number": 3}
    assert [entry.type for entry in views.newest(head, HER_NOTICES, None, 10)] == ["deadline_near", "written"]


def test_a_reminder_is_no_outcome_of_what_was_judged_before_it(reminded: Story) -> None:
    views, _ = projected(reminded)
    found = views.judgement("g1", "i1")
    assert found is not None
    assert [event.type for event in found.events] == ["warledger.toy.wrote.v1"]


def test_a_notice_counts_as_no_change_of_what_its_audience_sees_otherwise(reminded: Story) -> None:
    views, head = projected(reminded)
    with_notices = views.counters(head, ("player:bia", "public", ids.notices("player:bia")))
    assert with_notices["player:bia"].feed == 1
    assert with_notices["player:bia"].changes == 0
    assert with_notices[ids.notices("player:bia")] == (1, 1)
