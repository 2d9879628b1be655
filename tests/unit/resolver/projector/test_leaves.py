"""Leaves stand in a document once, and every reader of a feed gets them whole."""

import pytest

from shared.host_events import LEAVES
from shared.views import HeadMoved, Views, ids
from tests.unit.resolver.projector.batches import project_rest
from tests.unit.views.memory import MemoryDocuments
from tests.unit.views.toy import Story, records

DATA = {"k": 1, "label": "close", "part": 1, "parts": 1, "leaves": ["aa" * 32, "bb" * 32]}


def _told() -> MemoryDocuments:
    documents, story = MemoryDocuments(), Story()
    story.created()
    story.unit(story.judgement("i1"), story.wrote(), story.event(LEAVES, DATA, ("public",)), story.wrote())
    project_rest(documents, records([story]), 1)
    return documents


@pytest.mark.parametrize("audience", [ids.PUBLIC, ids.OPERATORS])
def test_a_feed_shows_leaves_whole_that_it_does_not_hold(audience: str) -> None:
    documents = _told()
    views = Views(documents)
    head = views.head("g1")
    assert head is not None

    forwards = [entry.data for entry in views.feed(head, (audience,), {}) if entry.type == LEAVES]
    backwards = [entry.data for entry in views.newest(head, (audience,), None, 10) if entry.type == LEAVES]
    held = [
        entry["data"]
        for chunk in documents.find("feeds", ids.feed(1, "g1", audience))
        for entry in chunk.body["entries"]
    ]

    assert forwards == backwards == [DATA]
    assert all("leaves" not in data for data in held)


def test_who_reads_a_feed_while_its_generation_is_removed_starts_again() -> None:
    documents = _told()
    views = Views(documents)
    head = views.head("g1")
    assert head is not None
    documents.delete_prefix("documents", ids.of_generation(1))

    with pytest.raises(HeadMoved):
        views.feed(head, (ids.PUBLIC,), {})
