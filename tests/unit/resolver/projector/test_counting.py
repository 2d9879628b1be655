"""Counts of players stand each in a document of its own; those of all other audiences, who are few, in one."""

import pytest

from shared.documents import Document
from shared.views import Counts, Head, Views, ids
from shared.views.counting import counter_of
from shared.views.versions import Version, advance, body
from tests.unit.resolver.projector.batches import project_rest
from tests.unit.views.memory import MemoryDocuments
from tests.unit.views.toy import Story, records

RED, BLUE = "team:red", "team:blue"
OF_ALL = ids.counter(1, "g1", "all:")


@pytest.mark.parametrize("audience", ["player:ana", "notices:player:ana", "player:a:b"])
def test_players_have_counters_of_their_own(audience: str) -> None:
    assert counter_of(audience) == audience


@pytest.mark.parametrize("audience", ["public", "", RED, ids.notices(RED), "seat:3", "side:C", "notices:public"])
def test_all_others_share_one(audience: str) -> None:
    assert counter_of(audience) == ids.SHARED


def test_all_but_players_are_counted_in_one_document() -> None:
    documents = _projected()
    stored = documents.get("counters", [OF_ALL, ids.counter(1, "g1", RED), ids.counter(1, "g1", BLUE)])
    assert list(stored) == [OF_ALL]
    counted = stored[OF_ALL].body["now"]["fields"]
    assert (counted[BLUE], counted[RED]) == ([2, 1], [1, 2])
    assert _counts(documents, 6) == {RED: Counts(1, 2), BLUE: Counts(2, 1)}


def test_a_counter_of_form_5_holds_until_its_audience_stands_in_the_document_of_all() -> None:
    documents = _projected()
    documents.stored["counters"].clear()
    alone = body(Version(5, {"changes": 7, "feed": 9}), Version(3, {"changes": 6, "feed": 8}), 5)
    documents.write("counters", [Document(ids.counter(1, "g1", RED), 5, alone)])
    shared = advance(None, Version(6, {BLUE: [2, 1]}), 6, 5)
    documents.write("counters", [Document(OF_ALL, 6, shared)])
    assert _counts(documents, 4) == {RED: Counts(6, 8), BLUE: Counts(0, 0)}
    assert _counts(documents, 6) == {RED: Counts(7, 9), BLUE: Counts(2, 1)}


def _projected() -> MemoryDocuments:
    """Four positions of a creation, then what is for each team and for both."""
    story = Story()
    story.created()
    story.unit(story.wrote(["a", "x", RED, {"p": 1}, False], to=(RED,)))
    story.unit(story.wrote(["a", "x", BLUE, {"p": 1}, False], ["a", "y", BLUE, {"p": 1}, False], to=(RED, BLUE)))
    documents = MemoryDocuments()
    project_rest(documents, records([story]))
    return documents


def _counts(documents: MemoryDocuments, n: int) -> dict[str, Counts]:
    head = Head(game="g1", generation=1, n=n, at=0, kind="toy", rules="1", created_at=0)
    return Views(documents).counters(head, (RED, BLUE))
