"""A game moves to another house, is set down in its own, or gets a new chain; the resolver may run meanwhile."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.resolver import moving
from services.resolver.hosting.judging import Context
from services.resolver.journal import PartitionStopped
from services.resolver.moving import FROZEN, CannotMove, InputsWait, Mover, games_of
from services.resolver.replay import replay
from services.resolver.settings import CreditPolicy
from shared.batches import At
from shared.commands import commands_of
from shared.events import JournalEvent, unpack
from shared.export import BadExport, Export, chronicle_of, read_export, write_export
from shared.log import PARTITIONS, TURNS, Draft, Outcome, Ownership, partition_of
from shared.log.sqlite import SqliteLog
from shared.rules.interface import Registration
from tests.unit.resolver.hosting.table import KEY
from tests.unit.resolver.hosting.toy import TOY_1, TURN_MS
from tests.unit.resolver.house import UNHURRIED, FixedSecrets, House
from tests.unit.tools.loading import load

VERIFY = load()
NEIGHBOUR = next(f"h{number}" for number in range(1_000) if partition_of(f"h{number}") == partition_of("g1"))


def another_house(folder: Path, key: str = "7a" * 32, **settings: Any) -> House:
    """A house with a master key of its own."""
    folder.mkdir()
    path = folder / f"{KEY[:4]}.key"
    path.write_text(key + "\n")
    path.chmod(0o600)
    return House(folder, **settings)


def mover(house: House, log: SqliteLog | None = None) -> Mover:
    secrets = FixedSecrets(house.folder / f"{KEY[:4]}.key")
    return Mover(log or house.log("ticks"), house.documents, Context(secrets, lambda _: None), house.clock, "mover")


def exported(house: House, game: str = "g1") -> list[bytes]:
    return list(write_export(game, "journal", house.journal(game)))


def read(lines: list[bytes]) -> Export:
    return read_export(iter(lines))


def lines_of(events: list[JournalEvent]) -> list[bytes]:
    return [event.line() for event in events]


def short_names(events: list[JournalEvent]) -> list[str]:
    return [event.type.split(".", 2)[2].rpartition(".v")[0] for event in events]


@pytest.fixture
def old(house: House) -> House:
    """A house with a game of two turns, in the middle of the third."""
    deadline = house.open("g1")
    house.say("g1", "ana", "order", name="first")
    house.say("g1", "op", "deal")
    house.say("g1", "ana", "roll", faces=0)
    house.settle(at=deadline + 1)
    house.say("g1", "ana", "order", name="second", key="kept")
    house.say("g1", "ana", "chat", text="hello")
    house.settle(at=deadline + TURN_MS + 1)
    house.say("g1", "bia", "order", name="third")
    house.settle()
    return house


@pytest.fixture
def new(old: House, tmp_path: Path) -> House:
    made = another_house(tmp_path / "new")
    made.clock.time = old.clock.time + 5_000
    made.count = old.count  # keys of requests: the players' clients go on with new ones
    return made


def test_a_game_that_moves_is_the_same_and_has_a_new_chain_behind_it(old: House, new: House) -> None:
    export = exported(old)
    mover(new).bring_in(read(export))

    journal = new.journal("g1")
    count = len(old.journal("g1"))
    assert lines_of(journal[:count]) == lines_of(old.journal("g1"))
    assert short_names(journal[count:]) == ["game.moved", "chain.started"]
    assert exported(new)[: len(export) - 1] == export[:-1]
    assert lines_of(new.chronicle("g1")) == lines_of(list(chronicle_of(journal)))
    moved, started = (event.data for event in journal[count:])
    source = old.journal("g1")[1].data["key_id"]
    assert moved == {"reason": "import", "at": new.clock.time, "source": source}
    assert (started["chain"], started["reason"], set(started["sealed"])) == (1, "import", {"spare"})
    assert started["key_id"] != source


def test_a_game_goes_on_where_it_moved_and_holds_over_the_seam(
    old: House, new: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mover(new).bring_in(read(exported(old)))
    before = len(new.journal("g1"))
    new.say("g1", "ana", "order", name="fourth")
    new.say("g1", "ana", "order", name="second", key="kept")
    new.say("g1", "ana", "roll", faces=6)
    new.settle(at=new.clock.time + TURN_MS)

    told = new.told("g1")[before:]
    assert [line for line in told if line.partition(" ")[0] in ("accepted", "rejected", "repeated")] == [
        "accepted order",
        "repeated order",
        "accepted roll",
        "accepted close",
    ]
    assert list(replay(new.journal("g1"))) == []
    for form, events in (("journal", new.journal("g1")), ("chronicle", new.chronicle("g1"))):
        path = tmp_path / f"{form}.jsonl"
        path.write_bytes(b"".join(write_export("g1", form, events)))  # type: ignore[arg-type]
        assert VERIFY.main([str(path)]) == 0, capsys.readouterr().out
        said = capsys.readouterr().out
        assert "turn:3: certificate 5, 1 inputs, seed 2 of chain 1: holds" in said
        assert "note: chain 1 begins at event" in said


def test_a_sealed_key_from_before_the_move_is_revealed_at_the_end_and_no_other(old: House, new: House) -> None:
    dealt = next(e.data["sealed_key"] for e in old.journal("g1") if e.data.get("label") == "deal" and "k" in e.data
                 and "sealed_key" in e.data)  # fmt: skip
    mover(new).bring_in(read(exported(old)))
    new.say("g1", "op", "end")
    new.settle()
    assert new.chronicle("g1")[-1].data == {"keys": {"deal": dealt}}


def test_a_restart_after_the_move_changes_nothing(old: House, new: House) -> None:
    mover(new).bring_in(read(exported(old)))
    new.settle()
    new.restart()
    new.say("g1", "ana", "order", name="after the restart")
    new.settle()
    assert new.told("g1")[-2:] == ["accepted order", "named"]


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_every_judgement_stands_in_one_pack_with_its_outcomes(
    old: House, new: House, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "EVENTS_A_PACK", size)
    mover(new).bring_in(read(exported(old)))
    packs = [unpack(record.value) for record in new.records(TURNS)]
    assert [event for pack in packs for event in pack.events] == new.journal("g1")
    for pack in packs:
        first = short_names(list(pack.events))[0]
        assert first.startswith("input.") or first == "game.moved"
    assert short_names(list(packs[-1].events)) == ["game.moved", "chain.started"]
    if size == 1:
        assert all(sum(name.startswith("input.") for name in short_names(list(pack.events))) <= 1 for pack in packs)


def test_a_running_resolver_goes_on_with_the_game_and_loses_nothing_of_others(old: House, new: House) -> None:
    neighbours_deadline = new.open(NEIGHBOUR)
    new.settle()
    new.say(NEIGHBOUR, "ana", "order", name="before, not yet judged")

    mover(new).bring_in(read(exported(old)))

    new.say(NEIGHBOUR, "ana", "order", name="after")
    new.say("g1", "ana", "order", name="after")
    new.settle(at=new.clock.time + UNHURRIED.held_ms)
    new.settle(at=neighbours_deadline + TURN_MS)
    told = new.told(NEIGHBOUR)
    assert told.count("accepted order") == 2
    assert "accepted close" in told
    assert new.told("g1").count("accepted close") > 2
    assert new.dead_letters() == []
    assert [event.n for event in new.journal(NEIGHBOUR)] == list(range(1, len(told) + 1))


def test_a_resolver_with_nothing_to_do_closes_the_turn_of_a_game_that_came(old: House, new: House) -> None:
    new.settle()
    mover(new).bring_in(read(exported(old)))
    new.settle(at=new.clock.time + UNHURRIED.held_ms)
    new.settle(at=new.clock.time + TURN_MS)
    assert new.told("g1").count("accepted close") == 3


def test_the_time_on_the_way_is_an_outage_if_the_deadline_passed_meanwhile(old: House, tmp_path: Path) -> None:
    new = another_house(tmp_path / "new", pace=replace(UNHURRIED, credit=CreditPolicy()))
    new.clock.time = old.clock.time + 10 * TURN_MS
    mover(new).bring_in(read(exported(old)))
    new.settle()
    told = new.told("g1")
    assert told[-2:] == ["accepted set_deadline", "deadline_set"]
    assert new.journal("g1")[-1].data["deadline"] > new.clock.time


class Stolen(SqliteLog):
    """A log whose partitions are taken by somebody else as soon as they are owned."""

    def own(self, partition: int, owner: str) -> Ownership:
        owned = super().own(partition, owner)
        super().own(partition, "resolver")
        return owned


def test_an_import_whose_partition_was_taken_back_writes_nothing(old: House, new: House) -> None:
    with pytest.raises(CannotMove, match="nothing was written, try again"):
        mover(new, Stolen(new.folder / "log")).bring_in(read(exported(old)))
    assert new.journal("g1") == new.chronicle("g1") == []


def test_a_house_that_has_the_game_refuses_it(old: House, new: House) -> None:
    export = read(exported(old))
    mover(new).bring_in(export)
    before = lines_of(new.journal("g1"))
    for house in (new, old):
        with pytest.raises(CannotMove, match="has a game g1 already"):
            mover(house).bring_in(export)
    assert lines_of(new.journal("g1")) == before


def test_a_public_export_is_no_game(old: House, new: House) -> None:
    public = Export("g1", "chronicle", old.chronicle("g1"))
    with pytest.raises(CannotMove, match="this is a public export"):
        mover(new).bring_in(public)


def test_a_journal_that_does_not_fold_is_refused_with_its_line(old: House, new: House) -> None:
    events = old.journal("g1")
    index = short_names(events).index("resolution.certified")
    events[index] = events[index]._replace(data={**events[index].data, "k": 9})
    with pytest.raises(BadExport, match="certificate 9 of game g1 follows certificate 0") as found:
        mover(new).bring_in(Export("g1", "journal", events))
    assert found.value.line == events[index].n + 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"events": ()}, "ends before the game is created"),
        ({"game": "g2"}, "the header names the game g2, and the journal is one of g1"),
    ],
)
def test_an_export_that_is_not_what_it_says_is_refused(
    old: House, new: House, change: Mapping[str, Any], said: str
) -> None:
    with pytest.raises((CannotMove, BadExport), match=said):
        mover(new).bring_in(read(exported(old))._replace(**change))
    assert games_of(new.log("ticks"), range(PARTITIONS)) == []


def test_rules_that_are_not_installed_are_named(old: House, new: House, monkeypatch: pytest.MonkeyPatch) -> None:
    export = read(exported(old))
    monkeypatch.setattr("shared.rules.GAMES", (Registration("toy", "9", lambda: TOY_1),))
    commands_of.cache_clear()
    with pytest.raises(CannotMove, match="install the version of Warledger that has them"):
        mover(new).bring_in(export)


def test_a_clock_that_is_behind_the_journal_is_said(old: House, new: House) -> None:
    new.clock.time = old.journal("g1")[-2].data["at"] - 60_001
    with pytest.raises(CannotMove, match="set the clock"):
        mover(new).bring_in(read(exported(old)))
    new.clock.time += 1
    mover(new).bring_in(read(exported(old)))


def test_a_game_in_quarantine_does_not_move(old: House, new: House) -> None:
    old.say("g1", "ana", "fail", how="raise")
    old.settle()
    with pytest.raises(CannotMove, match="inputs wait for it in the house that it comes from"):
        mover(new).bring_in(read(exported(old)))
    with pytest.raises(CannotMove, match="release it before it moves"):
        mover(old).freeze("g1")


def test_a_game_that_was_set_down_gives_the_same_export_again_and_judges_nothing(old: House) -> None:
    journal = lines_of(old.journal("g1"))
    assert lines_of(mover(old).freeze("g1")) == journal

    old.settle(at=old.clock.time + UNHURRIED.held_ms)
    old.say("g1", "ana", "order", name="too late")
    old.settle(at=old.clock.time + 10 * TURN_MS)

    assert short_names(old.journal("g1"))[len(journal) :] == ["game.quarantined"]
    assert old.journal("g1")[-1].data["cause"] == FROZEN
    assert lines_of(mover(old).freeze("g1")) == journal


def test_a_move_that_was_given_up_is_undone_by_a_release_and_no_order_is_lost(old: House) -> None:
    journal = lines_of(mover(old).freeze("g1"))
    old.settle(at=old.clock.time + UNHURRIED.held_ms)
    old.say("g1", "ana", "order", name="waits")
    old.settle()
    old.say("g1", "op", "release_game")
    old.settle(at=old.clock.time + 1)
    assert old.told("g1")[len(journal) :] == [
        "game.quarantined", "accepted release_game", "game.released", "accepted order", "named",
    ]  # fmt: skip
    assert list(replay(old.journal("g1"))) == []


def test_a_game_is_not_set_down_while_its_inputs_wait(old: House) -> None:
    before = lines_of(old.journal("g1"))
    old.say("g1", "ana", "order", name="acknowledged")
    old.say(NEIGHBOUR, "ana", "order", name="of another game")
    with pytest.raises(InputsWait, match="1 inputs of g1 are not judged yet"):
        mover(old).freeze("g1")
    assert lines_of(old.journal("g1")) == before

    old.settle(at=old.clock.time + UNHURRIED.held_ms)

    assert len(mover(old).freeze("g1")) == len(before) + 2


def put(house: House, key: str) -> At:
    """Put a record that cannot be read into the partition of g1."""
    owner = house.log("ticks").own(partition_of("g1"), "somebody")
    end = owner.commit(Outcome([Draft(key, b"torn", {})], [], [], owner.marks()))
    owner.release()
    return At(TURNS, owner.partition, end - 1)


def test_a_game_moves_out_past_what_stands_under_another_key(old: House) -> None:
    journal = lines_of(old.journal("g1"))
    put(old, "g1-of-nobody")
    assert lines_of(mover(old).freeze("g1")) == journal


def test_a_game_moves_out_past_what_stands_under_its_key_where_that_is_to_be_skipped(old: House) -> None:
    journal = lines_of(old.journal("g1"))
    stray = put(old, "g1")
    with pytest.raises(PartitionStopped, match=f"{stray}: not a batch"):
        mover(old).freeze("g1")
    assert lines_of(mover(old).freeze("g1", {stray})) == journal


def test_there_is_nothing_to_set_down_or_renew_of_a_game_that_is_not_there(old: House) -> None:
    for act in (mover(old).freeze, lambda name: mover(old).renew(name, "restore")):
        with pytest.raises(CannotMove, match="there is no game nowhere here"):
            act("nowhere")


WRITTEN = {"restore": ["game.moved", "chain.started"], "key": ["chain.started"]}


@pytest.mark.parametrize(("reason", "written"), WRITTEN.items())
def test_a_new_chain_after_a_restore_or_for_another_key_is_said_and_used(
    old: House, reason: Any, written: list[str]
) -> None:
    before = len(old.journal("g1"))
    assert mover(old).renew("g1", reason) == ("g1", 1)
    old.settle(at=old.clock.time + UNHURRIED.held_ms)
    old.say("g1", "ana", "roll", faces=6)
    old.settle()

    journal = old.journal("g1")
    assert short_names(journal)[before : before + len(written)] == written
    started = journal[before + len(written) - 1].data
    assert started["reason"] == reason
    seed = next(event.data["seed"] for event in reversed(journal) if "seed" in event.data)
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == started["seed0"]
    assert list(replay(journal)) == []


def test_a_restored_house_does_not_roll_the_dice_that_were_seen(tmp_path: Path, toy: None) -> None:
    lost = House(tmp_path / "lost")
    lost.open("g1")
    lost.settle()
    backup = lines_of(lost.journal("g1"))
    restored = House(tmp_path / "restored")
    restored.clock.time = lost.clock.time
    for house in (lost, restored):
        if house is restored:
            house.open("g1")
            house.settle()
            assert lines_of(house.journal("g1"))[0] == backup[0]
            mover(house).renew("g1", "restore")
            house.settle(at=house.clock.time + UNHURRIED.held_ms)
        house.say("g1", "ana", "roll", faces=6)
        house.settle()
    seeds = [[e.data["seed"] for e in house.journal("g1") if "seed" in e.data] for house in (lost, restored)]
    assert len(seeds[0]) == len(seeds[1]) == 1
    assert seeds[0] != seeds[1]


def test_a_restore_drops_snapshots_of_another_history(old: House) -> None:
    old.resolver.close()
    assert old.documents.find("manifests", "")
    mover(old).renew("g1", "restore")
    assert old.documents.find("manifests", f"{partition_of('g1'):02d}") == []
    old.restart()
    old.say("g1", "ana", "order", name="goes on")
    old.settle()
    assert old.told("g1")[-1] == "named"


def test_a_game_that_is_over_needs_no_chain(old: House) -> None:
    old.say("g1", "op", "end")
    old.settle()
    before = len(old.journal("g1"))
    assert mover(old).renew("g1", "restore") is None
    assert len(old.journal("g1")) == before
