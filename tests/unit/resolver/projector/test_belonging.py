"""Views of another log: a projector writes nothing into them, until that is mended."""

import copy

import pytest

from services.resolver.projector import partitions
from services.resolver.projector.loop import Projector
from shared.belonging import RECORD
from shared.documents import STORES
from shared.views import Views
from tests.unit.views.memory import MemoryDocuments, MemoryJournal
from tests.unit.views.toy import Story, records


def _journal(name: str, game: str) -> MemoryJournal:
    story = Story(game)
    story.created()
    journal = MemoryJournal(records([story]))
    journal.name = name
    return journal


def test_it_writes_nothing_into_views_of_another_log_and_goes_on_when_they_are_dropped() -> None:
    documents = MemoryDocuments()
    owner = Projector(_journal("one", "g1"), documents, "p1")
    assert owner.round(0)
    kept = copy.deepcopy(documents.stored)
    stranger = Projector(_journal("two", "g2"), documents, "p2")

    assert not stranger.round(0)

    said = stranger.ready_fault() or ""
    assert "belong to the log one, and WARLEDGER_LOG leads to two" in said
    assert documents.stored == kept
    assert owner.round(0)
    owner.close()
    for collection in STORES["views"]:
        documents.delete_prefix(collection, "")
    assert stranger.round(0)
    assert stranger.ready_fault() is None
    assert Views(documents).head("g1") is None
    assert Views(documents).head("g2") is not None


def test_views_that_were_wiped_are_claimed_and_made_again() -> None:
    documents, journal = MemoryDocuments(), _journal("one", "g1")
    first = Projector(journal, documents, "p1")
    assert first.round(0)
    first.close()
    whole = copy.deepcopy(documents.stored)
    documents.stored.clear()
    again = Projector(journal, documents, "p2")
    assert again.round(0)
    assert documents.stored == whole


def test_views_that_were_wiped_under_a_running_projector_are_claimed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    documents, journal = MemoryDocuments(), _journal("one", "g1")
    projector = Projector(journal, documents, "p1")
    assert projector.round(0)
    whole = copy.deepcopy(documents.stored)
    documents.stored.clear()
    monkeypatch.setattr(partitions, "LOOK_SECONDS", 0.0)

    assert projector.round(0)

    assert documents.stored["checkpoints"][RECORD] == whole["checkpoints"][RECORD]
    assert Views(documents).head("g1") is not None
