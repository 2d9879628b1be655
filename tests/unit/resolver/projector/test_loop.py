"""The loop: storage that goes away, records that cannot be read, and generations."""

import copy
import gc
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from services.resolver.projector import folding, partitions, sweeping
from services.resolver.projector.loop import STUCK_SECONDS, Projector
from shared.documents import Document
from shared.log import TURNS, Record
from shared.views import Views, generations
from shared.views.changes import Changes
from tests.unit.resolver.projector.batches import dump
from tests.unit.views.memory import MemoryDocuments, MemoryJournal
from tests.unit.views.toy import Story, records


def _story(game: str, units: int = 4) -> Story:
    story = Story(game)
    story.created()
    for value in range(units):
        story.unit(
            story.judgement(f"i{value}"),
            story.wrote(["a", f"d{value % 2}", "public", {"v": value}, False]),
            story.wrote(["b", "x", "team:red", {"v": value}, value % 3 == 2], to=("team:red",)),
            cuts=(2,),
        )
    return story


def _project(journal: MemoryJournal, documents: MemoryDocuments) -> Projector:
    projector = Projector(journal, documents, "p1")
    assert projector.round(0)
    return projector


def test_it_goes_on_from_its_checkpoint_and_follows_the_journal() -> None:
    story = _story("g1")
    everything = records([story])
    journal, documents = MemoryJournal(everything[:4]), MemoryDocuments()
    _project(journal, documents).close()
    journal.records = everything
    projector = _project(journal, documents)
    whole = MemoryDocuments()
    _project(MemoryJournal(everything), whole)
    assert dump(documents) == dump(whole)
    assert projector.ready_fault() is None


