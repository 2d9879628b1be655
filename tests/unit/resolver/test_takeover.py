"""Takeover: whoever goes on with a partition goes on as if nobody had changed (design, Exactly once)."""

import random
import sqlite3
from pathlib import Path

import pytest

from services.resolver.replay import check
from shared.canonical import canonical
from shared.documents import DocumentsUnavailable
from shared.documents.sqlite import SqliteDocuments
from shared.log import CHRONICLE, TURNS, CommitUnknown, LogUnavailable, partition_of
from shared.log.sqlite_ownership import JournalWriter
from shared.metrics import PARTITIONS_LOST
from tests.unit.resolver.hosting.toy import TURN_MS
from tests.unit.resolver.house import START, House

pytestmark = pytest.mark.slow

GAMES = ("g1", "g2", "g3", "g4")


def play(house: House, step: int) -> None:
    """One step of a story of four games over some turns; the same in every house."""
    chance = random.Random(step)
    house.clock.time = START + step * TURN_MS // 5
    game = chance.choice(GAMES)
    if step < len(GAMES):
        house.open(GAMES[step])
    else:
        house.say(game, "ana", "roll", faces=chance.randint(0, 9), key=str(chance.randint(0, 40)))
        house.say(game, "bia", "chat", text="hello")
        house.say(game, "ana", "order", name=f"n{step}")


def lines(house: House, topic: str) -> dict[str, list[bytes]]:
    """Every event of a topic by game, with the judgements' times."""
    read = house.journal if topic == TURNS else house.chronicle
    return {game: [event.line() for event in read(game)] for game in GAMES}


def story(house: House, *, restart_every: int = 0, snapshot_every: int = 0) -> House:
    for step in range(24):
        play(house, step)
        house.settle()
        if snapshot_every and step % snapshot_every == 0:
            for sequencer in house.resolver._running.values():
                sequencer.snapshot(house.clock.now(), at_once=True)
        if restart_every and step % restart_every == 0:
            house.restart()
    return house


@pytest.fixture
def straight(tmp_path: Path, toy: None) -> House:
    """A house whose resolver was never interrupted."""
    return story(House(tmp_path / "straight"))


@pytest.mark.parametrize(("restart_every", "snapshot_every"), [(1, 0), (3, 2), (2, 5)])
def test_a_resolver_that_is_killed_again_and_again_writes_the_same_journal(
    straight: House, tmp_path: Path, restart_every: int, snapshot_every: int
) -> None:
    broken = story(House(tmp_path / "broken"), restart_every=restart_every, snapshot_every=snapshot_every)

    assert len(straight.journal("g1")) > 30
    assert lines(broken, TURNS) == lines(straight, TURNS)
    assert lines(broken, CHRONICLE) == lines(straight, CHRONICLE)
    for game in GAMES:
        check(broken.journal(game))


def test_what_was_appended_while_nobody_judged_is_judged_once(house: House) -> None:
    house.open("g1")
    house.settle()
    house.restart()
    for number in range(50):
        house.say("g1", "ana", "order", name=str(number))
    house.settle()
    house.restart()
    house.settle()

    judged = [event.data["input"]["payload"]["name"] for event in house.journal("g1") if _is_order(event.data)]
    assert judged == [str(number) for number in range(50)]


def _is_order(data: object) -> bool:
    return isinstance(data, dict) and data.get("input", {}).get("type") == "order"


def test_an_owner_that_was_overtaken_writes_nothing(house: House) -> None:
    house.open("g1")
    house.settle()
    stale = house.resolver
    house.restart()
    house.settle()
    house.say("g1", "ana", "order", name="once")
    lost = PARTITIONS_LOST._value.get()

    stale.round(0)
    after_stale = house.told("g1")
    house.settle()

    assert "accepted order" not in after_stale
    assert house.told("g1").count("accepted order") == 1
    assert "Fenced" in (stale.ready_fault() or "")
    assert PARTITIONS_LOST._value.get() == lost  # every rebalance has such owners, and nothing failed


def test_a_fenced_owner_takes_the_partition_over_again_if_it_is_still_its(house: House) -> None:
    house.open("g1")
    house.settle()
    first = house.resolver
    house.restart()
    house.settle()
    house.say("g1", "ana", "order", name="one")
    house.resolver = first
    house.settle()

    assert house.told("g1").count("accepted order") == 1
    assert first.ready_fault() is None


@pytest.mark.parametrize("happened", [True, False])
def test_after_a_commit_of_unknown_fate_the_journal_decides(
    house: House, monkeypatch: pytest.MonkeyPatch, happened: bool
) -> None:
    house.open("g1")
    house.settle()
    house.say("g1", "ana", "order", name="once")
    commit = JournalWriter.commit
    calls: list[int] = []

    def uncertain(self: JournalWriter, *arguments: object) -> int:
        calls.append(1)
        if len(calls) > 1:
            return commit(self, *arguments)  # type: ignore[arg-type]
        if happened:
            commit(self, *arguments)  # type: ignore[arg-type]
        raise CommitUnknown("the connection broke")

    monkeypatch.setattr(JournalWriter, "commit", uncertain)
    house.settle()

    assert house.told("g1").count("accepted order") == 1
    assert len(calls) == (1 if happened else 2)


