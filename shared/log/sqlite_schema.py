"""Files and tables of the SQLite log: one file per input topic, and journal.db for what the resolver writes.

Each partition of a topic is a table `<topic>_<partition>` (`orders_00`, `dead_letters_11`), so that a write always
goes to the end of a tree and one partition is read in one run. Columns: offset from 0 to 2^62, at (UTC milliseconds),
key, value, headers (JSON object of strings), signature (`<key id>:<hex>` over `at` and value; null in journal.db).
The adapter leaves no gaps between offsets; a row put in behind a gap of 2^32 or with a negative offset is no record.
journal.db also has `marks` (partition, topic, next offset, last at) and `owners` (partition, epoch, owner), and
`identity` (id, one row), which whoever first asks for it makes: files of earlier versions lack it.
"""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

import orjson

from shared.log import CHRONICLE, DEAD_LETTERS, INPUT_TOPICS, MAX_RECORD_BYTES, PARTITIONS, TURNS, Draft
from shared.log.limits import require_size
from shared.sqlite_file import PATIENCE, SqliteFile

JOURNAL = "journal"
JOURNAL_TOPICS = (TURNS, CHRONICLE, DEAD_LETTERS)
FILES: Mapping[str, tuple[str, ...]] = {**{topic: (topic,) for topic in INPUT_TOPICS}, JOURNAL: JOURNAL_TOPICS}
"""File (and channel of nudges) -> its topics."""
FILE_OF: Mapping[str, str] = {topic: file for file, topics in FILES.items() for topic in topics}

OFFSETS = 2**62
"""Offsets are below this."""
PAGE_BYTES = 8_192
"""Of the files' pages. Batches of 500 inputs are appended a fifth faster than with SQLite's own 4096."""
LONGEST_GAP = 2**32
"""A row so far behind the one before it is no record: else one row near the last offset would leave room for none."""


def table_of(topic: str, partition: int) -> str:
    """Name of the table of a partition. Raises ValueError for an unknown one."""
    if topic not in FILE_OF or not 0 <= partition < PARTITIONS:
        raise ValueError(f"no partition {partition} of topic {topic!r}; topics: {', '.join(FILE_OF)}, partitions 0-11")
    return f"{topic.replace('-', '_')}_{partition:02}"


def open_file(folder: Path, file: str, patience: float = PATIENCE) -> SqliteFile:
    """The file of that name in the log's folder; nothing is touched yet."""
    schema = [
        f"CREATE TABLE {table_of(topic, partition)}"
        f" (offset INTEGER PRIMARY KEY CHECK (offset >= 0 AND offset < {OFFSETS}), at INTEGER NOT NULL,"
        " key TEXT NOT NULL, value BLOB NOT NULL, headers TEXT NOT NULL, signature TEXT) STRICT"
        for topic in FILES[file]
        for partition in range(PARTITIONS)
    ]
    if file == JOURNAL:
        schema += [
            "CREATE TABLE marks (partition INTEGER NOT NULL, topic TEXT NOT NULL, offset INTEGER NOT NULL,"
            " at INTEGER NOT NULL, PRIMARY KEY (partition, topic)) STRICT, WITHOUT ROWID",
            "CREATE TABLE owners (partition INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, owner TEXT NOT NULL) STRICT",
        ]
    return SqliteFile(folder / f"{file}.db", schema, patience, page_bytes=PAGE_BYTES)


def end_of(connection: sqlite3.Connection, table: str) -> int:
    """The offset behind the last record of a table."""
    end = 0
    statement = f"SELECT offset FROM {table} WHERE offset >= ? AND offset < ? ORDER BY offset DESC LIMIT 1"
    while (last := connection.execute(statement, (end, end + LONGEST_GAP)).fetchone()) is not None:
        end = int(last[0]) + 1
    return end


def encode_headers(draft: Draft) -> str:
    """The draft's headers as they are stored. Raises TooLarge if the draft is over the limit."""
    key, value, headers = draft
    text = orjson.dumps(headers if type(headers) is dict else dict(headers)).decode()
    if len(value) + 4 * (len(text) + len(key)) > MAX_RECORD_BYTES:
        require_size([draft])
    return text
