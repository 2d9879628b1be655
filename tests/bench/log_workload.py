"""The SQLite log against bare sqlite3, in the same durability mode and with the same rows.

The bare side's rows are made before the clock starts; its inserts are `executemany` in one transaction a batch, its
scan takes lists of a thousand from a cursor, as `poll` does. The ratios so show what the port costs: time, headers,
signatures, partitions, records.
"""

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from shared.canonical import canonical
from shared.events import JournalEvent, Submitted, pack
from shared.log import INPUT_TOPICS, START, TURNS, Draft, Outcome, TopicPartition, partition_of
from shared.log.sqlite import SqliteLog
from shared.signing import Keyring, Signer
from tests.bench.rows import ratios

BATCH = 500
BATCHES = 20
GAME = "gxc-1"
PARTITION = partition_of(GAME)
PLAYERS = 10_000
_KEY = b"k" * 32
_AT = 1_800_000_000_000
_COLUMNS = "offset, at, key, value, headers, signature"


def append_ratios(runs: int = 5) -> list[float]:
    """Orders of one game appended a second in batches of 500, ours through bare."""
    with _both() as (log, bare):
        batches = _batches(_order)
        prepared = [[_row(draft, signed=True) for draft in batch] for batch in batches]
        offsets = iter(range(10**9))

        def ours() -> float:
            started = time.perf_counter()
            for batch in batches:
                log.append("orders", batch)
            return BATCH * BATCHES / (time.perf_counter() - started)

        def theirs() -> float:
            numbered = [[(next(offsets), *row) for row in batch] for batch in prepared]
            started = time.perf_counter()
            for batch in numbered:
                _insert(bare, batch)
            return BATCH * BATCHES / (time.perf_counter() - started)

        return ratios(ours, theirs, runs)


def journal_scan_ratios(runs: int = 5) -> list[float]:
    """Records of the journal read a second from the start, as a takeover or a rebuild does, ours through bare."""
    with _both() as (log, bare):
        owner = log.own(PARTITION, "bench")
        for number, batch in enumerate(_batches(_judgements)):
            owner.commit(Outcome(batch, [], [], dict.fromkeys(INPUT_TOPICS, START)))
            _insert(bare, [(number * BATCH + index, *_row(draft)) for index, draft in enumerate(batch)])
        return _scans(log, bare, TURNS, runs)


def input_scan_ratios(runs: int = 5) -> list[float]:
    """Records of an input topic read a second, every signature checked, ours through bare."""
    with _both() as (log, bare):
        for number, batch in enumerate(_batches(_order)):
            log.append("orders", batch)
            _insert(bare, [(number * BATCH + index, *_row(draft, signed=True)) for index, draft in enumerate(batch)])
        return _scans(log, bare, "orders", runs)


def _scans(log: SqliteLog, bare: sqlite3.Connection, topic: str, runs: int) -> list[float]:
    def ours() -> float:
        reader = log.reader()
        reader.assign({TopicPartition(topic, PARTITION): START})
        started = time.perf_counter()
        count = _count(lambda: reader.poll(0))
        elapsed = time.perf_counter() - started
        reader.close()
        return count / elapsed

    def theirs() -> float:
        started = time.perf_counter()
        cursor = bare.execute(f"SELECT {_COLUMNS} FROM records ORDER BY offset")
        return _count(lambda: cursor.fetchmany(1000)) / (time.perf_counter() - started)

    return ratios(ours, theirs, runs)


def _count(take: Callable[[], Sequence[object]]) -> int:
    count = 0
    while taken := take():
        count += len(taken)
    return count


@contextmanager
def _both() -> Iterator[tuple[SqliteLog, sqlite3.Connection]]:
    with tempfile.TemporaryDirectory() as folder:
        log = SqliteLog(Path(folder) / "log", Signer("orders", _KEY), Keyring({"orders": _KEY}))
        bare = sqlite3.connect(f"{folder}/bare.db", isolation_level=None)
        bare.execute("PRAGMA journal_mode=WAL")
        bare.execute("PRAGMA synchronous=FULL")
        bare.execute(
            "CREATE TABLE records (offset INTEGER PRIMARY KEY, at INTEGER, key TEXT, value BLOB, headers TEXT,"
            " signature TEXT)"
        )
        try:
            yield log, bare
        finally:
            bare.close()
            log.close()


def _insert(bare: sqlite3.Connection, rows: Sequence[tuple[object, ...]]) -> None:
    bare.execute("BEGIN IMMEDIATE")
    bare.executemany(f"INSERT INTO records ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", rows)
    bare.execute("COMMIT")


def _row(draft: Draft, *, signed: bool = False) -> tuple[object, ...]:
    """What the log stores of a draft, without the offset."""
    signature = Signer("orders", _KEY).sign(draft.value, _AT) if signed else None
    return _AT, draft.key, draft.value, canonical(dict(draft.headers)).decode(), signature


def _batches(make: Callable[[int], Draft]) -> list[list[Draft]]:
    return [[make(number * BATCH + index) for index in range(BATCH)] for number in range(BATCHES)]


def _order(number: int) -> Draft:
    submitted = _submitted(number)
    headers = {
        "ce_specversion": "1.0",
        "ce_id": submitted.id,
        "ce_source": "/orders",
        "ce_type": "warledger.gxc.attack.v1",
        "content-type": "application/json",
        "traceparent": f"00-{number:032x}-{number:016x}-01",
    }
    return Draft(GAME, submitted.value(), headers)


def _judgements(number: int) -> Draft:
    """A record of the journal: four orders accepted, with what each changed."""
    events = []
    for index in range(4):
        submitted = _submitted(number * 4 + index)
        player = submitted.actor
        accepted = {"at": _AT, "input": {**submitted.payload, "id": submitted.id, "salt": submitted.salt}}
        placed = {"energy": number % 60, "player": player, "territory": f"T{number % 1000}"}
        n = 1 + number * 8 + index * 2
        events.append(JournalEvent(n, "warledger.host.input.accepted.v1", accepted, (player, "operator")))
        events.append(JournalEvent(n + 1, "warledger.gxc.order_placed.v1", placed, (player,)))
    return Draft(GAME, pack(GAME, events)[0], {"ce_id": f"{GAME}-{number}", "ce_type": "warledger.gxc.batch.v1"})


def _submitted(number: int) -> Submitted:
    payload = {"energy": number % 60, "from": f"T{number % 1000}", "to": f"T{number * 7 % 1000}", "turn": 12}
    return Submitted(f"{number:032x}", GAME, f"player-{number % PLAYERS}", "player", "attack", payload, "5" * 32)


def group_commit_ratios(runs: int = 5, threads: int = 16) -> list[float]:
    """Single orders appended a second by many threads at once, through those by one thread."""
    with _both() as (log, _):
        drafts = [_order(number) for number in range(2_000)]

        def rate(workers: int) -> float:
            with ThreadPoolExecutor(workers) as pool:
                started = time.perf_counter()
                for _ in pool.map(lambda draft: log.append("orders", [draft]), drafts):
                    pass
                return len(drafts) / (time.perf_counter() - started)

        return ratios(lambda: rate(threads), lambda: rate(1), runs)
