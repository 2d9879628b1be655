"""One SQLite file as both adapters use it: WAL, BEGIN IMMEDIATE, bounded waits, fork-safe.

Every commit waits for the disk (synchronous=FULL) unless what the file holds can be made again. Nothing is touched
before the first use. What a process opened is never used or closed by its children: each process has connections of
its own. A connection serves one thread at a time. After any error it is closed and opened anew.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import quote

T = TypeVar("T")
Synchronous = Literal["FULL", "NORMAL"]

PATIENCE = 2.0
"""Seconds that an operation waits for a lock that another process or thread holds."""
FORMAT = 1
"""Format of the files (`PRAGMA user_version`); a file without tables has 0."""
WAL_BYTES = 16 * 1024 * 1024
"""A write-ahead log of so many bytes goes into the file: four times SQLite's own, so that it is seldom waited for."""
WAL_BYTES_KEPT = 64 * 1024 * 1024
CACHE_BYTES = 2 * 1024 * 1024
"""Pages that a connection holds, as SQLite has it."""
_STATEMENTS_KEPT = 512
FIRST_PAUSE = 0.000_2
LONGEST_PAUSE = 0.001

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_NOTHING_WRITTEN = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, *_BUSY)
_FAILED_BEFORE_THE_END = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN)


class StoreUnavailable(Exception):
    """The file cannot be read or written now. `unknown`: a commit failed in a way that leaves open if it happened."""

    def __init__(self, message: str, *, unknown: bool = False) -> None:
        super().__init__(message)
        self.unknown = unknown


def is_store_error(error: BaseException) -> bool:
    """True for what the store or the disk does to us, False for what is a fault of the program."""
    return isinstance(error, (sqlite3.OperationalError, sqlite3.InternalError, OSError)) or (
        type(error) is sqlite3.DatabaseError
    )


def is_busy(error: BaseException) -> bool:
    """True if another connection holds a lock, so that the same again may succeed."""
    return isinstance(error, sqlite3.Error) and _code(error) & 0xFF in _BUSY


def is_damage(error: BaseException | None) -> bool:
    """True if the file's content is not what SQLite wrote."""
    return isinstance(error, sqlite3.Error) and _code(error) & 0xFF == sqlite3.SQLITE_CORRUPT


def _code(error: BaseException) -> int:
    code = getattr(error, "sqlite_errorcode", 0)
    return code if isinstance(code, int) else 0


def _commit_is_unknown(error: sqlite3.Error) -> bool:
    code = _code(error)
    return code & 0xFF not in _NOTHING_WRITTEN and code not in _FAILED_BEFORE_THE_END


def connect(path: Path, *, create: bool) -> sqlite3.Connection:
    """A connection in autocommit mode that waits for nothing; the callers here wait themselves, more finely."""
    mode = "rwc" if create else "rw"
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=0,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_STATEMENTS_KEPT,
    )
    connection.execute("PRAGMA synchronous=FULL")
    return connection


