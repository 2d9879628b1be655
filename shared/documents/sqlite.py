"""The SQLite adapter of the document port: a folder with one file per store, one table per collection.

Columns: id, position, body (canonical JSON). A store's file is written by one service and read by any process.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from shared.documents import COLLECTIONS, DERIVED, MAX_DOCUMENTS_A_WRITE, STORES, Document, DocumentsUnavailable
from shared.documents.rows import Row, document_of, end_of, parts, row_of, store_of
from shared.nudges import Listener, Nudger
from shared.sqlite_file import CACHE_BYTES, PATIENCE, SqliteFile, StoreUnavailable

LONGEST_NAP = 0.05
"""Seconds after which a waiting caller looks by itself, nudged or not."""
_IDS_A_STATEMENT = 500
_PAGE_BYTES = 4096
_BULK_PAGE_BYTES = 8192
"""A close writes documents of a game by the dozen, which stand side by side."""
_BULK_CACHE_BYTES = 16 * 1024 * 1024
"""The pages of a batch of closes: with SQLite's own 2 MB some are written and read again before its commit, which takes
4 % more of the writes' processor."""
ERASED = frozenset({"messages", "accounts", "names"})
"""Collections of what people wrote or are called: nothing that is removed or replaced stays readable in the files."""
_ERASING_STORES = frozenset(COLLECTIONS[collection] for collection in ERASED)

T = TypeVar("T")


class SqliteDocuments:
    """Document stores in a folder. `patience` is the time in seconds that a call waits for a lock."""

    def __init__(self, folder: Path, *, patience: float = PATIENCE) -> None:
        self._folder = folder
        self._files = {store: _open_file(folder, store, patience) for store in STORES}
        self._nudgers: dict[tuple[int, str], Nudger] = {}
        self._watches: dict[tuple[int, int, str], _Watch] = {}
        # At first all: a process that was killed may not have come to it.
        self._to_scrub = set(_ERASING_STORES)

    def get(self, collection: str, ids: Iterable[str]) -> dict[str, Document]:
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}

        def select(connection: sqlite3.Connection) -> list[Row]:
            rows: list[Row] = []
            for start in range(0, len(wanted), _IDS_A_STATEMENT):
                part = wanted[start : start + _IDS_A_STATEMENT]
                places = ",".join("?" * len(part))
                sql = f"SELECT id, position, body FROM {collection} WHERE id IN ({places})"
                rows += connection.execute(sql, part).fetchall()
            return rows

        return {row[0]: document_of(*row) for row in self._read(collection, select)}

    def find(self, collection: str, prefix: str, *, after: str = "", limit: int = 1_000_000) -> list[Document]:
        condition, bounds = _range(prefix)
        sql = f"SELECT id, position, body FROM {collection} WHERE {condition} AND id > ? ORDER BY id LIMIT ?"

        def select(connection: sqlite3.Connection) -> list[Row]:
            return connection.execute(sql, (*bounds, after, limit)).fetchall()

        return [document_of(*row) for row in self._read(collection, select)]

    def write(self, collection: str, documents: Sequence[Document], absent: Container[str] = ()) -> None:
        sql = (
            f"INSERT INTO {collection} (id, position, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE"
            " SET position = excluded.position, body = excluded.body WHERE excluded.position > position"
        )
        for part in parts(_bound(documents)):
            self._write_many(collection, sql, part)
        # Positions in these collections begin with 1, so that a first one replaces nothing.
        self._scrub(collection, any(document.position > 1 for document in documents))

    def insert(self, collection: str, document: Document) -> bool:
        (row,) = _bound([document])
        sql = f"INSERT INTO {collection} (id, position, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING"
        done = self._write(collection, lambda connection: connection.execute(sql, row).rowcount) == 1
        self._scrub(collection, erased=False)
        return done

    def replace(self, collection: str, document: Document, expected: int) -> bool:
        ((id, position, body),) = _bound([document])
        sql = f"UPDATE {collection} SET position = ?, body = ? WHERE id = ? AND position = ?"
        changed = (position, body, id, expected)
        done = self._write(collection, lambda connection: connection.execute(sql, changed).rowcount) == 1
        self._scrub(collection, done)
        return done

    def delete(self, collection: str, ids: Iterable[str]) -> int:
        sql = f"DELETE FROM {collection} WHERE id = ?"
        removed = sum(self._write_many(collection, sql, part) for part in parts([(id,) for id in ids]))
        self._scrub(collection, removed > 0)
        return removed

    def ids(self, collection: str, prefix: str, limit: int) -> list[str]:
        condition, bounds = _range(prefix)
        sql = f"SELECT id FROM {collection} WHERE {condition} LIMIT ?"

        def select(connection: sqlite3.Connection) -> list[str]:
            return [id for (id,) in connection.execute(sql, (*bounds, limit))]

        return self._read(collection, select)

    def delete_prefix(self, collection: str, prefix: str) -> int:
        condition, bounds = _range(prefix)
        sql = (
            f"DELETE FROM {collection} WHERE id IN (SELECT id FROM {collection} WHERE {condition} ORDER BY id LIMIT ?)"
        )
        total = 0
        while True:
            removed = self._delete_some(collection, sql, (*bounds, MAX_DOCUMENTS_A_WRITE))
            total += removed
            if removed < MAX_DOCUMENTS_A_WRITE:
                return total

    def _delete_some(self, collection: str, sql: str, bounds: tuple[Any, ...]) -> int:
        removed = self._write(collection, lambda connection: connection.execute(sql, bounds).rowcount)
        self._scrub(collection, removed > 0)
        return removed

    def wait(self, store: str, timeout: float) -> None:
        key = (os.getpid(), threading.get_ident(), store)
        watch = self._watches.get(key)
        if watch is None:
            self._forget_dead_threads()
            watch = self._watches[key] = _Watch(self._folder, store, self._files[store])
        try:
            watch.wait(timeout)
        except StoreUnavailable as error:
            raise DocumentsUnavailable(str(error)) from error

    def close(self) -> None:
        """Close this process's connections and sockets."""
        for file in self._files.values():
            file.close()
        pid = os.getpid()
        for nudger in [nudger for key, nudger in list(self._nudgers.items()) if key[0] == pid]:
            nudger.close()
        self._close_watches(lambda key: key[0] == pid)

    def _forget_dead_threads(self) -> None:
        alive = {thread.ident for thread in threading.enumerate()}
        self._close_watches(lambda key: key[0] == os.getpid() and key[1] not in alive)

    def _close_watches(self, chosen: Callable[[tuple[int, int, str]], bool]) -> None:
        for key in [key for key in list(self._watches) if chosen(key)]:
            self._watches.pop(key).close()

    def _read(self, collection: str, select: Callable[[sqlite3.Connection], list[T]]) -> list[T]:
        try:
            return self._files[store_of(collection)].read(select, [])
        except StoreUnavailable as error:
            raise DocumentsUnavailable(str(error)) from error

    def _write_many(self, collection: str, sql: str, rows: list[Any]) -> int:
        return self._write(collection, lambda connection: connection.executemany(sql, rows).rowcount)

    def _scrub(self, collection: str, erased: bool) -> None:
        """Empty the WAL behind a removal. What a reader kept from it is done behind the store's next write."""
        store = store_of(collection)
        if erased and collection in ERASED:
            self._to_scrub.add(store)
            if self._files[store].scrub():
                self._to_scrub.discard(store)
        elif store in self._to_scrub and self._files[store].scrub(patience=0):
            self._to_scrub.discard(store)

    def _write(self, collection: str, work: Callable[[sqlite3.Connection], T]) -> T:
        store = store_of(collection)
        try:
            result = self._files[store].write(work)
        except StoreUnavailable as error:
            raise DocumentsUnavailable(str(error)) from error
        key = (os.getpid(), store)
        nudger = self._nudgers.get(key) or self._nudgers.setdefault(key, Nudger(self._folder, store))
        nudger.nudge()
        return result


