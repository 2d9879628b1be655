"""Snapshots and lazy loading: a restart folds only what is new, and a bad snapshot is no snapshot."""

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.resolver import snapshotting
from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from services.resolver.sequencer import Sequencer
from services.resolver.snapshotting import Entry, Fresh, Snapshots
from shared.documents import Document, DocumentsUnavailable
from shared.documents.sqlite import SqliteDocuments
from shared.events import JournalEvent
from shared.log import partition_of
from tests.unit.resolver.hosting.toy import TURN_MS, Toy
from tests.unit.resolver.house import UNHURRIED, House

NEIGHBOURS = [name for name in (f"h{number}" for number in range(200)) if partition_of(name) == partition_of("g1")]


def running(house: House) -> Sequencer:
    """The sequencer of the partition of g1."""
    return house.resolver._running[partition_of("g1")]


def snapshot(house: House) -> None:
    for sequencer in house.resolver._running.values():
        sequencer.snapshot(house.clock.now(), at_once=True)


def say_format(house: House, number: int) -> None:
    """Let the manifest of the partition of g1 be of this format."""
    root = f"{partition_of('g1'):02d}"
    manifest = house.documents.get("manifests", [root])[root]
    changed = manifest._replace(body={**manifest.body, "format": number})
    assert house.documents.replace("manifests", changed, manifest.position)


