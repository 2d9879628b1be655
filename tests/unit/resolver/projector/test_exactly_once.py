"""The same journal gives the same views, however it is cut into batches and wherever the projector dies."""

import random
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.resolver.projector import folding
from shared.documents import DocumentsUnavailable
from shared.views import Head, HeadMoved, UnknownGame, Views, counting, ids, reader
from shared.views.changes import Stretch
from tests.unit.resolver.projector.batches import dump, project, project_rest
from tests.unit.views.memory import MemoryDocuments
from tests.unit.views.torn import TornDocuments, copy
from tests.unit.views.toy import AUDIENCES, Story, records, stories

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody writes while a reader waits here."""
    monkeypatch.setattr(reader, "PAUSE_SECONDS", 0)


NOTICES = tuple(ids.notices(audience) for audience in AUDIENCES if audience not in ("public", ""))
_fixture_is_constant = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@_fixture_is_constant
@given(stories(), stories("g2"), st.integers(1, 8))
def test_any_split_into_batches_gives_the_same_views(first: Story, second: Story, size: int) -> None:
    journal = records([first, second])
    whole, split = MemoryDocuments(), MemoryDocuments()
    project_rest(whole, journal)
    project_rest(split, journal, size)
    assert dump(split) == dump(whole)


@_fixture_is_constant
@given(stories(), st.data())
def test_any_death_and_repeat_gives_the_same_views(story: Story, data: st.DataObject) -> None:
    """Each attempt takes another number of records and dies at another write; the next one begins at the checkpoint."""
    journal = records([story])
    whole, broken = MemoryDocuments(), MemoryDocuments()
    project_rest(whole, journal)
    for _ in range(data.draw(st.integers(1, 4))):
        broken.writes_left = data.draw(st.integers(0, 30))
        try:
            project_rest(broken, journal, data.draw(st.integers(1, 8)))
        except DocumentsUnavailable:
            continue
    broken.writes_left = None
    project_rest(broken, journal, data.draw(st.integers(1, 8)))
    assert dump(broken) == dump(whole)


@_fixture_is_constant
@given(stories(), st.data())
def test_a_batch_projected_twice_changes_nothing(story: Story, data: st.DataObject) -> None:
    journal = records([story])
    documents = MemoryDocuments()
    project_rest(documents, journal, data.draw(st.integers(1, 8)))
    stored = {name: dict(place) for name, place in documents.stored.items()}
    del documents.stored["checkpoints"]
    project_rest(documents, journal, data.draw(st.integers(1, 8)))
    again = {name: dict(place) for name, place in documents.stored.items()}
    assert again == stored


@_fixture_is_constant
@given(stories(), st.data())
def test_readers_never_see_half_a_unit(story: Story, data: st.DataObject) -> None:
    """After every single write, whatever was interrupted before, a reader at the head sees a whole number of units."""
    journal = records([story])
    expected = _views_by_head(story)
    documents = MemoryDocuments()
    documents.after_write = lambda: _check(documents, expected)
    for _ in range(data.draw(st.integers(0, 3))):
        documents.writes_left = data.draw(st.integers(0, 30))
        try:
            project_rest(documents, journal, data.draw(st.integers(1, 8)))
        except DocumentsUnavailable:
            continue
    documents.writes_left = None
    project_rest(documents, journal, data.draw(st.integers(1, 8)))
    assert Views(documents).head("g1") is not None


@settings(_fixture_is_constant, max_examples=30)
@given(stories(), st.integers(1, 8), st.integers(0, 10**6))
def test_a_reader_needs_no_more_than_whole_documents(story: Story, size: int, seed: int) -> None:
    """The store changes between any two documents of one read, and the answer still is that of its head."""
    expected = _views_by_head(story)
    documents = MemoryDocuments()
    states = [copy(documents)]
    documents.after_write = lambda: states.append(copy(documents))
    project_rest(documents, records([story]), size)
    chance = random.Random(seed)
    for _ in range(5):
        views = Views(TornDocuments(states, chance))
        reached = 0
        while reached < max(expected):
            with suppress(UnknownGame):
                reached, seen = views.read("g1", partial(_at_head, views))
                assert seen == expected[reached][0]


@_fixture_is_constant
@given(stories(), st.data())
def test_two_writers_of_a_partition_bring_about_the_same_and_no_reader_sees_half_a_unit(
    story: Story, data: st.DataObject
) -> None:
    """One falls asleep at any write of a batch, another goes on from the checkpoint, then the first one wakes up."""
    journal = records([story])
    expected = _views_by_head(story)
    documents = MemoryDocuments()
    project_rest(documents, journal[: data.draw(st.integers(0, len(journal)))], data.draw(st.integers(1, 8)))
    sleeps_at = data.draw(st.integers(0, 30))
    reaches = data.draw(st.integers(1, len(journal)))
    sizes = data.draw(st.tuples(st.integers(1, 8), st.integers(1, 8)))
    heads: list[int] = []

    def look() -> None:
        head = Views(documents).head("g1")
        if head is not None:
            heads.append(head.n)
            with suppress(HeadMoved):
                assert _seen(documents) == expected[head.n]

    def look_and_sleep() -> None:
        nonlocal sleeps_at
        look()
        sleeps_at -= 1
        if sleeps_at < 0:
            documents.after_write = look
            project_rest(documents, journal[:reaches], sizes[1])

    documents.after_write = look_and_sleep
    project_rest(documents, journal, sizes[0])
    whole = MemoryDocuments()
    project_rest(whole, journal)
    assert heads == sorted(heads)
    assert _seen(documents) == _seen(whole)
    assert dump(documents) == dump(whole)


@_fixture_is_constant
@given(stories(), st.data())
def test_views_of_form_5_are_carried_on_and_read_at_any_write_wherever_the_version_before_died(
    story: Story, data: st.DataObject
) -> None:
    """Views of form 5 had a counter of its own for each audience, and operators' feed was whole, as in form 6."""
    journal = records([story])
    expected = _views_by_head(story)
    documents = MemoryDocuments()
    with patch.object(counting, "counter_of", lambda audience: audience), patch.object(folding, "_feed", _feed_whole):
        project_rest(documents, journal[: data.draw(st.integers(0, len(journal)))], data.draw(st.integers(1, 8)))
        documents.writes_left = data.draw(st.integers(0, 30))
        with suppress(DocumentsUnavailable):
            project_rest(documents, journal, data.draw(st.integers(1, 8)))

    def look() -> None:
        with suppress(HeadMoved):
            _check(documents, expected)

    documents.after_write = look
    for _ in range(data.draw(st.integers(0, 2))):
        documents.writes_left = data.draw(st.integers(0, 30))
        with suppress(DocumentsUnavailable):
            project_rest(documents, journal, data.draw(st.integers(1, 8)))
    documents.writes_left = None
    project_rest(documents, journal, data.draw(st.integers(1, 8)))
    assert _seen(documents) == expected[max(expected)]