@pytest.mark.parametrize("more", [True, False])
def test_what_the_store_has_lost_in_a_moment_that_nobody_noticed_is_written_again(
    more: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document server flushes views after it has acknowledged them; killed and back at once it lost some."""
    everything = records([_story("g1")])
    journal, documents = MemoryJournal(everything[:4]), MemoryDocuments()
    projector = _project(journal, documents)
    flushed = copy.deepcopy(documents.stored)
    journal.records = everything[:6]
    assert projector.round(0)
    documents.stored = flushed
    if more:
        journal.records = everything
    else:
        monkeypatch.setattr(partitions, "LOOK_SECONDS", 0.0)
    assert projector.round(0)
    assert projector.round(0)
    whole = MemoryDocuments()
    _project(MemoryJournal(journal.records), whole)
    assert dump(documents) == dump(whole)


def test_what_a_batch_built_is_gone_before_collections_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def alive() -> int:
        return sum(type(each) is Changes for each in gc.get_objects())

    more: list[int] = []

    @contextmanager
    def watched() -> Iterator[None]:
        before = alive()
        yield
        more.append(alive() - before)

    monkeypatch.setattr(partitions, "paused", watched)
    _project(MemoryJournal(records([_story("g1")])), MemoryDocuments())
    assert set(more) == {0}


def test_it_waits_for_storage_that_is_away_and_says_so() -> None:
    journal, documents = MemoryJournal(records([_story("g1")])), MemoryDocuments()
    projector = Projector(journal, documents, "p1")
    assert projector.ready_fault() == "starting"
    documents.writes_left = 3
    assert not projector.round(0)
    assert projector.ready_fault() == "the store is full"
    documents.writes_left = None
    journal.away = True
    assert not projector.round(0)
    assert projector.ready_fault() == "the log is away"
    journal.away = False
    assert projector.round(0)
    assert projector.ready_fault() is None
    whole = MemoryDocuments()
    _project(MemoryJournal(journal.records), whole)
    assert dump(documents) == dump(whole)


def test_a_record_that_cannot_be_read_stops_its_partition_and_no_other() -> None:
    broken = Record(TURNS, 5, 0, 0, "g2", b"no batch", {}, None)
    documents = MemoryDocuments()
    journal = MemoryJournal([broken, *records([_story("g1")])])
    projector = _project(journal, documents)
    assert "partition 5, offsets 0 to 0: Unreadable" in (projector.ready_fault() or "")
    assert Views(documents).head("g1") is not None
    journal.records = [broken, *records([_story("g1", 9)])]
    assert projector.round(0)
    assert Views(documents).judgement("g1", "i8") is not None
    assert "partition 5" in (projector.ready_fault() or "")


def test_rules_that_raise_stop_the_partition(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_rules(kind: str, version: str) -> object:
        raise LookupError(f"no rules {kind} {version}")

    monkeypatch.setattr(folding, "rules_of", no_rules)
    documents = MemoryDocuments()
    projector = _project(MemoryJournal(records([_story("g1")])), documents)
    assert "no rules toy 1" in (projector.ready_fault() or "")
    assert Views(documents).head("g1") is None


def test_a_round_that_does_not_end_makes_it_not_live() -> None:
    now = [0.0]
    projector = Projector(MemoryJournal(), MemoryDocuments(), "p1", lambda: now[0])
    now[0] = STUCK_SECONDS + 1
    assert projector.live_fault() is not None
    projector.round(0)
    assert projector.live_fault() is None


def test_a_rebuild_fills_an_equal_generation_shows_it_and_removes_the_old_one() -> None:
    journal, documents = MemoryJournal(records([_story("g1"), _story("g2")])), MemoryDocuments()
    projector = _project(journal, documents)
    before = dump(documents)
    assert generations.request_rebuild(documents) == 2
    assert generations.request_rebuild(documents) == 2
    for _ in range(3):
        projector.round(0)
    assert Views(documents).generation() == 2
    assert generations.requested(documents) is None
    assert dump(documents, 2) == before
    _sweep(projector)
    assert dump(documents, 1) == []
    assert not any(id.startswith("1|") for id in documents.stored["checkpoints"])


@pytest.mark.parametrize("live", [1, 2])
def test_views_of_an_older_form_are_made_anew_once(live: int) -> None:
    journal, documents = MemoryJournal(records([_story("g1")])), MemoryDocuments()
    projector = _project(journal, documents)
    while Views(documents).generation() < live:
        generations.request_rebuild(documents)
        projector.round(0)
    assert Views(documents).generation() == live
    projector.close()
    if live == 1:
        del documents.stored["checkpoints"]["active"]  # as it was before views had a form
    else:
        documents.stored["checkpoints"]["active"] = (live, b"{}")
    for wanted in (live + 1, live + 1):
        projector = _project(journal, documents)
        for _ in range(3):
            projector.round(0)
        assert Views(documents).generation() == wanted
        assert generations.requested(documents) is None
        projector.close()


def test_a_rebuild_that_was_asked_for_by_an_older_version_leaves_views_of_its_form() -> None:
    documents = MemoryDocuments()
    documents.write("checkpoints", [Document(generations.REBUILD, 2, {})])
    generations.activate(documents, 2)
    assert generations.renew(documents) == 3
    generations.activate(documents, 3)
    assert generations.renew(documents) is None


def test_an_old_generation_goes_slice_by_slice_beside_rounds_and_rebuilds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "SLICE", 3)
    everything = records([_story("g1", 9)])
    journal, documents = MemoryJournal(everything[:-4]), MemoryDocuments()
    projector = _project(journal, documents)
    generations.request_rebuild(documents)
    while Views(documents).generation() == 1:
        projector.round(0)
    left = _count(documents, 1)
    assert left > 9
    journal.records = everything
    projector.round(0)
    assert _count(documents, 1) == left, "no round waits for the removal"
    assert dump(documents, 2) == dump(_kept(everything))
    while projector.sweep():
        assert left - _count(documents, 1) <= 3
        left = _count(documents, 1)
    assert left == 0

    generations.request_rebuild(documents)
    while Views(documents).generation() == 2:
        projector.round(0)
    assert dump(documents, 3) == dump(_kept(everything))


def test_an_old_generation_is_looked_through_once_however_many_slices_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = _kept(records([_story("g1", 9)]))
    looks: list[str] = []
    look = documents.ids

    def counted(collection: str, prefix: str, limit: int) -> list[str]:
        looks.append(collection)
        return look(collection, prefix, limit)

    monkeypatch.setattr(documents, "ids", counted)
    removal, steps = generations.Removal(documents, 1), 0
    while not removal.step(1):
        steps += 1
    assert steps > 20
    assert looks[:2] == ["heads", "heads"]
    assert all(looks.count(collection) <= 2 for collection in looks), "once what there is, once whether all is gone"


def test_a_process_that_runs_removes_an_old_generation_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "IDLE_SECONDS", 0.01)
    journal, documents = MemoryJournal(records([_story("g1")])), MemoryDocuments()
    _project(journal, documents).close()
    generations.request_rebuild(documents)
    stop = threading.Event()
    projector = Projector(journal, documents, "p1")
    running = threading.Thread(target=projector.run, args=(stop,))
    running.start()
    try:
        deadline = time.monotonic() + 30
        while any(id.startswith("1|") for place in list(documents.stored.values()) for id in list(place)):
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        stop.set()
        running.join()
    assert Views(documents).generation() == 2


def test_the_live_views_wait_for_short_batches_of_a_generation_that_is_filled() -> None:
    assert partitions._batch_after(100, 3.0) == 10
    assert partitions._batch_after(100, 0.1) == 200
    assert partitions._batch_after(1_500, 0.1) == partitions.BATCH_RECORDS
    assert partitions._batch_after(1, 60.0) == 1


def test_what_a_projector_leaves_of_an_old_generation_its_successor_removes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "SLICE", 3)
    journal, documents = MemoryJournal(records([_story("g1")])), MemoryDocuments()
    projector = _project(journal, documents)
    generations.request_rebuild(documents)
    while Views(documents).generation() == 1:
        projector.round(0)
    projector.round(0)
    projector.sweep()
    assert _count(documents, 1) > 3
    successor = Projector(journal, documents, "p2")
    successor.round(0)
    _sweep(successor)
    assert _count(documents, 1) == 0


def _kept(everything: list[Record]) -> MemoryDocuments:
    documents = MemoryDocuments()
    _project(MemoryJournal(everything), documents)
    return documents


def _sweep(projector: Projector) -> None:
    """Remove all that is left of old generations."""
    while projector.sweep():
        pass


def _count(documents: MemoryDocuments, generation: int) -> int:
    """How many documents a generation has."""
    return sum(id.startswith(f"{generation}|") for place in documents.stored.values() for id in place)


def test_a_rebuild_interrupted_at_any_write_goes_on_and_ends_equal() -> None:
    journal = MemoryJournal(records([_story("g1")]))
    death, died = 0, True
    while died:
        documents = MemoryDocuments()
        _project(journal, documents).close()
        before = dump(documents)
        generations.request_rebuild(documents)
        documents.writes_left = death
        died = not all(Projector(journal, documents, "p1").round(0) for _ in range(3))
        documents.writes_left = None
        projector = Projector(journal, documents, "p1")
        for _ in range(3):
            assert projector.round(0)
        assert Views(documents).generation() == 2
        assert dump(documents, 2) == before
        _sweep(projector)
        assert dump(documents, 1) == []
        death += 1
    assert death > 10


def test_readers_keep_the_old_generation_until_the_new_one_stands_where_it_stands() -> None:
    everything = records([_story("g1")])
    journal, documents = MemoryJournal(everything), MemoryDocuments()
    projector = _project(journal, documents)
    seen: list[tuple[int, int]] = []

    def look() -> None:
        head = Views(documents).head("g1")
        assert head is not None
        seen.append((head.generation, head.n))

    documents.after_write = look
    generations.request_rebuild(documents)
    for _ in range(3):
        projector.round(0)
    assert {generation for generation, _ in seen} == {1, 2}
    assert len({n for _, n in seen}) == 1


def test_it_keeps_the_partitions_that_the_group_gives_and_goes_on_where_another_stopped() -> None:
    def both(units: int) -> list[Record]:
        return [*records([_story("g1", units)], 3), *records([_story("g2", units)], 8)]

    journal, documents = MemoryJournal(both(4)), MemoryDocuments()
    journal.given = frozenset({3})
    projector = _project(journal, documents)
    assert Views(documents).head("g1") is not None
    assert Views(documents).head("g2") is None

    journal.given = frozenset({8})
    assert projector.round(0)
    journal.records = both(6)
    journal.given = frozenset({3, 8})
    assert projector.round(0)

    whole = MemoryDocuments()
    _project(MemoryJournal(journal.records), whole)
    assert dump(documents) == dump(whole)


def test_a_process_without_an_assignment_projects_nothing_and_is_not_ready() -> None:
    journal, documents = MemoryJournal(records([_story("g1")])), MemoryDocuments()
    journal.given, journal.apart = frozenset(), "joining the group projector"
    projector = _project(journal, documents)
    assert projector.ready_fault() == "joining the group projector"
    assert Views(documents).head("g1") is None
    journal.apart = None
    assert projector.round(0)
    assert projector.ready_fault() is None


def test_a_partition_that_stopped_is_no_fault_of_a_process_that_has_lost_it() -> None:
    broken = Record(TURNS, 5, 0, 0, "g2", b"no batch", {}, None)
    journal = MemoryJournal([broken])
    projector = _project(journal, MemoryDocuments())
    assert projector.ready_fault() is not None

    journal.given = frozenset({1})
    assert projector.round(0)

    assert projector.ready_fault() is None


def test_a_process_that_was_taken_for_dead_writes_nothing_behind_its_successor() -> None:
    journal, documents = MemoryJournal(records([_story("g1", 2)])), MemoryDocuments()
    sleeper = _project(journal, documents)
    journal.records = records([_story("g1", 9)])
    _project(journal, documents)
    after = dump(documents)
    documents.writes_left = 0

    assert sleeper.round(0)

    assert dump(documents) == after
    documents.writes_left = None
    journal.records = records([_story("g1", 12)])
    assert sleeper.round(0)
    assert sleeper.round(0)
    whole = MemoryDocuments()
    _project(MemoryJournal(journal.records), whole)
    assert dump(documents) == dump(whole)
