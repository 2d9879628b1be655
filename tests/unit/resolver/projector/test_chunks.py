"""How feeds are stored: nothing public twice, and few entries for several audiences in one document."""

from typing import Any

import pytest

from shared.views import Head, HeadMoved, Views, ids
from tests.unit.resolver.projector.batches import dump, project_rest
from tests.unit.views.memory import MemoryDocuments
from tests.unit.views.toy import Story, records

RED, BLUE = "team:red", "team:blue"
OF_BOTH = [RED, BLUE, ids.notices(RED), ids.notices(BLUE)]


class Counting(MemoryDocuments):
    """Counts the documents of feeds that are read."""

    read = 0

    def get(self, collection: str, ids: Any) -> Any:
        found = super().get(collection, ids)
        self.read += len(found) * (collection == "feeds")
        return found

    def find(self, collection: str, prefix: str, *, after: str = "", limit: int = 1_000_000) -> Any:
        found = super().find(collection, prefix, after=after, limit=limit)
        self.read += len(found) * (collection == "feeds")
        return found


def _projected(story: Story) -> tuple[Counting, Views, Head]:
    documents = Counting()
    project_rest(documents, records([story]))
    views = Views(documents)
    head = views.head("g1")
    assert head is not None
    return documents, views, head


def _stored(documents: MemoryDocuments, audience: str) -> list[Any]:
    return [chunk.body for chunk in documents.find("feeds", ids.feed(1, "g1", audience))]


def test_what_is_public_is_not_stored_again_for_operators_who_read_all_in_order() -> None:
    story = Story()
    story.created()
    story.unit(story.wrote(), story.wrote(to=(RED,)), story.wrote(), story.wrote(to=()), story.wrote())
    documents, views, head = _projected(story)
    kept = _stored(documents, ids.OPERATORS)[-1]
    assert [entry["n"] for entry in kept["entries"]] == kept["numbers"] == [5, 7]
    assert [entry.n for entry in views.feed(head, [ids.OPERATORS], {})] == list(range(1, 9))
    assert [entry.n for entry in views.newest(head, [ids.OPERATORS], None, 4)] == [8, 7, 6, 5]


def test_few_entries_for_several_audiences_stand_in_one_document() -> None:
    story = Story()
    story.created()
    story.unit(story.wrote(to=(RED, BLUE)), story.wrote(to=(RED,)))
    documents, views, head = _projected(story)
    (together,) = _stored(documents, ids.SHARED)
    assert together["counts"] == {RED: 2, BLUE: 1, ids.notices(RED): 2, ids.notices(BLUE): 1}
    assert [_stored(documents, audience) for audience in OF_BOTH] == [[]] * 4
    assert [entry.n for entry in views.feed(head, [RED], {})] == [4, 5]
    assert [entry.notice for entry in views.newest(head, [ids.notices(RED)], None, 10)] == ["team:red=2", "team:red=1"]


@pytest.mark.parametrize(("events", "together"), [(16, True), (17, False)])
def test_what_is_too_much_for_one_document_stands_in_each_feed_s_own(events: int, together: bool) -> None:
    story = Story()
    story.created()
    story.unit(*(story.wrote(to=(RED, BLUE)) for _ in range(events)))
    documents, views, head = _projected(story)
    assert bool(_stored(documents, ids.SHARED)) == together
    assert [bool(_stored(documents, audience)) for audience in OF_BOTH] == [not together] * 4
    assert [len(views.feed(head, [audience], {})) for audience in OF_BOTH] == [events] * 4


def test_an_entry_is_found_among_many_documents_of_several_feeds() -> None:
    story = Story()
    story.created()
    for number in range(120):
        story.unit(story.wrote(to=(RED,) if number % 7 == 3 else (RED, BLUE)))
    documents, views, head = _projected(story)
    for audience in OF_BOTH:
        read = views.feed(head, [audience], {}, 1000)
        for number, entry in enumerate(read[:-1], 1):
            documents.read = 0
            assert views.feed(head, [audience], entry.after, 1) == read[number : number + 1]
            assert documents.read < 40
    documents.read = 0
    assert len(views.newest(head, [BLUE], None, 1)) == 1
    assert documents.read < 4


def test_what_stands_together_is_stored_the_same_wherever_batches_are_cut() -> None:
    story = Story()
    story.created()
    story.unit(story.wrote(["a", "x", "team:green", {"p": 1}, False]))  # changes a document, and is no entry
    story.unit(story.wrote(to=(RED, BLUE)))
    whole, single = MemoryDocuments(), MemoryDocuments()
    project_rest(whole, records([story]))
    project_rest(single, records([story]), 1)
    assert _stored(whole, ids.SHARED)
    assert dump(whole) == dump(single)


def test_entries_far_apart_are_read_without_what_several_other_feeds_have_between() -> None:
    story = Story()
    story.created()
    far = (0, 100, 101, 299)
    for number in range(300):
        story.unit(story.wrote(to=(RED, BLUE, "team:green") if number in far else (RED, BLUE)))
    documents, views, head = _projected(story)
    documents.read = 0
    read = views.feed(head, ["team:green"], {}, 1000)
    assert [entry.after["team:green"] for entry in read] == [1, 2, 3, 4]
    assert [entry.n - read[0].n for entry in read] == list(far)
    assert documents.read < 100


@pytest.mark.parametrize("audience", [RED, ids.OPERATORS])
def test_who_reads_a_feed_while_its_generation_is_removed_starts_again(audience: str) -> None:
    story = Story()
    story.created()
    for _ in range(3):
        story.unit(story.wrote(), story.wrote(to=(RED, BLUE)))
    documents, views, head = _projected(story)
    for gone in (ids.SHARED, ids.PUBLIC):
        documents.delete_prefix("feeds", ids.feed(1, "g1", gone))
    with pytest.raises(HeadMoved):
        views.feed(head, [audience], {})