class _Process:
    """What one process holds of a file."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.writer: sqlite3.Connection | None = None
        self.idle: list[sqlite3.Connection] = []


class SqliteFile:
    """One database file with its tables (`schema`: CREATE statements), written and read in short transactions."""

    def __init__(
        self,
        path: Path,
        schema: Sequence[str],
        patience: float = PATIENCE,
        *,
        synchronous: Synchronous = "FULL",
        erases: bool = False,
        page_bytes: int = 4096,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        """With `synchronous` NORMAL a power failure may take the last transactions away, never an earlier one alone.

        A file that `erases` overwrites with zeros what is deleted or replaced; `scrub` takes it out of the WAL too.
        `page_bytes` holds for a file that is made; one that is there keeps its pages. `cache_bytes` are the writer's.
        """
        self.path = path
        self._schema = schema
        self._synchronous: Synchronous = synchronous
        self._erases = erases
        self._page_bytes = page_bytes
        self._cache_bytes = cache_bytes
        self._patience = patience
        self._by_pid: dict[int, _Process] = {}

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in one BEGIN IMMEDIATE; all it wrote is there when this returns, nothing if it raises.

        Raises StoreUnavailable, and whatever `work` raises of its own.
        """
        process = self._process()
        deadline = time.monotonic() + self._patience
        if not process.lock.acquire(timeout=self._patience):
            raise StoreUnavailable(f"{self.path.name} is busy: another thread has been writing too long")
        try:
            connection = self._begin(process, deadline)
            try:
                result = work(connection)
            except BaseException as error:
                self._abandon(process, keep=not is_store_error(error))
                if is_store_error(error):
                    raise StoreUnavailable(f"{self.path.name}: {error}") from error
                raise
            try:
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._abandon(process, keep=False)
                raise StoreUnavailable(f"{self.path.name}: {error}", unknown=_commit_is_unknown(error)) from error
            return result
        finally:
            process.lock.release()

    def scrub(self, *, patience: float | None = None) -> bool:
        """Empty the WAL, which holds pages as they were; False if readers or a fault were in the way all the time."""
        process = self._process()
        deadline = time.monotonic() + (self._patience if patience is None else patience)
        try:
            self._until(deadline, lambda: self._empty_wal(process))
        except StoreUnavailable:
            return False
        return True

    def read(self, work: Callable[[sqlite3.Connection], T], absent: T) -> T:
        """Run `work` in one read transaction on an idle connection; `absent` if the file is not there yet.

        Raises StoreUnavailable.
        """
        process = self._process()

        def once() -> T:
            try:
                connection = process.idle.pop()
            except IndexError:
                opened = self._open_reader()
                if opened is None:
                    return absent
                connection = opened
            try:
                connection.execute("BEGIN")
                result = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            process.idle.append(connection)
            return result

        return self.patiently(once)

    def reader(self) -> sqlite3.Connection | None:
        """A connection for reading that belongs to the caller; None while the file or its tables are not there.

        Raises StoreUnavailable.
        """
        return self.patiently(self._open_reader)

    def patiently(self, action: Callable[[], T]) -> T:
        """Do an action, again while the file is busy and patience lasts. Raises StoreUnavailable."""
        return self._until(time.monotonic() + self._patience, action)

    def close(self) -> None:
        """Close this process's connections; a later use opens new ones."""
        process = self._process()
        with process.lock:
            if process.writer is not None:
                process.writer.close()
                process.writer = None
            while process.idle:
                process.idle.pop().close()

    def _process(self) -> _Process:
        # What a fork inherits stays in the dictionary: closing it in the child could undo the parent's locks.
        pid = os.getpid()
        return self._by_pid.get(pid) or self._by_pid.setdefault(pid, _Process())

    def _until(self, deadline: float, action: Callable[[], T]) -> T:
        pause = FIRST_PAUSE
        while True:
            try:
                return action()
            except (sqlite3.Error, OSError) as error:
                if not is_store_error(error):
                    raise
                if not is_busy(error) or time.monotonic() + pause > deadline:
                    raise StoreUnavailable(f"{self.path.name}: {error}") from error
            time.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)

    def _begin(self, process: _Process, deadline: float) -> sqlite3.Connection:
        def once() -> sqlite3.Connection:
            connection = process.writer
            if connection is None:
                connection = process.writer = self._open_writer()
            connection.execute("BEGIN IMMEDIATE")
            return connection

        try:
            return self._until(deadline, once)
        except StoreUnavailable:
            self._abandon(process, keep=False)
            raise

    def _empty_wal(self, process: _Process) -> None:
        with process.lock:
            if process.writer is None:
                process.writer = self._open_writer()
            busy, _, _ = process.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            error = sqlite3.OperationalError("the WAL is in use")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error

    def _abandon(self, process: _Process, *, keep: bool) -> None:
        connection = process.writer
        if connection is None:
            return
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            keep = False
        if not keep:
            process.writer = None
            connection.close()

    def _open_writer(self) -> sqlite3.Connection:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        connection = connect(self.path, create=True)
        try:
            connection.execute(f"PRAGMA page_size={self._page_bytes}")
            connection.execute(f"PRAGMA wal_autocheckpoint={WAL_BYTES // self._page_bytes}")
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA journal_size_limit={WAL_BYTES_KEPT}")
            connection.execute(f"PRAGMA synchronous={self._synchronous}")
            connection.execute(f"PRAGMA cache_size=-{self._cache_bytes // 1024}")
            if self._erases:
                connection.execute("PRAGMA secure_delete=ON")
            if self._format(connection) == 0:
                self._create(connection)
            # A forger's text may be no UTF-8; that must not stop the writer.
            connection.text_factory = lenient_text
        except BaseException:
            connection.close()
            raise
        return connection

    def _create(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        if self._format(connection) == 0:
            for statement in self._schema:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={FORMAT}")
        connection.execute("COMMIT")

    def _open_reader(self) -> sqlite3.Connection | None:
        if not self.path.exists():
            return None
        connection = connect(self.path, create=False)
        try:
            if self._format(connection) == 0:
                connection.close()
                return None
            connection.execute("PRAGMA query_only=1")
        except BaseException:
            connection.close()
            raise
        return connection

    def _format(self, connection: sqlite3.Connection) -> int:
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, FORMAT):
            raise sqlite3.OperationalError(f"the file has format {found}; this program reads format {FORMAT}")
        return int(found)


def lenient_text(data: bytes) -> str:
    """Text as SQLite holds it, with U+FFFD in place of what is no UTF-8."""
    return data.decode("utf-8", "replace")
