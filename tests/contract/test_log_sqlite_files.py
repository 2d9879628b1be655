"""What the SQLite log does beyond the contract: files, group commit, full disks, kills, nudges, forks."""

import os
import resource
import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from shared.log import (
    INPUT_TOPICS,
    TURNS,
    CommitUnknown,
    Coordinates,
    Fenced,
    LogUnavailable,
    Mark,
    Reader,
    TopicPartition,
    partition_of,
    sqlite_append,
    sqlite_reader,
)
from shared.log.sqlite import SqliteLog
from shared.log.sqlite_append import TopicWriter
from shared.log.sqlite_schema import PAGE_BYTES
from shared.nudges import Nudger
from tests.contract.log_house import draft, eventually, everything, outcome, read_exactly, values
from tests.contract.processes import receive, running
from tests.contract.sqlite_faults import note_waiting
from tests.contract.test_log_sqlite import SqliteHouse

PLACE = TopicPartition("orders", partition_of("g1"))


@pytest.fixture
def house(tmp_path: Path) -> SqliteHouse:
    return SqliteHouse(tmp_path / "log")


@pytest.fixture
def log(house: SqliteHouse) -> Iterator[SqliteLog]:
    log = house.log()
    yield log
    log.close()


def append(log: SqliteLog, text: str = "{}") -> Coordinates:
    return log.append("orders", [draft("g1", text)])[0]


def read(log: SqliteLog, count: int) -> list[tuple[str, int, str | None]]:
    """Value, `at` and signer of the orders of g1's partition."""
    return [(r.value.decode(), r.at, r.signer) for r in read_exactly(log, {PLACE: Mark(0, 0)}, count)]


def test_constructing_touches_nothing(house: SqliteHouse) -> None:
    house.log().close()
    assert not house.folder.exists()


def test_reading_creates_no_file(house: SqliteHouse, log: SqliteLog) -> None:
    read_exactly(log, everything(*INPUT_TOPICS, TURNS), 0)
    assert not list(house.folder.glob("*.db"))


def test_each_service_writes_a_file_of_its_own(house: SqliteHouse, log: SqliteLog) -> None:
    for topic in INPUT_TOPICS:
        log.append(topic, [draft("g1")])
    log.own(0, "tests")
    assert sorted(path.name for path in house.folder.glob("*.db")) == [
        "journal.db", "orders.db", "trades.db", "votes.db",
    ]  # fmt: skip


