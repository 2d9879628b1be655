"""Nothing depends on offsets without gaps: in Kafka the last offsets before an end hold no record (transactions)."""

from pathlib import Path

import pytest

from services.resolver.hosting.judging import Context
from services.resolver.moving import InputsWait, Mover, games_of
from shared.log import PARTITIONS, TURNS
from tests.unit.resolver.hosting.table import KEY
from tests.unit.resolver.hosting.toy import TURN_MS
from tests.unit.resolver.house import FixedSecrets, House
from tests.unit.resolver.spread import spread_offsets
from tests.unit.resolver.test_takeover import GAMES, lines, story
from warledger.journals import dead_letters, journal


@pytest.fixture
def house(tmp_path: Path, toy: None, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose log has a gap behind every record."""
    spread_offsets(monkeypatch)
    return House(tmp_path / "gaps")


def test_a_resolver_that_restarts_all_the_time_writes_the_same_journal(tmp_path: Path, toy: None) -> None:
    straight = lines(story(House(tmp_path / "straight")), TURNS)
    with pytest.MonkeyPatch.context() as patch:
        spread_offsets(patch)
        assert lines(story(House(tmp_path / "gaps"), restart_every=3, snapshot_every=2), TURNS) == straight
    assert all(straight[game] for game in GAMES)


def test_a_release_finds_every_input_that_waited(house: House) -> None:
    house.open("g1")
    house.say("g1", "ana", "fail", how="raise")
    house.say("g1", "ana", "order", name="waits")
    house.say("g1", "bia", "chat", text="hello")
    house.settle()
    house.say("g1", "op", "release_game", at=house.clock.time + 10, rules="2")
    house.settle(at=house.clock.time + 20)
    assert [line for line in house.told("g1") if line.startswith("accepted")][-4:] == [
        "accepted release_game", "accepted fail", "accepted order", "accepted chat",
    ]  # fmt: skip


def test_a_deadline_closes_after_a_restart_long_into_its_turn(house: House) -> None:
    deadline = house.open("g1")
    house.settle(at=deadline - TURN_MS // 2)
    house.restart()
    house.settle(at=deadline + 1)
    assert "accepted close" in house.told("g1")


def test_a_journal_is_read_whole_and_dead_letters_are_all_found(house: House) -> None:
    house.open("g1")
    house.settle()
    house.write("g1", b"no input", "orders")
    house.say("g1", "ana", "order", name="last")
    house.settle()
    log = house.log("ticks")
    assert list(journal(log, "g1")) == house.journal("g1")
    assert [letter.reason for letter in dead_letters(log)] == ["unreadable"]


def test_a_game_is_frozen_when_nothing_of_it_waits(house: House) -> None:
    house.open("g1")
    house.settle()
    house.say("g1", "ana", "order", name="waits")
    secrets = FixedSecrets(house.folder / f"{KEY[:4]}.key")
    log = house.log("ticks")
    mover = Mover(log, house.documents, Context(secrets, lambda _: None), house.clock, "mover")
    with pytest.raises(InputsWait, match="1 inputs"):
        mover.freeze("g1")
    house.settle(at=house.clock.time + 10_000)
    house.settle()
    assert mover.freeze("g1") == house.journal("g1")[:-1]
    assert games_of(log, range(PARTITIONS)) == ["g1"]
