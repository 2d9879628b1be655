"""What the tests of both SQLite adapters do to their files and their nudges."""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from shared import sqlite_file
from shared.nudges import Listener


@contextmanager
def held_lock(folder: Path, files: Iterable[str]) -> Iterator[None]:
    """Another process's write that does not end, in each file."""
    folder.mkdir(exist_ok=True)
    held = [sqlite3.connect(folder / f"{file}.db", isolation_level=None) for file in files]
    try:
        for connection in held:
            connection.execute("BEGIN IMMEDIATE")
        yield
    finally:
        for connection in held:
            connection.close()


@contextmanager
def read_only(close: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connections opened meanwhile may only read; `close` ends those that are open."""
    genuine = sqlite_file.connect

    def connect(path: Path, *, create: bool) -> sqlite3.Connection:
        connection = genuine(path, create=create)
        connection.execute("PRAGMA query_only=1")
        return connection

    close()
    with monkeypatch.context() as patch:
        patch.setattr(sqlite_file, "connect", connect)
        yield


def note_waiting(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """An event that is set when somebody waits for a nudge from now on."""
    waiting = threading.Event()
    genuine = Listener.wait

    def wait(listener: Listener, timeout: float) -> bool:
        waiting.set()
        return genuine(listener, timeout)

    monkeypatch.setattr(Listener, "wait", wait)
    return waiting


def damage(path: Path, table: str) -> None:
    """Overwrite the first page of a table, as a failing disk may."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
