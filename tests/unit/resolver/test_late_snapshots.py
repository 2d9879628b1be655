"""A snapshot that its resolver stores when another one has taken the partition over, and has perhaps stored a newer."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from shared.events import JournalEvent
from shared.log import partition_of
from tests.unit.resolver.house import UNHURRIED, House

PARTITION = partition_of("g1")


def store_at_once(house: House) -> None:
    house.resolver._running[PARTITION].snapshot(house.clock.now(), at_once=True)


def order(house: House, name: str) -> None:
    house.say("g1", "ana", "order", name=name)
    house.settle()


def taken_over_amid_a_snapshot(house: House, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Another resolver has the partition, and has judged more; what is returned lets the snapshot of the first go on,
    and waits for its end."""
    house.open("g1")
    house.settle()
    store_at_once(house)
    order(house, "stored late")
    snapshots = house.resolver._services.snapshots
    save, opened, done = snapshots.save, threading.Event(), threading.Event()

    def late(*arguments: Any) -> Any:
        assert opened.wait(60)
        try:
            return save(*arguments)
        finally:
            done.set()

    monkeypatch.setattr(snapshots, "save", late)
    house.settle(at=house.clock.time + UNHURRIED.snapshot_ms)
    house.restart()
    house.settle()
    order(house, "judged by the next")

    def go_on() -> None:
        opened.set()
        assert done.wait(60)

    return go_on


def folded_at_a_restart(house: House, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many events a third resolver reads from the journal; it goes on where the second one was."""
    before, seen = house.resolver._running[PARTITION].games.get("g1"), []

    def noting(game: HostedGame | None, event: JournalEvent) -> HostedGame:
        seen.append(event)
        return fold(game, event)

    monkeypatch.setattr("services.resolver.games.fold", noting)
    house.restart()
    house.settle()
    after = house.resolver._running[PARTITION].games.get("g1")
    assert before is not None
    assert after is not None
    assert (after.n, after.state, after.tally.hashes()) == (before.n, before.state, before.tally.hashes())
    order(house, "and on")
    assert house.told("g1")[-1] == "named"
    return len(seen)


def test_it_writes_nothing_over_a_newer_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = taken_over_amid_a_snapshot(house, monkeypatch)
    store_at_once(house)
    newer = [*house.documents.find("manifests", ""), *house.documents.find("snapshots", "")]
    go_on()

    assert [*house.documents.find("manifests", ""), *house.documents.find("snapshots", "")] == newer
    assert folded_at_a_restart(house, monkeypatch) == 0


def test_it_gives_way_to_one_that_is_stored_after_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    taken_over_amid_a_snapshot(house, monkeypatch)()
    store_at_once(house)

    assert folded_at_a_restart(house, monkeypatch) == 0


def test_where_nothing_newer_is_stored_it_is_a_snapshot_like_any(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    taken_over_amid_a_snapshot(house, monkeypatch)()

    assert folded_at_a_restart(house, monkeypatch) == 2, "the order that the second one judged, and what came of it"
