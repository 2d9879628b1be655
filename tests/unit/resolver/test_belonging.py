"""Documents of another log: a resolver takes nothing over beside them, until that is mended."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from services.resolver.snapshotting import Snapshots
from shared.belonging import RECORD, OtherLog, check_claims
from shared.documents import DocumentsUnavailable
from shared.documents.sqlite import SqliteDocuments
from shared.log import TICKS, partition_of
from tests.unit.resolver.house import UNHURRIED, House


def beside(house: House, folder: Path) -> House:
    """A house with a log of its own, on the documents of another one."""
    stranger = House(folder, replace(UNHURRIED, retry_ms=0))
    stranger.documents.close()
    stranger.documents = SqliteDocuments(house.folder / "docs")
    stranger.restart()
    return stranger


def owned(house: House) -> int:
    """How often the partition of g1 was taken over."""
    path = house.folder / "log" / "journal.db"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as journal:
        row = journal.execute("SELECT epoch FROM owners WHERE partition = ?", (partition_of("g1"),)).fetchone()
    return 0 if row is None else int(row[0])


def test_a_game_of_the_same_id_in_another_log_leaves_snapshots_alone(house: House, tmp_path: Path) -> None:
    house.open("g1")
    house.settle()
    house.resolver.close()
    kept = house.documents.find("manifests", "")
    stranger = beside(house, tmp_path / "stranger")
    stranger.open("g1")
    stranger.create("g2")

    assert not stranger.resolver.round(0)
    said = stranger.resolver.ready_fault() or ""
    stranger.resolver.close()

    assert house.log(TICKS).identity() in said
    assert stranger.log(TICKS).identity() in said
    assert "WARLEDGER_DOCS to another database" in said
    assert owned(stranger) == 0
    assert stranger.journal("g1") == []
    assert house.documents.find("manifests", "") == kept
    with pytest.raises(OtherLog):
        check_claims(stranger.log(TICKS), house.documents)
    house.restart()
    house.settle()
    assert house.resolver.ready_fault() is None
    assert house.resolver.remarks() == []


def test_snapshots_that_were_wiped_under_a_running_resolver_are_claimed_again(house: House) -> None:
    snapshots = Snapshots(house.documents)
    snapshots.claim(house.log(TICKS))
    house.documents.delete_prefix("manifests", "")

    snapshots.save(0, 1, [])

    assert RECORD in house.documents.get("manifests", [RECORD])


def test_it_goes_on_by_itself_when_the_stores_were_emptied(house: House, tmp_path: Path) -> None:
    house.open("g1")
    house.settle()
    house.resolver.close()
    stranger = beside(house, tmp_path / "stranger")
    stranger.open("g1")
    assert not stranger.resolver.round(0)
    for collection in ("manifests", "snapshots"):
        stranger.documents.delete_prefix(collection, "")

    assert stranger.resolver.round(0)

    stranger.settle()
    assert stranger.resolver.ready_fault() is None
    assert stranger.journal("g1")


def test_an_installation_without_a_record_gets_it_and_keeps_its_snapshots(house: House) -> None:
    house.open("g1")
    house.settle()
    house.resolver.close()
    house.documents.delete("manifests", ["log"])
    for log in house._logs:
        log.close()
    with closing(sqlite3.connect(house.folder / "log" / "journal.db")) as connection, connection:
        connection.execute("DROP TABLE identity")  # as an earlier version has left it
    kept = house.documents.find("manifests", "")
    check_claims(house.log(TICKS), house.documents)

    house.restart()
    house.settle()

    assert house.resolver.ready_fault() is None
    assert house.documents.get("manifests", ["log"])["log"].body == {"log": house.log(TICKS).identity()}
    assert {item.id for item in kept} < {item.id for item in house.documents.find("manifests", "")}


def test_nothing_is_taken_over_while_the_documents_cannot_be_asked(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise DocumentsUnavailable("the documents are away")

    with monkeypatch.context() as patched:
        patched.setattr(Snapshots, "claim", away)
        assert not house.resolver.round(0)
        assert "the documents are away" in (house.resolver.ready_fault() or "")
    assert owned(house) == 0
    house.settle()
    assert house.resolver.ready_fault() is None