class _Watch:
    """One thread's wait for writes to one store."""

    def __init__(self, folder: Path, store: str, file: SqliteFile) -> None:
        self._file = file
        self._listener = Listener(folder, [store])
        self._connection: sqlite3.Connection | None = None
        self._version = -1

    def wait(self, timeout: float) -> None:
        """Return at once if the file changed since the last return. Raises StoreUnavailable."""
        deadline = time.monotonic() + timeout
        while not self._changed():
            left = deadline - time.monotonic()
            if left <= 0:
                return
            self._listener.wait(min(left, LONGEST_NAP))

    def close(self) -> None:
        self._listener.close()
        if self._connection is not None:
            self._connection.close()

    def _changed(self) -> bool:
        if self._connection is None:
            self._connection = self._file.reader()
        connection = self._connection
        if connection is None:
            return False
        try:
            version = self._file.patiently(lambda: connection.execute("PRAGMA data_version").fetchone()[0])
        except StoreUnavailable:
            connection.close()
            self._connection, self._version = None, -1
            raise
        changed = version != self._version
        self._version = version
        return bool(changed)


def _open_file(folder: Path, store: str, patience: float) -> SqliteFile:
    # An index of ids beside the table: stored over twice as fast as a table that is the index.
    return SqliteFile(
        folder / f"{store}.db",
        [
            f"CREATE TABLE {collection} (id TEXT PRIMARY KEY NOT NULL, position INTEGER NOT NULL,"
            " body BLOB NOT NULL) STRICT"
            for collection in STORES[store]
        ],
        patience,
        synchronous="NORMAL" if store in DERIVED else "FULL",
        erases=store in _ERASING_STORES,
        page_bytes=_BULK_PAGE_BYTES if store in DERIVED else _PAGE_BYTES,
        cache_bytes=_BULK_CACHE_BYTES if store in DERIVED else CACHE_BYTES,
    )


def _bound(documents: Iterable[Document]) -> list[tuple[str, int, bytearray]]:
    """Documents as they are handed to SQLite. Raises DocumentTooLarge."""
    # The module sqlite3 looks for an adapter of each `bytes`, and takes a `bytearray` as it is.
    return [(id, position, bytearray(body)) for id, position, body in map(row_of, documents)]


def _range(prefix: str) -> tuple[str, list[Any]]:
    """SQL condition and parameters for ids that begin with the prefix; SQLite compares UTF-8, so code points."""
    end = end_of(prefix)
    return ("id >= ?", [prefix]) if end is None else ("id >= ? AND id < ?", [prefix, end])