def await_stored(house: House) -> None:
    """Until there is a snapshot of g1."""
    until = time.monotonic() + 60
    while not house.documents.find("snapshots", "g1|"):
        assert time.monotonic() < until, "no snapshot of g1"
        time.sleep(0.01)


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The types of the events that are folded from the journal from now on."""
    seen: list[str] = []

    def noting(game: HostedGame | None, event: JournalEvent) -> HostedGame:
        seen.append(event.type)
        return fold(game, event)

    monkeypatch.setattr("services.resolver.games.fold", noting)
    return seen


def test_a_restart_folds_only_what_came_after_the_snapshot(house: House, folded: list[str]) -> None:
    house.open("g1")
    house.settle()
    snapshot(house)
    house.say("g1", "ana", "order", name="after")
    house.settle()
    house.restart()

    house.settle()

    assert folded == ["warledger.host.input.accepted.v1", "warledger.toy.named.v1"]


def test_games_that_are_not_touched_are_not_loaded(house: House, folded: list[str]) -> None:
    for game in ("g1", *NEIGHBOURS):
        house.open(game)
    house.settle()
    snapshot(house)
    house.restart()
    house.settle()
    assert running(house).games.loaded == 0

    house.say("g1", "ana", "order", name="wakes one")
    house.settle()

    assert running(house).games.loaded == 1
    assert folded == []


def test_a_game_at_rest_is_loaded_for_its_deadline(house: House) -> None:
    deadline = house.open("g1")
    house.settle()
    snapshot(house)
    house.restart()

    house.settle(at=deadline + 1)

    assert "accepted close" in house.told("g1")


def test_ids_judged_before_the_snapshot_are_known_after_it(house: House) -> None:
    house.open("g1")
    house.say("g1", "ana", "roll", key="once", faces=6)
    house.settle()
    snapshot(house)
    house.restart()

    house.say("g1", "ana", "roll", key="once", faces=6)
    house.settle()

    assert house.told("g1")[-1] == "repeated roll"


@pytest.mark.parametrize("kind", ["chunk changed", "chunk missing", "wrong hash"])
def test_a_snapshot_that_does_not_fit_its_hash_is_ignored(house: House, folded: list[str], kind: str) -> None:
    house.open("g1")
    house.settle()
    snapshot(house)
    (chunk,) = house.documents.find("snapshots", "g1|")
    if kind == "chunk changed":
        assert house.documents.replace("snapshots", chunk._replace(body={"data": "AAAA"}), chunk.position)
    elif kind == "chunk missing":
        house.documents.delete("snapshots", [chunk.id])
    else:
        (entry,) = house.documents.find("manifests", f"{partition_of('g1'):02d}|g1")
        changed = entry._replace(body={**entry.body, "sha256": "0" * 64})
        assert house.documents.replace("manifests", changed, entry.position)
    house.restart()
    house.say("g1", "ana", "order", name="goes on")

    house.settle()

    assert house.told("g1")[-2:] == ["accepted order", "named"]
    assert len(folded) == 4


def test_where_an_entry_is_gone_the_partition_is_folded_from_its_journal(house: House, folded: list[str]) -> None:
    other = next(f"h{number}" for number in range(100) if partition_of(f"h{number}") == partition_of("g1"))
    for game in ("g1", other):
        house.open(game)
        house.settle()
        snapshot(house)
    house.documents.delete("manifests", [f"{partition_of('g1'):02d}|g1"])
    house.restart()
    house.say("g1", "ana", "order", name="goes on")

    house.settle()

    assert house.told("g1")[-2:] == ["accepted order", "named"]
    assert folded.count("warledger.host.game.created.v1") == 2


def test_an_entry_newer_than_its_manifest_is_used_and_nothing_is_folded_twice(house: House) -> None:
    house.open("g1")
    house.settle()
    snapshot(house)
    root = f"{partition_of('g1'):02d}"
    before = house.documents.get("manifests", [root])[root]
    house.say("g1", "ana", "order", name="between")
    house.settle()
    snapshot(house)
    house.documents.delete("manifests", [root])
    house.documents.write("manifests", [before])
    house.restart()
    house.say("g1", "ana", "order", name="after")

    house.settle()

    assert house.told("g1").count("accepted order") == 2
    assert house.resolver.ready_fault() is None


def test_snapshots_of_another_format_are_removed_so_that_a_partition_is_folded_once(
    house: House, folded: list[str]
) -> None:
    other = next(f"h{number}" for number in range(100) if partition_of(f"h{number}") == partition_of("g1"))
    for game in ("g1", other):
        house.open(game)
    house.settle()
    snapshot(house)
    say_format(house, 0)
    house.restart()
    house.settle()
    assert folded.count("warledger.host.game.created.v1") == 2
    snapshot(house)

    house.restart()
    for game in ("g1", other):
        house.say(game, "ana", "order", name="goes on")
    house.settle()

    assert folded.count("warledger.host.game.created.v1") == 2
    assert house.told("g1")[-2:] == ["accepted order", "named"]


def test_snapshots_of_the_format_before_are_not_removed(house: House, folded: list[str]) -> None:
    house.open("g1")
    house.settle()
    snapshot(house)
    say_format(house, 3)
    house.restart()

    house.settle()

    assert folded == []
    assert house.documents.find("snapshots", "g1|")


def test_what_a_certificate_sealed_is_kept_until_the_next_snapshot_alone(house: House) -> None:
    deadline = house.open("g1")
    house.settle(at=deadline + 1)
    game = running(house).games.get("g1")
    assert game is not None
    assert game.certified_state is not None

    snapshot(house)

    assert game.certified_state is None


def test_snapshots_of_another_journal_are_removed(house: House) -> None:
    root = f"{partition_of('g1'):02d}"
    house.documents.write("manifests", [Document(root, 1_000, {"offset": 1_000})])
    house.open("g1")
    house.settle()

    snapshot(house)

    assert house.documents.get("manifests", [root])[root].position < 1_000


def test_a_large_snapshot_lies_in_pieces_below_a_megabyte(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshotting, "CHUNK_BYTES", 100)
    house.open("g1")
    house.settle()
    snapshot(house)
    house.restart()
    house.say("g1", "ana", "order", name="goes on")
    house.settle()

    assert len(house.documents.find("snapshots", "g1|")) > 5
    assert house.told("g1")[-1] == "named"
    monkeypatch.undo()
    assert snapshotting.CHUNK_BYTES * 4 / 3 < 1_000_000


def test_a_large_snapshot_is_written_a_few_pieces_at_a_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshotting, "CHUNK_BYTES", 100)
    monkeypatch.setattr(snapshotting, "_AT_ONCE_BYTES", 300)
    written: list[int] = []
    write = SqliteDocuments.write

    def noting(self: SqliteDocuments, collection: str, documents: Sequence[Document]) -> None:
        if collection == "snapshots":
            written.append(len(documents))
        write(self, collection, documents)

    monkeypatch.setattr(SqliteDocuments, "write", noting)
    house.open("g1")
    house.settle()
    snapshot(house)

    assert max(written) == 3
    assert sum(written) == len(house.documents.find("snapshots", "g1|")) > 6


def test_memory_is_given_back_behind_large_snapshots_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(snapshotting, "give_back", lambda: given.append("back"))
    house.open("g1")
    house.settle()
    snapshot(house)
    assert given == []

    monkeypatch.setattr(snapshotting, "_LARGE_BYTES", 1_000)
    house.say("g1", "ana", "order", name="more")
    house.settle()
    snapshot(house)
    assert given == ["back"]


def test_the_two_slots_of_a_game_take_turns(house: House) -> None:
    house.open("g1")
    for number in range(5):
        house.say("g1", "ana", "order", name=str(number))
        house.settle()
        snapshot(house)

    assert [document.id for document in house.documents.find("snapshots", "g1|")] == ["g1|0|00000", "g1|1|00000"]


def test_only_changed_games_are_stored(house: House) -> None:
    house.open("g1")
    house.open(NEIGHBOURS[0])
    house.settle()
    snapshot(house)
    house.say("g1", "ana", "order", name="changes")
    house.settle()
    snapshot(house)

    assert len(house.documents.find("snapshots", "g1|")) == 2
    assert len(house.documents.find("snapshots", f"{NEIGHBOURS[0]}|")) == 1


@pytest.mark.parametrize(
    "pace",
    [
        replace(UNHURRIED, snapshot_events=4, snapshot_ms=10**12),
        replace(UNHURRIED, snapshot_closes=1, snapshot_ms=10**12, snapshot_calm_ms=0),
        replace(UNHURRIED, snapshot_ms=5_000),
    ],
    ids=["events", "closes", "time"],
)
def test_a_snapshot_is_taken_after_enough_events_closes_or_time(tmp_path: Path, toy: None, pace: object) -> None:
    assert isinstance(pace, type(UNHURRIED))
    house = House(tmp_path, pace)
    deadline = house.open("g1")
    house.settle()
    house.settle(at=deadline + TURN_MS // 2)

    await_stored(house)


def test_no_close_of_another_partition_waits_for_a_snapshot(
    tmp_path: Path, toy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, replace(UNHURRIED, snapshot_closes=1, snapshot_ms=10**12, snapshot_calm_ms=0))
    games = ("g1", "g2", "g3")
    deadline = max(house.open(game) for game in games)
    house.settle()
    closed: list[int] = []
    take = Snapshots.save_beside

    def noting(self: Snapshots, partition: int, offset: int, taken: Sequence[Fresh]) -> Future[list[Entry]]:
        closed.append(sum("closed" in house.told(game) for game in games))
        return take(self, partition, offset, taken)

    monkeypatch.setattr(Snapshots, "save_beside", noting)
    house.settle(at=deadline + 1)
    assert closed == [3, 3, 3]


def test_a_store_that_is_away_delays_the_snapshot_and_nothing_else(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(self: SqliteDocuments, *arguments: object) -> None:
        raise DocumentsUnavailable("disk full")

    house.open("g1")
    house.settle()
    with monkeypatch.context() as full:
        full.setattr(SqliteDocuments, "write", away)
        snapshot(house)
    house.say("g1", "ana", "order", name="goes on")
    house.settle()
    assert house.told("g1")[-1] == "named"

    snapshot(house)

    assert house.documents.find("snapshots", "g1|")


@contextmanager
def slow_store(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A snapshot is due at once, and its documents are not written before the end of the block."""
    write, opened = SqliteDocuments.write, threading.Event()

    def wait(self: SqliteDocuments, collection: str, *rest: Any) -> None:
        assert collection not in ("snapshots", "manifests") or opened.wait(60)
        write(self, collection, *rest)

    with monkeypatch.context() as slow:
        slow.setattr(SqliteDocuments, "write", wait)
        house.settle(at=house.clock.time + UNHURRIED.snapshot_ms)
        try:
            yield
        finally:
            opened.set()
        snapshot(house)


