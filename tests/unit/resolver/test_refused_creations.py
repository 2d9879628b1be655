"""A refused creation is decided again by what stood with it, whatever was created under its id afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from services.resolver.hosting.judging import Context
from services.resolver.moving import Mover
from services.resolver.replay import replay
from shared.canonical import canonical, sha256_hex
from shared.clock import SystemClock
from shared.documents.sqlite import SqliteDocuments
from shared.events import JournalEvent
from shared.export import chronicle_of, read_export, write_export
from shared.host_events import DATA_PART
from shared.log.sqlite import SqliteLog
from shared.rules import GAMES
from shared.rules.gxc import RULES
from shared.signing import Keyring, Signer
from tests.rules.gxc.play import creation, territory
from tests.unit.resolver.hosting.table import Table, code_of, master_key, names
from tests.unit.resolver.house import KEYS
from tests.unit.tools.loading import load

TEAMS = {"red": ["T"], "blue": ["U"]}
GOOD = {"territories": {"T": territory("U"), "U": territory("T")}}
ANOTHER = {"territories": {"T": territory("U", x=9), "U": territory("T")}}
ONE_SIDED = {"territories": {"T": territory("U"), "U": territory()}}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path, kind="gxc")


def create(table: Table, map: Any, config: Any = None) -> str:
    """Create with this map; returns the code."""
    given = {**creation({}, TEAMS, config), "map": map}
    return code_of(table.create(given, at=1000 + table.count))


def bad_config_then_another_map(table: Table) -> None:
    assert create(table, {"sha256": table.store(GOOD)}, {"turn_hour": 24}) == "bad_config"
    assert create(table, {"sha256": table.store(ANOTHER)}) == "accepted"


def bad_map_then_a_good_one(table: Table) -> None:
    assert create(table, {"sha256": table.store(ONE_SIDED)}) == "bad_map"
    assert create(table, {"sha256": table.store(GOOD)}) == "accepted"


def a_map_that_comes_too_late(table: Table) -> None:
    sha256 = sha256_hex(canonical(GOOD))
    assert create(table, {"sha256": sha256}) == "unknown_data"
    table.store(GOOD)
    assert create(table, {"sha256": sha256}) == "accepted"


def the_same_map_twice(table: Table) -> None:
    assert create(table, {"sha256": table.store(GOOD)}, {"turn_hour": 24}) == "bad_config"
    assert create(table, {"sha256": table.store(GOOD)}) == "accepted"


def data_that_is_no_json(table: Table) -> None:
    for broken in (b"", b"{", b"1.5", b"\xff"):
        table.stored[sha256_hex(broken)] = broken
        assert create(table, {"sha256": sha256_hex(broken)}) == "unknown_data"
    assert create(table, {"sha256": table.store(GOOD)}) == "accepted"


HISTORIES = (
    bad_config_then_another_map,
    bad_map_then_a_good_one,
    a_map_that_comes_too_late,
    the_same_map_twice,
    data_that_is_no_json,
)


@pytest.mark.parametrize("play", HISTORIES)
def test_the_journal_alone_decides_a_refused_creation_again(play: Any, table: Table) -> None:
    play(table)
    assert list(replay(table.journal)) == []


@pytest.mark.parametrize("play", HISTORIES)
def test_a_game_whose_first_creation_was_refused_verifies_and_moves(play: Any, table: Table, tmp_path: Path) -> None:
    play(table)
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(write_export("g1", "journal", table.journal)))
    assert load().main([str(path)]) == 0
    with path.open("rb") as file, house(tmp_path / "new") as mover:
        moved = mover.bring_in(read_export(file))
    assert RULES.encode(moved.state) == RULES.encode(table.hosted.state)


@contextmanager
def house(folder: Path) -> Iterator[Mover]:
    """A house that holds no data."""
    folder.mkdir()
    log = SqliteLog(folder / "log", Signer("ticks", KEYS["ticks"]), Keyring(KEYS), SystemClock())
    documents = SqliteDocuments(folder / "docs")
    try:
        yield Mover(log, documents, Context(master_key(folder, "7a" * 32), lambda _: None), SystemClock(), "mover")
    finally:
        log.close()
        documents.close()


def test_the_data_of_a_refused_creation_is_for_operators_alone(table: Table) -> None:
    judged = table.create({**creation({}, TEAMS, {"turn_hour": 24}), "map": {"sha256": table.store(GOOD)}})
    assert names(judged) == ["input.rejected", "data.part"]
    assert judged.events[1].to == ()
    assert list(chronicle_of(table.journal)) == []


def test_the_data_of_one_creation_does_not_stand_for_that_of_another(table: Table) -> None:
    bad_config_then_another_map(table)
    without: list[JournalEvent] = []
    for event in table.journal:
        if event.type != DATA_PART or event.to:
            without.append(event._replace(n=len(without) + 1))
    assert [item.n for item in replay(without)] == [1]


def test_what_this_installation_did_not_know_then_is_not_decided_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = creation(GOOD["territories"], TEAMS)
    assert code_of(table.create(given, rules="99")) == "unknown_rules"
    assert code_of(table.create(given, at=1001)) == "accepted"
    monkeypatch.setattr("shared.rules.GAMES", (*GAMES, GAMES[0]._replace(version="99")))
    assert list(replay(table.journal)) == []