def test_a_file_with_other_pages_is_written_to_as_it_is(house: SqliteHouse) -> None:
    log = house.log()
    append(log, "new")
    with closing(sqlite3.connect(house.folder / "orders.db", isolation_level=None)) as new:
        assert new.execute("PRAGMA page_size").fetchone() == (PAGE_BYTES,)
        log.close()
        new.execute("PRAGMA journal_mode=DELETE")
        new.execute("PRAGMA page_size=4096")
        new.execute("VACUUM")
    assert append(log, "old").offset == 1
    log.close()
    with closing(sqlite3.connect(house.folder / "orders.db")) as old:
        assert old.execute("PRAGMA page_size").fetchone() == (4096,)
        assert old.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_threads_that_wait_for_the_file_share_one_commit(house: SqliteHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    log = house.log()
    append(log)
    groups: list[int] = []
    genuine = TopicWriter._insert

    def insert(
        writer: TopicWriter, connection: sqlite3.Connection, group: Sequence[sqlite_append._Request]
    ) -> dict[int, Mark]:
        groups.append(len(group))
        return genuine(writer, connection, group)

    monkeypatch.setattr(TopicWriter, "_insert", insert)
    with closing(sqlite3.connect(house.folder / "orders.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(16) as pool:
            appends = [pool.submit(append, log, str(number)) for number in range(16)]
            eventually(lambda: len(log._writer("orders")._append._waiting) == 16)
            other.execute("COMMIT")
            offsets = sorted(each.result().offset for each in appends)
    log.close()
    assert groups == [16]
    assert offsets == list(range(1, 17))


def test_a_call_larger_than_a_group_is_one_transaction(log: SqliteLog) -> None:
    drafts = [draft("g1", str(number)) for number in range(sqlite_append._RECORDS_A_GROUP + 500)]
    assert len({place.at for place in log.append("orders", drafts)}) == 1


def test_a_fault_of_the_program_reaches_every_waiting_thread(
    house: SqliteHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = house.log()
    append(log)

    genuine = sqlite_append.insert_rows

    def broken(connection: sqlite3.Connection, table: str, rows: list[Any]) -> None:
        genuine(connection, table, rows)
        raise ZeroDivisionError

    with monkeypatch.context() as patch, ThreadPoolExecutor(8) as pool:
        patch.setattr(sqlite_append, "insert_rows", broken)
        appends = [pool.submit(append, log) for _ in range(8)]
        errors = [each.exception(timeout=60) for each in appends]
    assert all(isinstance(error, (ZeroDivisionError, LogUnavailable)) for error in errors)
    assert append(log).offset == 1
    log.close()


def fill_the_disk(connection: Connection, house: SqliteHouse) -> None:
    """In another process: append and commit under a limit on file sizes, lift it, go on; send what was acknowledged."""
    log = house.log("ticks")
    owner = log.own(0, "full")
    append(log, "first")
    owner.commit(outcome(1, [draft("g", "first")]))
    largest = max(path.stat().st_size for path in house.folder.iterdir() if path.suffix != ".db-shm")
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 100_000, most))
    appended, committed, refused = ["first"], ["first"], [0, 0]
    for number in range(60):
        text = f"{number}" + "x" * 9_000
        try:
            append(log, text)
            appended.append(str(number))
        except LogUnavailable:
            refused[0] += 1
        try:
            owner.commit(outcome(number + 2, [draft("g", text)]))
            committed.append(str(number))
        except LogUnavailable:
            refused[1] += 1
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    append(log, "last")
    owner.commit(outcome(100, [draft("g", "last")]))
    connection.send(([*appended, "last"], [*committed, "last"], refused))
    log.close()


def test_a_full_disk_appends_nothing_and_recovers(house: SqliteHouse, log: SqliteLog) -> None:
    with running(fill_the_disk, house) as (_, connection):
        appended, committed, refused = receive(connection)
    assert min(refused) > 0
    assert [text.rstrip("x") for text, _, _ in read(log, len(appended))] == appended
    turns = values(read_exactly(log, {TopicPartition(TURNS, 0): Mark(0, 0)}, len(committed)))
    assert [text.rstrip("x") for text in turns] == committed


def append_forever(connection: Connection, house: SqliteHouse) -> None:
    """In another process: append batches of seven over three partitions, saying which is done."""
    log = house.log()
    number = 0
    while True:
        number += 1
        log.append("orders", [draft(f"g{part % 3}", f"{number}.{part}") for part in range(7)])
        connection.send(number)


def test_a_killed_writer_leaves_whole_batches(house: SqliteHouse, log: SqliteLog) -> None:
    with running(append_forever, house) as (process, connection):
        acknowledged = 0
        while acknowledged < 20:
            acknowledged = receive(connection)
        process.kill()
        process.join()
    next_one = append(log, "0.0").offset
    assert next_one > 0
    reader = log.reader()
    reader.assign(everything("orders"))
    found = sorted(values(reader.poll(0, limit=100_000)))
    reader.close()
    last = max(int(text.split(".")[0]) for text in found)
    assert last >= acknowledged
    assert found == sorted(["0.0"] + [f"{number}.{part}" for number in range(1, last + 1) for part in range(7)])


@pytest.mark.parametrize("topic", ["orders", TURNS])
def test_a_nudge_wakes_a_waiting_reader(log: SqliteLog, monkeypatch: pytest.MonkeyPatch, topic: str) -> None:
    monkeypatch.setattr(sqlite_reader, "LONGEST_NAP", 60.0)
    waits = note_waiting(monkeypatch)
    owner = log.own(PLACE.partition, "tests")
    reader = log.reader()
    reader.assign({TopicPartition(topic, PLACE.partition): Mark(0, 0)})
    with ThreadPoolExecutor(1) as pool:
        polled = pool.submit(reader.poll, 60.0)
        assert waits.wait(60)
        started = time.monotonic()
        append(log, "news")
        owner.commit(outcome(1, [draft("g1", "news")]))
        assert values(polled.result()) == ["news"]
        assert time.monotonic() - started < 10
    reader.close()


def test_without_nudges_polling_finds_the_news(log: SqliteLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nudger, "nudge", lambda _: None)
    reader = log.reader()
    reader.assign(everything("orders"))
    with ThreadPoolExecutor(1) as pool:
        polled = pool.submit(reader.poll, 60.0)
        started = time.monotonic()
        append(log, "news")
        assert values(polled.result()) == ["news"]
        assert time.monotonic() - started < 10
    reader.close()


def opened(log: SqliteLog, reader: Reader) -> set[int]:
    """Identities of the connections that this process writes and reads orders and outcomes with."""
    assert isinstance(reader, sqlite_reader.SqliteReader)
    files = (log._writer("orders")._file, log._journal()._file)
    return {id(file._process().writer) for file in files} | {id(source._connection) for source in reader._sources}


def test_a_forked_child_opens_its_own(log: SqliteLog) -> None:
    reader = log.reader()
    reader.assign(everything("orders"))
    append(log, "parent")
    owner = log.own(0, "parent")
    assert len(reader.poll(0.01)) == 1
    inherited = opened(log, reader)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            append(log, "child")
            seen = values(reader.poll(0.01))
            log.own(0, "child").commit(outcome(3))
            code = 0 if seen == ["child"] and not inherited & opened(log, reader) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    append(log, "parent again")
    assert values(reader.poll(1)) == ["child", "parent again"]
    with pytest.raises(Fenced, match="epoch"):
        owner.commit(outcome(1))
    reader.close()


def test_marks_that_moved_beneath_the_owner_fence_it(house: SqliteHouse, log: SqliteLog) -> None:
    # As after a copy of the file was put back: the epoch is the owner's, the journal is not.
    owner = log.own(0, "tests")
    owner.commit(outcome(1, [draft("g", "first")]))
    with closing(sqlite3.connect(house.folder / "journal.db")) as connection, connection:
        connection.execute("UPDATE marks SET offset = 0 WHERE topic = 'votes'")
    for _ in range(2):
        with pytest.raises(Fenced, match=r"marks|ended"):
            owner.commit(outcome(2, [draft("g", "second")]))
    assert values(read_exactly(log, {TopicPartition(TURNS, 0): Mark(0, 0)}, 1)) == ["first"]


class SyncFails:
    """A connection whose COMMIT fails as if the disk could not say whether it is written."""

    def __init__(self, genuine: sqlite3.Connection) -> None:
        self.genuine = genuine

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql == "COMMIT":
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
            raise error
        return self.genuine.execute(sql, *parameters)

    def __getattr__(self, name: str) -> object:
        return getattr(self.genuine, name)


def test_a_commit_of_unknown_end_ends_the_ownership(log: SqliteLog) -> None:
    owner = log.own(0, "tests")
    owner.commit(outcome(1))
    process = log._journal()._file._process()
    assert process.writer is not None
    process.writer = SyncFails(process.writer)  # type: ignore[assignment]
    with pytest.raises(CommitUnknown):
        owner.commit(outcome(2, [draft("g")]))
    with pytest.raises(Fenced):
        owner.commit(outcome(2, [draft("g")]))
    again = log.own(0, "tests")
    again.commit(outcome(again.marks()["orders"].offset + 1, [draft("g", "again")]))
    assert values(read_exactly(log, {TopicPartition(TURNS, 0): Mark(0, 0)}, 1)) == ["again"]


def test_a_file_of_another_format_is_refused_with_its_name(house: SqliteHouse, log: SqliteLog) -> None:
    append(log)
    with closing(sqlite3.connect(house.folder / "orders.db")) as connection:
        connection.execute("PRAGMA user_version=99")
    with pytest.raises(LogUnavailable, match=r"orders\.db: the file has format 99; this program reads format 1"):
        read(log, 1)


def test_what_is_no_database_is_refused(house: SqliteHouse, log: SqliteLog) -> None:
    house.folder.mkdir()
    (house.folder / "orders.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(LogUnavailable, match=r"orders\.db"):
        append(log)
    with pytest.raises(LogUnavailable, match=r"orders\.db"):
        read(log, 1)


def test_a_former_owner_learns_that_it_is_one_without_a_commit(house: SqliteHouse, log: SqliteLog) -> None:
    former = log.own(PLACE.partition, "former")
    assert former.held()
    owner = house.log("ticks").own(PLACE.partition, "owner")
    assert (former.held(), owner.held()) == (False, True)
    owner.release()
    assert not owner.held()
