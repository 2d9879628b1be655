"""The SQLite adapter passes the contract of the documents."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pytest

from shared.documents import STORES, Document
from shared.documents import sqlite as adapter
from shared.documents.sqlite import ERASED, SqliteDocuments
from shared.sqlite_file import PATIENCE
from tests.contract.documents_contract import DocumentsContract, DocumentsHouse, document
from tests.contract.sqlite_faults import held_lock, note_waiting, read_only


@dataclass(frozen=True)
class SqliteDocumentsHouse(DocumentsHouse):
    """Documents in a folder. `patience` in seconds."""

    folder: Path
    patience: float = PATIENCE

    def documents(self) -> SqliteDocuments:
        return SqliteDocuments(self.folder, patience=self.patience)


@pytest.fixture
def house(tmp_path: Path) -> SqliteDocumentsHouse:
    return SqliteDocumentsHouse(tmp_path / "docs")


@pytest.fixture
def documents(house: SqliteDocumentsHouse) -> Iterator[SqliteDocuments]:
    documents = house.documents()
    yield documents
    documents.close()


class TestSqliteDocuments(DocumentsContract):
    """The contract."""

    @pytest.fixture(params=["a held lock", "read only"])
    def outage(
        self,
        request: pytest.FixtureRequest,
        house: SqliteDocumentsHouse,
        documents: SqliteDocuments,
        monkeypatch: pytest.MonkeyPatch,
    ) -> AbstractContextManager[None]:
        if request.param == "read only":
            return read_only(documents.close, monkeypatch)
        for file in documents._files.values():
            monkeypatch.setattr(file, "_patience", 0.05)
        return held_lock(house.folder, STORES)


def test_constructing_touches_nothing(house: SqliteDocumentsHouse) -> None:
    house.documents()
    assert not house.folder.exists()


def test_reading_creates_no_file(house: SqliteDocumentsHouse, documents: SqliteDocuments) -> None:
    assert documents.find("documents", "") == []
    assert not house.folder.exists()


def test_each_store_has_a_file_of_its_own(house: SqliteDocumentsHouse, documents: SqliteDocuments) -> None:
    for store, collections in STORES.items():
        documents.write(collections[0], [document("a")])
        assert (house.folder / f"{store}.db").exists()


def test_a_nudge_wakes_who_waits(
    house: SqliteDocumentsHouse, documents: SqliteDocuments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "LONGEST_NAP", 60.0)
    documents.write("heads", [document("g1", 1)])
    other = house.documents()
    with ThreadPoolExecutor(1) as pool:
        # The first wait of a thread returns at once: it does not know what was there before.
        pool.submit(other.wait, "views", 60.0).result()
        waits = note_waiting(monkeypatch)
        waiting = pool.submit(other.wait, "views", 60.0)
        assert waits.wait(60)
        started = time.monotonic()
        documents.write("heads", [document("g1", 2)])
        waiting.result()
        assert time.monotonic() - started < 10
    other.close()


def test_what_was_written_between_two_waits_ends_the_second_at_once(
    house: SqliteDocumentsHouse, documents: SqliteDocuments
) -> None:
    documents.write("heads", [document("g1", 1)])
    documents.wait("views", 0)
    other = house.documents()
    other.write("heads", [document("g1", 2)])
    other.close()
    started = time.monotonic()
    documents.wait("views", 60.0)
    assert time.monotonic() - started < 10


def test_a_forked_child_opens_its_own(documents: SqliteDocuments) -> None:
    documents.write("documents", [document("parent")])
    assert len(documents.find("documents", "")) == 1
    documents.wait("views", 0)
    file = documents._files["views"]
    inherited = {id(file._process().writer), *map(id, file._process().idle)}
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            documents.write("documents", [document("child")])
            documents.wait("views", 0)
            found = documents.find("documents", "")
            own = {id(file._process().writer), *map(id, file._process().idle)}
            code = 0 if len(found) == 2 and not inherited & own else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    documents.write("documents", [document("parent again")])
    assert [each.id for each in documents.find("documents", "")] == ["child", "parent", "parent again"]


@pytest.mark.parametrize("store", STORES)
def test_only_what_can_be_made_again_does_not_wait_for_the_disk(tmp_path: Path, store: str) -> None:
    documents = SqliteDocuments(tmp_path)
    mode = documents._files[store].write(lambda connection: connection.execute("PRAGMA synchronous").fetchone()[0])
    documents.close()
    assert ("OFF", "NORMAL", "FULL")[mode] == ("NORMAL" if store == "views" else "FULL")


def test_what_a_reader_kept_in_the_wal_is_gone_behind_the_next_write(house: SqliteDocumentsHouse) -> None:
    documents = SqliteDocuments(house.folder, patience=0.05)
    documents.insert("messages", Document("a", 1, {"text": "a secret word"}))
    reader = documents._files["messages"].reader()
    assert reader is not None
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM messages").fetchall()
    documents.write("messages", [Document("a", 2, {})])
    assert b"a secret word" in all_bytes(house.folder)
    reader.close()
    documents.insert("messages", Document("b", 1, {}))
    assert b"a secret word" not in all_bytes(house.folder)
    documents.close()


@pytest.mark.slow
@pytest.mark.parametrize("collection", sorted(ERASED))
@pytest.mark.parametrize("how", ["write", "replace", "delete", "delete_prefix"])
def test_what_is_removed_stands_in_no_file(
    house: SqliteDocumentsHouse, documents: SqliteDocuments, collection: str, how: str
) -> None:
    for number in range(300):  # enough for pages to be split
        body = {"text": f"word {number} " + "of length " * (number % 40)}
        documents.write(collection, [Document(f"{number}", 1, body)])
    assert b"word 77 " in all_bytes(house.folder)
    if how == "write":
        documents.write(collection, [Document("77", 2, {})])
    elif how == "replace":
        documents.replace(collection, Document("77", 2, {}), 1)
    elif how == "delete":
        documents.delete(collection, ["77"])
    else:
        documents.delete_prefix(collection, "77")
    assert b"word 77 " not in all_bytes(house.folder)
    assert b"word 78 " in all_bytes(house.folder)


def all_bytes(folder: Path) -> bytes:
    """Everything that stands in the files of a folder."""
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())
