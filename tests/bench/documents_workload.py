"""The SQLite documents against bare sqlite3: guarded bulk writes against plain upserts of the same documents."""

import sqlite3
import tempfile
import time
from pathlib import Path

from shared.canonical import canonical
from shared.documents import MAX_DOCUMENTS_A_WRITE, Document
from shared.documents.sqlite import SqliteDocuments
from tests.bench.rows import ratios

DOCUMENTS = 10_000


def write_ratios(runs: int = 5) -> list[float]:
    """Documents written a second, ours through bare: the first run inserts, the others store over what is there.

    The bare side gets its JSON made beforehand and commits as often, in the same durability mode.
    """
    with tempfile.TemporaryDirectory() as folder:
        documents = SqliteDocuments(Path(folder) / "docs")
        bare = sqlite3.connect(f"{folder}/bare.db", isolation_level=None)
        bare.execute("PRAGMA journal_mode=WAL")
        bare.execute("PRAGMA synchronous=NORMAL")  # as the store of the views
        bare.execute("CREATE TABLE documents (id TEXT PRIMARY KEY, position INTEGER, body BLOB)")
        positions = iter(range(1, 10**9))

        def ours() -> float:
            batch = view_documents(next(positions))
            started = time.perf_counter()
            documents.write("documents", batch)
            return DOCUMENTS / (time.perf_counter() - started)

        def theirs() -> float:
            rows = [(id, position, canonical(body)) for id, position, body in view_documents(next(positions))]
            started = time.perf_counter()
            for start in range(0, DOCUMENTS, MAX_DOCUMENTS_A_WRITE):
                bare.execute("BEGIN IMMEDIATE")
                bare.executemany(
                    "INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE"
                    " SET position = excluded.position, body = excluded.body",
                    rows[start : start + MAX_DOCUMENTS_A_WRITE],
                )
                bare.execute("COMMIT")
            return DOCUMENTS / (time.perf_counter() - started)

        try:
            return ratios(ours, theirs, runs)
        finally:
            bare.close()
            documents.close()


def view_documents(position: int, count: int = DOCUMENTS) -> list[Document]:
    """A player's document each, as a view holds it: the fields now and before, each with its position."""
    return [
        Document(
            f"1|g1|player|p{number * 7919 % count:05}",
            position,
            {
                "now": {"position": position, "name": f"player {number}", "team": "reds", "energy": position * 3 % 60},
                "old": {"position": position - 1, "name": f"player {number}", "team": "reds", "energy": 7},
            },
        )
        for number in range(count)
    ]