def test_inputs_are_judged_while_a_snapshot_is_being_stored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open("g1")
    house.settle()

    with slow_store(house, monkeypatch):
        house.say("g1", "ana", "order", name="meanwhile")
        house.settle()
        assert house.told("g1")[-1] == "named"
        assert not house.documents.find("manifests", f"{partition_of('g1'):02d}")

    assert len(house.documents.find("snapshots", "g1|")) == 2, "the first, and what came meanwhile"


def test_a_game_whose_snapshot_is_being_stored_stays_in_memory(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open("g1")
    house.settle()

    with slow_store(house, monkeypatch):
        running(house).games.let_go(0)

        assert set(running(house).games._loaded) == {"g1"}

    running(house).games.let_go(0)
    assert running(house).games.loaded == 0


def test_a_resolver_that_ends_while_a_snapshot_is_being_stored_leaves_a_whole_one(
    house: House, monkeypatch: pytest.MonkeyPatch, folded: list[str]
) -> None:
    house.open("g1")
    house.settle()
    with slow_store(house, monkeypatch):
        house.say("g1", "ana", "order", name="meanwhile")
        house.settle()

    house.restart()
    house.settle()

    assert folded == []
    assert house.told("g1")[-1] == "named"


def test_a_state_that_the_rules_cannot_write_is_folded_from_its_journal(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Toy, state: object) -> object:
        raise RuntimeError("no codec")

    house.open("g1")
    house.settle()
    with monkeypatch.context() as broken:
        broken.setattr(Toy, "encode", fail)
        snapshot(house)
    house.restart()
    house.say("g1", "ana", "order", name="goes on")
    house.settle()

    assert house.told("g1")[-1] == "named"


def test_a_clean_stop_stores_what_changed(house: House, folded: list[str]) -> None:
    house.open("g1")
    house.settle()
    house.resolver.close()
    house.restart()
    house.settle()

    assert folded == []
    assert house.told("g1")[-1] == "opened"


def test_games_beyond_the_limit_leave_the_memory_and_come_back(tmp_path: Path, toy: None) -> None:
    house = House(tmp_path, replace(UNHURRIED, loaded_games=2))
    for game in NEIGHBOURS[:5]:
        house.open(game)
    house.settle()
    snapshot(house)
    assert running(house).games.loaded == 2

    for game in NEIGHBOURS[:5]:
        house.say(game, "ana", "order", name="wakes")
    house.settle()

    assert all(house.told(game)[-1] == "named" for game in NEIGHBOURS[:5])


def test_the_games_that_were_touched_last_stay_in_memory(tmp_path: Path, toy: None) -> None:
    house = House(tmp_path, replace(UNHURRIED, loaded_games=10))
    first, second, third, fourth = NEIGHBOURS[:4]
    for game in (first, second, third, fourth):
        house.open(game)
    house.settle()
    snapshot(house)
    house.say(second, "ana", "order", name="changed")
    house.settle()
    snapshot(house)
    games = running(house).games
    games.get(first)

    games.let_go(2)

    assert set(games._loaded) == {first, second}