@_fixture_is_constant
@given(stories(), st.data())
def test_feeds_are_read_on_from_each_entry_also_where_views_of_form_6_were_carried_on(
    story: Story, data: st.DataObject
) -> None:
    """In form 6 each feed was whole in documents of its own."""
    journal = records([story])
    documents = MemoryDocuments()
    with patch.object(folding, "put_together"), patch.object(folding, "_feed", _feed_whole):
        project_rest(documents, journal[: data.draw(st.integers(0, len(journal)))], data.draw(st.integers(1, 8)))
    project_rest(documents, journal, data.draw(st.integers(1, 8)))
    whole = MemoryDocuments()
    project(whole, journal)
    assert _seen(documents) == _seen(whole)
    views = Views(documents)
    head = views.head("g1")
    assert head is not None
    for audience in (*AUDIENCES, *NOTICES):
        _page(views, head, audience)


def _feed_whole(
    entry: Mapping[str, Any], to: tuple[str, ...], stretches: Mapping[str, Stretch], _everything: Stretch
) -> None:
    for audience in dict.fromkeys((ids.OPERATORS, *to)):
        stretch = stretches[audience]
        stretch.n = entry["n"]
        stretch.entries.append(entry)
        stretch.places.append(len(stretch.entries))


def _at_head(views: Views, head: Head) -> tuple[int, object]:
    return head.n, _answers(views, head)


def _views_by_head(story: Story) -> dict[int, tuple[object, object]]:
    """What a reader may see at each position where the head can stand."""
    by_head: dict[int, tuple[object, object]] = {}
    for end in range(1, len(story.units) + 1):
        part = Story()
        part.units = story.units[:end]
        documents = MemoryDocuments()
        journal = records([part])
        project(documents, journal)
        by_head[story.units[end - 1][-1][-1].n] = _seen(documents)
    return by_head


def _check(documents: MemoryDocuments, expected: dict[int, tuple[object, object]]) -> None:
    head = Views(documents).head("g1")
    if head is not None:
        assert _seen(documents) == expected[head.n]


def _seen(documents: MemoryDocuments) -> tuple[object, object]:
    views = Views(documents)
    judged = [views.judgement("g1", f"i{unit}-{event}") for unit in range(8) for event in range(5)]
    return views.read("g1", lambda head: _answers(views, head)), judged


def _answers(views: Views, head: Head) -> object:
    return (
        views.documents(head, ("a", "b", "host", "member"), None),
        {audience: views.documents(head, ("a", "b"), [audience]) for audience in AUDIENCES},
        views.counters(head, AUDIENCES),
        {audience: views.feed(head, [audience], {}, 1000) for audience in AUDIENCES},
        views.feed(head, (*AUDIENCES, *NOTICES), {}, 1000),
        {audience: views.newest(head, [audience], None, 1000) for audience in NOTICES},
    )


def _page(views: Views, head: Head, audience: str) -> None:
    """Read a feed from each of its entries on, two at a time, and backwards."""
    read = views.feed(head, [audience], {}, 1000)
    backwards = views.newest(head, [audience], None, 1000)[::-1]
    assert [(entry.n, entry.notice, entry.data) for entry in backwards] == [
        (entry.n, entry.notice, entry.data) for entry in read
    ]
    for number, entry in enumerate(read, 1):
        assert views.feed(head, [audience], entry.after, 2) == read[number : number + 2]


@pytest.mark.parametrize("quiet", [False, True], ids=["documents", "feeds alone"])
def test_a_long_batch_that_died_anywhere_is_repeated_in_short_ones_unseen(quiet: bool) -> None:
    """The head waits until the short batches have reached what the long one had written already."""
    story = Story()
    story.created()
    for value in (1, 2, 3):
        writes = [] if quiet else [["a", "x", "public", {"p": value}, False]]
        story.unit(story.wrote(*writes), story.judgement(f"i{value}-0"))
        story.unit(story.wrote(["b", "y", "team:red", {"q": value}, False], to=("team:red",)))
    journal, expected = records([story]), _views_by_head(story)
    whole = MemoryDocuments()
    project_rest(whole, journal)
    death = 0
    died = True
    while died:
        documents = MemoryDocuments()
        project(documents, journal[:1])
        documents.after_write = partial(_check, documents, expected)
        documents.writes_left = death
        try:
            project_rest(documents, journal)
            died = False
        except DocumentsUnavailable:
            death += 1
        documents.writes_left = None
        project_rest(documents, journal, 1)
        assert dump(documents) == dump(whole)
    assert death > 10
