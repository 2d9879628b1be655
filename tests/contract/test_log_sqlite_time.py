"""What the SQLite log does beyond the contract: the time it gives itself, signatures over it, rows put in past it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from shared.log import Coordinates, Mark, TopicPartition, partition_of, sqlite_schema
from shared.log.sqlite import SqliteLog
from shared.signing import Signer
from tests.contract.log_house import KEYS, draft, everything, key_in, poll_until, read_exactly, values
from tests.contract.test_log_sqlite import SqliteHouse

PLACE = TopicPartition("orders", partition_of("g1"))


class Hands:
    """A clock that shows what it is set to, in milliseconds."""

    def __init__(self, now: int) -> None:
        self.time = now

    def now(self) -> int:
        return self.time


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


def test_a_clock_that_jumps_back_does_not_take_time_back(house: SqliteHouse) -> None:
    clock = Hands(1_000)
    log = house.log(clock=clock)
    times = []
    for clock.time in (1_000, 400, 999, 1_001, 2_000, 0):
        times.append(append(log).at)
    log.close()
    assert times == [1_000, 1_000, 1_000, 1_001, 2_000, 2_000]
    assert [at for _, at, _ in read(log, 6)] == times


def test_a_process_whose_clock_is_slow_takes_the_time_of_the_others(house: SqliteHouse) -> None:
    fast, slow = house.log("ticks", Hands(5_000)), house.log("orders", Hands(1_000))
    first = append(slow).at
    fast.tick([PLACE])
    assert (first, append(slow).at) == (1_000, 5_000)
    fast.close()
    slow.close()


def test_the_time_of_a_forged_record_does_not_count(house: SqliteHouse) -> None:
    clock = Hands(1_000)
    log = house.log(clock=clock)
    append(log, "a")
    house.forge(PLACE, draft("g1", "false"))
    house.forge(PLACE, draft("g1", "false too"))
    clock.time = 1_500
    append(log, "b")
    log.close()
    assert read(log, 4) == [
        ("a", 1_000, "orders"), ("false", 1_000, None), ("false too", 1_000, None), ("b", 1_500, "orders"),
    ]  # fmt: skip


def test_forged_records_do_not_hide_the_time_of_genuine_ones(house: SqliteHouse) -> None:
    first, second = house.log(clock=Hands(9_000)), house.log(clock=Hands(1_000))
    append(first, "a")
    for _ in range(3):
        house.forge(PLACE, draft("g1", "false"))
    assert append(second, "b").at == 9_000
    first.close()
    second.close()


def copy(house: SqliteHouse, offset: int, to: str = "max(offset) + 1") -> None:
    """Put a record of the partition in once more, with its time and signature."""
    table = f"orders_{PLACE.partition:02}"
    with closing(sqlite3.connect(house.folder / "orders.db")) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = 1")
        connection.execute(
            f"INSERT INTO {table} SELECT (SELECT {to} FROM {table}), at, key, value, headers, signature FROM {table}"
            " WHERE offset = ?",
            (offset,),
        )


def test_a_copy_of_an_older_record_is_forged(house: SqliteHouse) -> None:
    clock = Hands(1_000)
    log = house.log(clock=clock)
    append(log, "old")
    clock.time = 2_000
    append(log, "new")
    copy(house, 0)
    append(log, "newer")
    log.close()
    assert read(log, 4) == [
        ("old", 1_000, "orders"), ("new", 2_000, "orders"), ("old", 2_000, None), ("newer", 2_000, "orders"),
    ]  # fmt: skip


@pytest.mark.parametrize("writer", ["the same process", "another process"])
def test_a_copy_does_not_take_time_back_where_the_clock_does(house: SqliteHouse, writer: str) -> None:
    clock = Hands(1_000)
    log = house.log(clock=clock)
    append(log, "old")
    clock.time = 9_000
    append(log, "new")
    for _ in range(3):
        copy(house, 0)
    clock.time = 500
    second = log if writer == "the same process" else house.log(clock=clock)
    assert append(second, "newer").at == 9_000
    log.close()
    second.close()


@pytest.mark.parametrize("forged", ["nothing", "last", "amid"])
def test_of_what_another_process_wrote_meanwhile_only_the_genuine_counts(house: SqliteHouse, forged: str) -> None:
    late, other = house.log(clock=Hands(1_000)), house.log("ticks", Hands(5_000))
    append(late, "a")

    def forge() -> None:
        copy(house, 0)
        with closing(sqlite3.connect(house.folder / "orders.db")) as connection, connection:
            table = f"orders_{PLACE.partition:02}"
            connection.execute(f"UPDATE {table} SET at = 9000 WHERE offset = (SELECT max(offset) FROM {table})")

    other.tick([PLACE])
    if forged == "amid":
        forge()
        other.tick([PLACE])
    elif forged == "last":
        forge()
    assert append(late, "b").at == 5_000
    late.close()
    other.close()


def test_ticks_and_inputs_of_two_processes_keep_one_order_of_time(house: SqliteHouse) -> None:
    clocks = Hands(3_000), Hands(1_000)
    logs = house.log("ticks", clocks[0]), house.log("orders", clocks[1])
    for _ in range(3):
        logs[0].tick([PLACE])
        append(logs[1])
        clocks[0].time -= 700
        clocks[1].time += 1_500
    for log in logs:
        log.close()
    found = [(at, signer) for _, at, signer in read(log, 6)]
    assert found == [
        (3_000, "ticks"), (3_000, "orders"), (3_000, "ticks"), (3_000, "orders"), (3_000, "ticks"), (4_000, "orders"),
    ]  # fmt: skip


@pytest.mark.parametrize("offset", [-1, -(2**63), 2**33, 2**62 - 1, 2**62, 2**63 - 1])
def test_a_row_out_of_reach_is_no_record(house: SqliteHouse, log: SqliteLog, offset: int) -> None:
    append(log, "a")
    copy(house, 0, str(offset))
    second = house.log()
    assert [append(log, "b").offset, append(second, "c").offset] == [1, 2]
    second.close()
    assert [value for value, _, _ in read(log, 3)] == ["a", "b", "c"]
    reader = log.reader()
    assert reader.end(PLACE) == 3
    reader.close()


def test_appending_goes_on_behind_a_gap_and_nothing_there_is_missed(house: SqliteHouse, log: SqliteLog) -> None:
    append(log, "a")
    reader = log.reader()
    reader.assign({PLACE: Mark(0, 0)})
    assert len(reader.poll(0)) == 1
    for end in (sqlite_schema.LONGEST_GAP, 2 * sqlite_schema.LONGEST_GAP + 1):
        copy(house, 0, f"max(offset) + {sqlite_schema.LONGEST_GAP - 1}")
        second = house.log()
        assert [append(second, "b").offset, append(log, "b").offset] == [end, end + 1]
        second.close()
    found = poll_until(reader, 6)
    assert values(found) == ["a", "b", "b"] * 2
    assert reader.position(PLACE) == reader.end(PLACE) == found[-1].offset + 1
    reader.close()


def test_a_new_file_refuses_offsets_that_are_none(house: SqliteHouse, log: SqliteLog) -> None:
    append(log)
    with closing(sqlite3.connect(house.folder / "orders.db")) as connection:
        for offset in (-1, 2**62):
            with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
                connection.execute(f"INSERT INTO orders_00 VALUES ({offset}, 1, '', x'', '', NULL)")


def test_the_time_is_signed(house: SqliteHouse, log: SqliteLog) -> None:
    place = append(log, "a")
    with closing(sqlite3.connect(house.folder / "orders.db")) as connection, connection:
        connection.execute(f"UPDATE orders_{place.partition:02} SET at = at - 1")
    assert read(log, 1) == [("a", 0, None)]


@pytest.mark.parametrize(
    "row",
    [
        (b"k", b"v", b"{}", None),
        (b"k", b"v", b"{}", b""),
        (b"k", b"v", b"{}", b"orders"),
        (b"k", b"v", b"{}", b"nobody:" + b"0" * 64),
        (b"k\xff", b"v", b"\xfe", b"orders:\xff"),
        (b"k", b"v", b"no json", b":"),
        (b"k", b"v", b"[1]", "orders:é".encode()),
        (b"k", b"v", b'{"a": 1}', b"ticks:" + b"0" * 64),
    ],
)
def test_no_row_whatever_it_holds_stops_reader_or_writer(
    house: SqliteHouse, log: SqliteLog, row: tuple[bytes | None, ...]
) -> None:
    append(log, "a")
    key, value, headers, signature = row
    with closing(sqlite3.connect(house.folder / "orders.db")) as connection, connection:
        connection.execute(
            f"INSERT INTO orders_{PLACE.partition:02} VALUES (1, 77, CAST(? AS TEXT), ?, CAST(? AS TEXT),"
            " CAST(? AS TEXT))",
            (key, value, headers, signature),
        )
    append(log, "b")
    records = read_exactly(log, everything("orders"), 3)
    assert [record.signer for record in records] == ["orders", None, "orders"]
    assert dict(records[1].headers) == {}
    assert records[1].at == records[0].at


def test_a_log_without_keyring_reads_inputs_as_forged(house: SqliteHouse, log: SqliteLog) -> None:
    append(log)
    blind = SqliteLog(house.folder)
    assert [record.signer for record in read_exactly(blind, everything("orders"), 1)] == [None]
    with pytest.raises(ValueError, match="signer"):
        append(blind)


def test_every_key_of_the_house_signs_as_the_adapter_stores(house: SqliteHouse, log: SqliteLog) -> None:
    place = log.append("orders", [draft(key_in(0), "v")])[0]
    with closing(sqlite3.connect(house.folder / "orders.db")) as connection:
        stored = connection.execute("SELECT at, signature FROM orders_00").fetchone()
    assert stored == (place.at, Signer("orders", KEYS["orders"]).sign(b"v", place.at))
