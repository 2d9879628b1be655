"""The SQLite adapter passes the contract of the log."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from shared import sqlite_file
from shared.clock import Clock
from shared.log import Draft, TopicPartition
from shared.log.sqlite import SqliteLog
from shared.log.sqlite_schema import FILE_OF, FILES, table_of
from tests.contract.log_append_contract import LogAppendContract
from tests.contract.log_house import LogHouse
from tests.contract.log_outcome_contract import LogOutcomeContract
from tests.contract.log_reading_contract import LogReadingContract
from tests.contract.sqlite_faults import held_lock, read_only


@dataclass(frozen=True)
class SqliteHouse(LogHouse):
    """A log in a folder. `patience` (seconds) is short, so that an outage is noticed soon."""

    folder: Path
    patience: float = sqlite_file.PATIENCE

    def log(self, service: str | None = "orders", clock: Clock | None = None) -> SqliteLog:
        signer = None if service is None else self.signer(service)
        return SqliteLog(self.folder, signer, self.keyring(), clock, patience=self.patience)

    def another(self) -> "SqliteHouse":
        return replace(self, folder=self.folder.with_name("another"))

    def forge(self, place: TopicPartition, draft: Draft) -> None:
        self.put(place, 4_000_000_000_000, draft.key, draft.value, "{}", "orders:" + "0" * 64)

    @contextmanager
    def unused_offset(self, place: TopicPartition) -> Iterator[None]:
        self.put(place, 0, "", b"", "{}", None)
        with closing(sqlite3.connect(self._file(place), timeout=60)) as connection, connection:
            offset = connection.execute(f"SELECT max(offset) FROM {table_of(*place)}").fetchone()[0]
        yield
        with closing(sqlite3.connect(self._file(place), timeout=60)) as connection, connection:
            connection.execute(f"DELETE FROM {table_of(*place)} WHERE offset = ?", (offset,))

    def put(self, place: TopicPartition, at: int, *row: object) -> None:
        """Insert a row of at, key, value, headers, signature at the end of a partition."""
        table = table_of(*place)
        with closing(sqlite3.connect(self._file(place), timeout=60)) as connection, connection:
            connection.execute(
                f"INSERT INTO {table} SELECT coalesce(max(offset) + 1, 0), ?, ?, ?, ?, ? FROM {table}", (at, *row)
            )

    def _file(self, place: TopicPartition) -> Path:
        return self.folder / f"{FILE_OF[place.topic]}.db"


class SqliteFixtures:
    @pytest.fixture
    def house(self, tmp_path: Path) -> SqliteHouse:
        return SqliteHouse(tmp_path / "log")

    @pytest.fixture
    def log(self, house: SqliteHouse) -> Iterator[SqliteLog]:
        log = house.log()
        yield log
        log.close()

    @pytest.fixture(params=["a held lock", "read only"])
    def outage(
        self, request: pytest.FixtureRequest, house: SqliteHouse, log: SqliteLog, monkeypatch: pytest.MonkeyPatch
    ) -> AbstractContextManager[None]:
        if request.param == "read only":
            return read_only(log.close, monkeypatch)
        monkeypatch.setattr(log, "_patience", 0.05)
        return held_lock(house.folder, FILES)


class TestSqliteAppend(SqliteFixtures, LogAppendContract):
    """Appending."""


class TestSqliteReading(SqliteFixtures, LogReadingContract):
    """Reading."""


class TestSqliteOutcome(SqliteFixtures, LogOutcomeContract):
    """Outcomes and ownership."""
