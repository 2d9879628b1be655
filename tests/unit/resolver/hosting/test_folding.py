"""Folding the journal gives exactly the game that judging left."""

from collections.abc import Callable
from hashlib import sha256

import pytest

from services.resolver.hosting.folding import Unfoldable, fold
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judging import judge, quarantine, start_chain
from services.resolver.hosting.snapshots import encode
from services.resolver.hosting.tally import Lines, Tally
from shared.events import JournalEvent, pack
from shared.log import Mark
from tests.unit.resolver.hosting.table import Table
from tests.unit.resolver.hosting.toy import TURN_MS


def eventful(table: Table) -> list[Callable[[], object]]:
    """Steps of a game in which everything happens."""
    again = table.submitted("ana", "order", {"name": "x"}, id="again")
    sha256 = table.store(["ana", "bia"])
    released = table.submitted("op", "release_game", {"rules": "2", "shift_ms": 60_000}, role="operator")
    marks = {"orders": Mark(5, 77)}
    return [
        lambda: table.create({}),
        lambda: table.create({"names": {"sha256": sha256}}),
        lambda: table.say("op", "set_schedule", 1500, zone="Europe/Berlin", times=["20:00"]),
        lambda: table.say("op", "start", 2000),
        lambda: table.take(again, 2100),
        lambda: table.take(again, 2200),
        lambda: table.say("ana", "chat", 2250, text="hello"),
        lambda: table.say("ana", "double", 2300),
        lambda: table.say("op", "deal", 2400),
        lambda: table.say("ana", "roll", 2500, faces=0),
        lambda: table.run_clock(2000 + 24 * TURN_MS),
        lambda: table.keep(quarantine(table.hosted, "a cause", marks, 2000 + 24 * TURN_MS)),
        lambda: table.keep(judge(table.hosted, released, 2000 + 25 * TURN_MS, table.context)),
        lambda: table.keep(start_chain(table.hosted, "import", 2000 + 25 * TURN_MS, table.context)),
        lambda: table.say("ana", "roll", 2000 + 26 * TURN_MS, faces=6),
        lambda: table.say("op", "end", 2000 + 27 * TURN_MS),
        lambda: table.say("ana", "chat", 2000 + 28 * TURN_MS, text="bye"),
    ]


def test_judging_and_folding_agree_after_every_step(table: Table) -> None:
    folded: HostedGame | None = None
    done = 0
    for step in eventful(table):
        step()
        for event in table.journal[done:]:
            folded = fold(folded, event)
        done = len(table.journal)
        assert folded is not None
        assert encode(folded) == encode(table.hosted)
    assert table.hosted.k >= 5
    assert table.hosted.over()


def test_a_gap_in_the_positions_stops_the_fold(running: Table) -> None:
    game = fold(fold(None, running.journal[0]), running.journal[1])
    with pytest.raises(Unfoldable, match="event 4 of game g1 follows event 2"):
        fold(game, running.journal[3])


def test_a_journal_begins_with_a_judgement(running: Table) -> None:
    with pytest.raises(Unfoldable, match="cannot begin a journal"):
        fold(None, running.journal[1])


def test_an_event_of_another_game_does_not_fit(running: Table) -> None:
    strange = JournalEvent(running.hosted.n + 1, "warledger.chess.moved.v1", {}, ("public",))
    with pytest.raises(Unfoldable, match=r"warledger\.chess\.moved\.v1 stands in the journal of a game of toy"):
        fold(running.game, strange)


def test_altered_data_of_a_creation_does_not_fold(table: Table) -> None:
    table.create({"names": {"sha256": table.store(["ana"])}})
    part = table.journal[1]
    altered = part._replace(data={**part.data, "text": '["eve"]'})
    game = fold(fold(None, table.journal[0]), altered)
    with pytest.raises(Unfoldable, match="do not have this SHA-256"):
        fold(game, table.journal[2])


def test_a_tally_hashes_the_lines_of_journal_and_chronicle() -> None:
    one = JournalEvent(7, "warledger.toy.a.v1", {"b": "é", "a": [1, None]}, ("team:x", "public"))
    two = JournalEvent(8, "warledger.toy.b.v1", {}, ())
    public = JournalEvent(3, one.type, one.data, ("public",))
    tally = Tally()
    tally.add(one, 3)
    tally.add(two, 0)
    first = sha256(bytes(32) + one.line() + b"\n").digest()
    assert tally.hashes()[0] == sha256(first + two.line() + b"\n").digest()
    assert tally.hashes()[1] == sha256(bytes(32) + public.line() + b"\n").digest()


def test_a_tally_is_the_same_however_many_lines_wait() -> None:
    many = [JournalEvent(n, "warledger.toy.a.v1", {"n": n}, ("public",)) for n in range(1, 20_001)]
    lazy, eager = Tally(), Tally()
    for event in many:
        lazy.add(event, event.n)
        eager.add(event, event.n)
        if event.n % 100 == 0:
            eager.hashes()
    assert lazy.hashes() == eager.hashes()
    lazy.reset()
    assert lazy.hashes() == Tally().hashes()


def test_a_tally_hashes_lines_that_are_there_behind_the_events_that_wait() -> None:
    events = [JournalEvent(n, "warledger.toy.a.v1", {"n": n}, ("public",)) for n in range(1, 7)]
    waiting, mixed = Tally(), Tally()
    for event in events:
        waiting.add(event, event.n + 10)
        lines = Lines(event) if event.n in (3, 4, 6) else None
        if lines is not None:
            lines.tell(event._replace(n=event.n + 10))
        mixed.add(event, event.n + 10, lines)
    assert mixed.hashes() == waiting.hashes()


@pytest.mark.parametrize("asked_at", [(), (1,), (4, 5), (3, 7, 10)])
def test_a_tally_of_records_is_that_of_their_events(asked_at: tuple[int, ...]) -> None:
    audiences = [("public",), ("player:ana",), ("player:ana", "public"), ()]
    events = [JournalEvent(n, "warledger.toy.a.v1", {"n": n}, audiences[n % 4]) for n in range(1, 12)]
    plain, read = Tally(), Tally()
    public_n = 0
    for start in range(0, len(events), 4):
        record = events[start : start + 4]
        read.reading(pack("g1", record)[0])
        for event in record:
            public_n += "public" in event.to
            for tally in (plain, read):
                tally.add(event, public_n if "public" in event.to else 0)
            if event.n in asked_at:
                assert read.hashes() == plain.hashes()
            if event.n == 6:  # a certificate stands in the middle of a record
                plain.reset()
                read.reset()
        read.reading(None)
    late = JournalEvent(12, "warledger.toy.a.v1", {"n": 12}, ("public",))
    for tally in (plain, read):
        tally.add(late, public_n + 1)
    assert read.hashes() == plain.hashes()
