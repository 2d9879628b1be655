"""Several projectors share the partitions, also while views are rebuilt: what is shown never goes back."""

from collections.abc import Container, Sequence

import pytest

from services.resolver.projector import folding
from services.resolver.projector.loop import Projector
from services.resolver.projector.rebuild import Rebuild
from shared.documents import Document
from shared.log import PARTITIONS, Record
from shared.views import Views, generations, ids
from tests.unit.resolver.projector.batches import dump
from tests.unit.views.memory import MemoryDocuments, MemoryJournal
from tests.unit.views.toy import Story, records

LOW, HIGH = frozenset(range(6)), frozenset(range(6, PARTITIONS))


def _story(game: str, units: int) -> Story:
    story = Story(game)
    story.created()
    for value in range(units):
        story.unit(story.judgement(f"i{value}"), story.wrote(["a", f"d{value % 2}", "public", {"v": value}, False]))
    return story


class Shared:
    """Two projectors of one journal and one store, each with the partitions that it is given."""

    def __init__(self) -> None:
        self.documents = MemoryDocuments()
        self.journals = (MemoryJournal(), MemoryJournal())
        self.give(LOW, HIGH)
        self.both = [Projector(journal, self.documents, f"p{number}") for number, journal in enumerate(self.journals)]
        self.write(4, 4)

    def give(self, *given: frozenset[int]) -> None:
        for journal, partitions in zip(self.journals, given, strict=True):
            journal.given = partitions

    def write(self, low: int, high: int) -> None:
        """The journal: a game with so many units in a partition of each half."""
        everything = self.everything = [
            *records([_story("low", low)], partition=2),
            *records([_story("high", high)], partition=8),
        ]
        for journal in self.journals:
            journal.records = everything

    def rounds(self, *numbers: int) -> None:
        for number in numbers:
            assert self.both[number].round(0)

    def sweep(self) -> None:
        """Remove all that is left of old generations."""
        for projector in self.both:
            while projector.sweep():
                pass

    def head(self, game: str) -> tuple[int, int]:
        """Generation and position that readers are shown."""
        head = Views(self.documents).head(game)
        return (0, 0) if head is None else (head.generation, head.n)


def _whole(everything: list[Record]) -> list[bytes]:
    documents = MemoryDocuments()
    Projector(MemoryJournal(everything), documents, "p").round(0)
    return dump(documents)


def test_a_rebuild_is_shown_when_every_process_has_filled_its_partitions() -> None:
    shared = Shared()
    shared.rounds(0, 1)
    generations.request_rebuild(shared.documents)
    shared.rounds(0, 0, 0, 0)
    assert Views(shared.documents).generation() == 1
    shared.rounds(1)
    assert Views(shared.documents).generation() == 2
    shared.rounds(0, 1, 0, 1)
    assert dump(shared.documents, 2) == _whole(shared.everything)
    shared.sweep()
    assert dump(shared.documents, 1) == []
    shared.write(6, 6)
    shared.rounds(0, 1)
    assert dump(shared.documents, 2) == _whole(shared.everything)


def test_what_is_shown_does_not_go_back_whoever_shows_a_rebuild() -> None:
    """One process is done and keeps its live views; the other shows the new generation in the middle of that."""
    shared = Shared()
    shared.rounds(0, 1)
    generations.request_rebuild(shared.documents)
    shared.rounds(0, 0)
    seen = [shared.head("low")]
    shared.write(9, 4)

    def look() -> None:
        seen.append(shared.head("low"))
        if seen[-1] > seen[0] and shared.head("low")[0] == 1:
            shared.documents.after_write = lambda: seen.append(shared.head("low"))
            shared.rounds(1)

    shared.documents.after_write = look
    shared.rounds(0, 0, 0)
    assert shared.head("low")[0] == 2
    assert [n for _, n in seen] == sorted(n for _, n in seen)
    assert dump(shared.documents, 2) == _whole(shared.everything)


def test_who_takes_a_partition_over_goes_on_with_its_rebuild() -> None:
    shared = Shared()
    shared.rounds(0, 1)
    generations.request_rebuild(shared.documents)
    shared.rounds(0)
    shared.give(frozenset(), frozenset(range(PARTITIONS)))
    shared.write(9, 9)
    shared.rounds(0, 1)
    assert Views(shared.documents).generation() == 2
    shared.rounds(0, 1, 0, 1)
    assert dump(shared.documents, 2) == _whole(shared.everything)
    shared.sweep()
    assert dump(shared.documents, 1) == []


def test_a_batch_that_the_new_generation_cannot_take_holds_up_the_rebuild_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared = Shared()
    shared.rounds(0, 1)
    generations.request_rebuild(shared.documents)
    shared.rounds(0)
    shared.write(9, 4)
    kept = folding.Fold.changes

    def failing(fold: folding.Fold, *arguments: object) -> object:
        if fold._generation == 2 and fold._partition == 2:
            raise ValueError("not in this one")
        return kept(fold, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(folding.Fold, "changes", failing)
    shared.rounds(0, 1, 0, 1)
    assert Views(shared.documents).generation() == 1
    assert "rebuild of generation 2" in (shared.both[0].ready_fault() or "")
    assert dump(shared.documents) == _whole(shared.everything)


def test_a_process_that_slept_and_notes_late_that_its_partition_leads_leaves_no_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between its look at both generations and its note another process has it, and goes on in the live one alone."""
    shared = Shared()
    shared.rounds(0, 1)
    generations.request_rebuild(shared.documents)
    write = shared.documents.write

    def asleep(collection: str, documents: Sequence[Document], absent: Container[str] = ()) -> None:
        if any(document.id == ids.leading(2, 2) for document in documents):
            monkeypatch.setattr(shared.documents, "write", write)
            shared.give(frozenset(), frozenset(range(PARTITIONS)))
            shared.write(9, 9)
            with monkeypatch.context() as patch:
                patch.setattr(Rebuild, "step", lambda *_: False)  # it has not come to fill anything yet
                shared.rounds(1)
        write(collection, documents, absent)

    monkeypatch.setattr(shared.documents, "write", asleep)
    shared.rounds(0)
    shared.write(12, 12)
    shared.rounds(1, 1, 1, 1)
    assert Views(shared.documents).generation() == 2
    shared.rounds(0, 1)
    assert dump(shared.documents, 2) == _whole(shared.everything)


def test_two_that_remove_an_old_generation_at_once_leave_nothing() -> None:
    documents = MemoryDocuments()
    Projector(MemoryJournal(records([_story("low", 9)])), documents, "p").round(0)
    removals = [generations.Removal(documents, 1), generations.Removal(documents, 1)]
    tries = 0
    while removals:
        removals = [removal for removal in removals if not removal.step(4)]
        tries += 1
        assert tries < 100
    assert not any(id.startswith("1|") for place in documents.stored.values() for id in place)


def test_one_projector_alone_removes_an_old_generation_and_another_goes_on_with_it() -> None:
    shared = Shared()
    shared.rounds(0, 1)
    generations.request_rebuild(shared.documents)
    while Views(shared.documents).generation() == 1:
        shared.rounds(0, 1)
    shared.rounds(0, 1)
    keeps_first, other = shared.both
    assert keeps_first.sweep()
    assert not other.sweep()

    shared.give(HIGH, LOW)
    shared.rounds(0, 1)

    assert not keeps_first.sweep()
    while other.sweep():
        pass
    assert not any(id.startswith("1|") for place in shared.documents.stored.values() for id in place)
