"""The MongoDB documents against bare pymongo: guarded bulk writes against plain bulk upserts of the same documents."""

import tempfile
import time
from pathlib import Path

from pymongo import MongoClient, ReplaceOne
from pymongo.write_concern import WriteConcern

from shared.canonical import canonical
from shared.documents import MAX_DOCUMENTS_A_WRITE
from shared.documents.mongo import MongoDocuments
from shared.documents.mongo_indexes import KEY
from tests.bench.documents_workload import view_documents
from tests.bench.rows import Bars, Row, ratios
from tests.servers import MongoServer, fresh_mongo_url
from warledger.servers.opening import open_mongo

DOCUMENTS = 4_000
RUNS = 5


def rows() -> list[Row]:
    """Bulk writes of views."""
    with tempfile.TemporaryDirectory() as folder:
        server = open_mongo(Path(folder))
        try:
            found = write_ratios(fresh_mongo_url(MongoServer(server.address)), RUNS)
        finally:
            server.stop()
    return [Row("views on MongoDB: documents written/s against bare bulk writes", Bars("min", 0.5, None), found)]


def write_ratios(url: str, runs: int) -> list[float]:
    """Documents written a second, ours through bare: the first run inserts, the others store over what is there.

    The bare side gets its JSON made beforehand, waits for a majority as well, and writes into a collection of the same
    index: whoever lists documents needs it.
    """
    documents = MongoDocuments(url)
    with MongoClient[dict[str, object]](url) as client:
        database = client.get_default_database()
        bare = database.get_collection("bare", write_concern=WriteConcern("majority"))
        bare.create_index(KEY)
        positions = iter(range(1, 10**9))

        def ours() -> float:
            batch = view_documents(next(positions), DOCUMENTS)
            started = time.perf_counter()
            documents.write("documents", batch)
            return DOCUMENTS / (time.perf_counter() - started)

        def theirs() -> float:
            batch = view_documents(next(positions), DOCUMENTS)
            flat = [{"_id": id, KEY: id, "position": n, "body": canonical(body).decode()} for id, n, body in batch]
            started = time.perf_counter()
            for start in range(0, DOCUMENTS, MAX_DOCUMENTS_A_WRITE):
                part = flat[start : start + MAX_DOCUMENTS_A_WRITE]
                bare.bulk_write([ReplaceOne({"_id": item["_id"]}, item, upsert=True) for item in part])
            return DOCUMENTS / (time.perf_counter() - started)

        try:
            return ratios(ours, theirs, runs)
        finally:
            documents.close()
            client.drop_database(database.name)