def test_a_log_that_takes_nothing_now_loses_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open("g1")
    house.settle()
    house.say("g1", "ana", "roll", faces=6)
    with monkeypatch.context() as full:

        def refuse(self: JournalWriter, *arguments: object) -> int:
            raise LogUnavailable("disk full")

        full.setattr(JournalWriter, "commit", refuse)
        house.settle()
        assert "disk full" in (house.resolver.ready_fault() or "")
    house.settle()

    assert house.told("g1").count("accepted roll") == 1
    assert house.resolver.ready_fault() is None


def test_nothing_is_taken_over_while_the_snapshots_cannot_be_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(self: SqliteDocuments, *arguments: object) -> dict[str, object]:
        raise DocumentsUnavailable("locked")

    house.open("g1")
    with monkeypatch.context() as locked:
        locked.setattr(SqliteDocuments, "get", away)
        house.settle()
        assert house.told("g1") == []
        assert "locked" in (house.resolver.ready_fault() or "")
    house.settle()

    assert house.told("g1")[0] == "accepted create_game"


def test_a_record_of_the_journal_that_cannot_be_read_stops_its_partition_and_no_other(house: House) -> None:
    other = next(f"h{number}" for number in range(99) if partition_of(f"h{number}") != partition_of("g1"))
    house.open("g1")
    house.open(other)
    house.settle()
    _spoil_last_record(house, partition_of("g1"))
    house.restart()
    house.say("g1", "ana", "order", name="waits")
    house.say(other, "ana", "order", name="goes on")

    house.settle()

    fault = house.resolver.ready_fault() or ""
    assert f"partition {partition_of('g1')}: stopped: turns, partition {partition_of('g1')}, offset" in fault
    assert house.told(other).count("accepted order") == 1


def test_a_gap_in_the_journal_of_a_game_stops_its_partition(house: House) -> None:
    house.open("g1")
    house.settle()
    house.say("g1", "ana", "order", name="lost")
    house.settle()
    house.say("g1", "ana", "order", name="last")
    house.settle()
    _replace(
        house, partition_of("g1"), 1, canonical({"events": [], "game": "g1", "origins": [], "part": 1, "parts": 1})
    )
    house.restart()

    house.settle()

    assert "stopped" in (house.resolver.ready_fault() or "")


def _spoil_last_record(house: House, partition: int) -> None:
    last = [record for record in house.records(TURNS) if record.partition == partition][-1]
    _replace(house, partition, last.offset, b"{")


def _replace(house: House, partition: int, offset: int, value: bytes) -> None:
    connection = sqlite3.connect(house.folder / "log" / "journal.db")
    with connection:
        connection.execute(f"UPDATE turns_{partition:02} SET value = ? WHERE offset = ?", (value, offset))
    connection.close()


def test_inputs_that_were_judged_and_are_gone_stop_their_partition(house: House) -> None:
    house.open("g1")
    house.settle()
    connection = sqlite3.connect(house.folder / "log" / "orders.db")
    with connection:
        connection.execute(f"DELETE FROM orders_{partition_of('g1'):02} WHERE offset = 1")
    connection.close()
    house.restart()

    house.settle()

    assert "judged up to offset 2, and only 1 records are there" in (house.resolver.ready_fault() or "")


def test_inputs_that_were_lost_and_have_grown_again_stop_their_partition(house: House) -> None:
    house.open("g1")
    house.settle()
    connection = sqlite3.connect(house.folder / "log" / "orders.db")
    with connection:
        connection.execute(f"DELETE FROM orders_{partition_of('g1'):02}")
    connection.close()
    house.clock.time += 60_000
    for name in ("a", "b", "c"):
        house.say("g1", "ana", "order", name=name)
    house.restart()

    house.settle()

    assert "these are not the inputs that were judged" in (house.resolver.ready_fault() or "")
    assert "accepted order" not in house.told("g1")


def test_a_forged_record_before_the_mark_is_no_reason_to_stop(house: House) -> None:
    house.open("g1")
    house.settle()
    connection = sqlite3.connect(house.folder / "log" / "orders.db")
    table = f"orders_{partition_of('g1'):02}"
    with connection:
        connection.execute(f"INSERT INTO {table} VALUES (2, {2**62}, 'g1', x'', '{{}}', 'orders:ab')")
        connection.execute(f"INSERT INTO {table} SELECT 3, at, key, value, headers, signature FROM {table} LIMIT 1")
    connection.close()
    house.settle()
    house.restart()
    house.say("g1", "ana", "order", name="on")

    house.settle()

    assert house.resolver.ready_fault() is None
    assert "accepted order" in house.told("g1")
