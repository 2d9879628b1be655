"""The MongoDB adapter of the document port: one database, one collection `<store>.<name>` per collection of the port.

Documents are flat: `_id`, `position`, `body` (canonical JSON as text, so that integers, keys and bytes come back as
they were; docs/decisions/0014-mongodb.md). Each write changes single documents only, so a lone server without
transactions serves. Several processes may write one store at the same time.
"""

import threading
import time
from collections.abc import Container, Iterable, Sequence
from typing import Any

from pymongo import DeleteOne, InsertOne, UpdateMany, UpdateOne
from pymongo.collection import Collection
from pymongo.errors import BulkWriteError, DuplicateKeyError

from shared.documents import WAKING, Document
from shared.documents.mongo_indexes import KEY, KEYED
from shared.documents.mongo_place import parse_place
from shared.documents.mongo_server import MongoServer, Stored
from shared.documents.rows import Row, document_of, end_of, parts, row_of

APPENDED = frozenset({"blobs", "feeds", "judgements", "messages"})
"""Collections whose documents are new at nearly every write: inserted at first, which takes a third of the time."""
IDS_A_QUERY = 25
"""A server that compares each document found with all ids asked for takes twice as long with a hundred."""
IDS_LISTED = 50_000
"""Ids that are held at a time for documents that are to be removed."""
WRITTEN_TOGETHER = 20
"""Documents stored over by one update; each is compared with the ids of all."""
TOGETHER_BYTES = 250_000
"""A larger document is written by an update of its own, and so are those that make more than this together."""
FIRST_NAP, LONGEST_NAP = 0.002, 0.02
"""Seconds between two looks of somebody who waits: until shortly before news came of late, then a tenth of the time
that they are overdue, within these bounds."""
_DUPLICATE = 11_000
_PULSE_ID = 0
"""Of the document that counts the writes to a WAKING collection. A number: no id of the port equals it, and no prefix
finds it."""
_PARKED_SECONDS = 0.05
_SOONER = 0.75


class MongoDocuments:
    """Document stores in a MongoDB database. Raises ValueError for a URL that names none."""

    def __init__(self, url: str) -> None:
        self._server = MongoServer(parse_place(url))
        self._waits = _Waits()

    def get(self, collection: str, ids: Iterable[str]) -> dict[str, Document]:
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        found: dict[str, Document] = {}
        with self._server.calls(collection) as stored:
            for start in range(0, len(wanted), IDS_A_QUERY):
                part = {"_id": {"$in": wanted[start : start + IDS_A_QUERY]}}
                found |= {item["_id"]: _document(item) for item in stored.find(part, batch_size=IDS_A_QUERY)}
        return found

    def find(self, collection: str, prefix: str, *, after: str = "", limit: int = 1_000_000) -> list[Document]:
        if limit <= 0:
            return []
        with self._server.calls(collection) as stored:
            return [_document(item) for item in _listed(stored, collection, prefix, after, limit)]

    def write(self, collection: str, documents: Sequence[Document], absent: Container[str] = ()) -> None:
        # Made before the first part is sent, so that a document which is too large leaves no trace of the others.
        rows = _newest(row_of(document) for document in documents)
        with self._server.calls(collection) as stored:
            for part in parts(rows):
                _write_part(stored, collection, part, absent)

    def insert(self, collection: str, document: Document) -> bool:
        row = row_of(document)
        with self._server.calls(collection) as stored:
            try:
                stored.insert_one(_stored(collection, row))
            except DuplicateKeyError:
                return False
        return True

    def replace(self, collection: str, document: Document, expected: int) -> bool:
        row = row_of(document)
        with self._server.calls(collection) as stored:
            result = stored.replace_one({"_id": row[0], "position": expected}, _stored(collection, row))
            return result.matched_count == 1

    def delete(self, collection: str, ids: Iterable[str]) -> int:
        with self._server.calls(collection) as stored:
            return sum(_delete(stored, part) for part in parts(ids))

    def ids(self, collection: str, prefix: str, limit: int) -> list[str]:
        if limit <= 0:
            return []
        query = {_field(collection): _range(prefix)}
        with self._server.calls(collection) as stored:
            return [item["_id"] for item in stored.find(query, {"_id": 1}).limit(limit)]

    def delete_prefix(self, collection: str, prefix: str) -> int:
        total = 0
        while found := self.ids(collection, prefix, IDS_LISTED):
            total += self.delete(collection, found)
            if len(found) < IDS_LISTED:
                break
        return total

    def wait(self, store: str, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        collection = WAKING.get(store)
        if collection is None:
            time.sleep(timeout)
            return
        if self._waits.begin():
            # What was news a moment ago is being read by whom it woke: no look now that comes before theirs.
            time.sleep(min(timeout, self._waits.nap()))
        while self._waits.seen(store) == (pulse := self._pulse(collection)):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            time.sleep(min(left, self._waits.nap()))
        else:
            self._waits.news(store, pulse)
        self._waits.end()

    def unindexed(self) -> list[str]:
        """The collections of the database, by their names there, that lack an index. Raises DocumentsUnavailable."""
        return self._server.unindexed()

    def close(self) -> None:
        """Close this process's connections."""
        self._server.close()

    def _pulse(self, collection: str) -> int:
        with self._server.calls(collection) as stored:
            found = stored.find_one({"_id": _PULSE_ID})
        return int(found["pulse"]) if found else 0


class _Waits(threading.local):
    """What the thread that waits saw last, since when there was no news, and how soon news came of late."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}
        self._quiet_since = self._ended = time.monotonic()
        self._soonest = 0.0

    def begin(self) -> bool:
        """A wait begins; True if it follows at once on another. Else it is for something that comes soon."""
        now = time.monotonic()
        if now - self._ended <= _PARKED_SECONDS:
            return True
        self._quiet_since = now
        return False

    def end(self) -> None:
        self._ended = time.monotonic()

    def seen(self, store: str) -> int | None:
        return self._seen.get(store)

    def news(self, store: str, pulse: int) -> None:
        now = time.monotonic()
        self._seen[store] = pulse
        took = now - self._quiet_since
        # Shortened at once, lengthened slowly: whoever looks too early asks once more, who looks too late is late.
        self._soonest = min(took, self._soonest + (took - self._soonest) / 8)
        self._quiet_since = now

    def nap(self) -> float:
        # Before the time at which it came of late: else nobody would see that it comes sooner now.
        overdue = time.monotonic() - self._quiet_since - self._soonest * _SOONER
        return min(LONGEST_NAP, max(FIRST_NAP, -overdue if overdue < 0 else overdue / 10))


def _newest(rows: Iterable[Row]) -> list[Row]:
    """Each id once, at its highest position: what the guard leaves of them one after the other."""
    newest: dict[str, Row] = {}
    for row in rows:
        before = newest.get(row[0])
        if before is None or row[1] > before[1]:
            newest[row[0]] = row
    return list(newest.values())


def _write_part(stored: Collection[Stored], collection: str, rows: list[Row], absent: Container[str]) -> None:
    """Guarded write of documents with different ids.

    An insert of what is there fails as a duplicate, and so may the first write of a document whose id another writer
    inserts at the same moment; an update of several finds fewer where one is not there. Done again, guarded one by one,
    each is there afterwards.
    """
    everything = collection in APPENDED
    inserted = [row for row in rows if everything or row[0] in absent]
    together, singly = _grouped([row for row in rows if not everything and row[0] not in absent])
    if together:
        # Alone in their bulk, as what it matched is counted for all of it: each that is missing is written singly.
        _, matched = _bulk(stored, [_guarded_together(collection, group) for group in together])
        if matched < sum(map(len, together)):
            singly += [row for group in together for row in group]
    alone = [*inserted, *singly]
    first = [_insert(collection, row) for row in inserted] + [_guarded(collection, row) for row in singly]
    operations = [*first, *_pulses(collection)]
    failed = _bulk(stored, operations)[0] if operations else []
    again = [alone[index] for index in failed if index < len(alone)]
    while again:
        failed, _ = _bulk(stored, [*(_guarded(collection, row) for row in again), *_pulses(collection)])
        again = [again[index] for index in failed if index < len(again)]


def _grouped(rows: Iterable[Row]) -> tuple[list[list[Row]], list[Row]]:
    """Rows that go together in one update, and those that go alone."""
    groups: list[list[Row]] = []
    size = TOGETHER_BYTES
    for row in rows:
        size += len(row[2])
        if size > TOGETHER_BYTES or len(groups[-1]) == WRITTEN_TOGETHER:
            groups.append([])
            size = len(row[2])
        groups[-1].append(row)
    return [group for group in groups if len(group) > 1], [group[0] for group in groups if len(group) == 1]


def _bulk(stored: Collection[Stored], operations: list[Any]) -> tuple[list[int], int]:
    """Do these; returns the places of those that failed as duplicates, and how many documents updates have found."""
    try:
        return [], stored.bulk_write(operations, ordered=False).matched_count
    except BulkWriteError as error:
        faults = error.details["writeErrors"]
        if error.details["writeConcernErrors"] or any(fault["code"] != _DUPLICATE for fault in faults):
            raise
        return [fault["index"] for fault in faults], error.details["nMatched"]


def _insert(collection: str, row: Row) -> InsertOne[Stored]:
    return InsertOne(_stored(collection, row))


def _guarded(collection: str, row: Row) -> UpdateOne:
    """Replaces what is stored if its position is lower; a position that is missing is lower than any."""
    lower = {"$lt": ["$position", row[1]]}
    kept_or_new = {"$cond": [lower, {"$literal": _stored(collection, row)}, "$$ROOT"]}
    return UpdateOne({"_id": row[0]}, [{"$replaceWith": kept_or_new}], upsert=True)


def _guarded_together(collection: str, rows: list[Row]) -> UpdateMany:
    """The same for several that are there: one statement of the server, in half the time of as many."""
    ids = [row[0] for row in rows]
    new = {"$arrayElemAt": [{"$literal": [_stored(collection, row) for row in rows]}, _place_in(ids)]}
    lower = {"$lt": ["$position", {"$arrayElemAt": [{"$literal": [row[1] for row in rows]}, _place_in(ids)]}]}
    return UpdateMany({"_id": {"$in": ids}}, [{"$replaceWith": {"$cond": [lower, new, "$$ROOT"]}}])


def _place_in(ids: list[str]) -> dict[str, Any]:
    return {"$indexOfArray": [{"$literal": ids}, "$_id"]}


def _stored(collection: str, row: Row) -> Stored:
    id, position, body = row
    item: Stored = {"_id": id, "position": position, "body": body.decode()}
    if collection in KEYED:
        item[KEY] = id
    return item


def _pulses(collection: str) -> list[UpdateOne]:
    if collection not in WAKING.values():
        return []
    return [UpdateOne({"_id": _PULSE_ID}, {"$inc": {"pulse": 1}}, upsert=True)]


def _listed(stored: Collection[Stored], collection: str, prefix: str, after: str, limit: int) -> Iterable[Stored]:
    """Documents by id."""
    field = _field(collection)
    return stored.find({field: _range(prefix, after)}).sort(field, 1).limit(limit).batch_size(limit)


def _field(collection: str) -> str:
    """What documents are listed by."""
    return KEY if collection in KEYED else "_id"


def _range(prefix: str, after: str = "") -> dict[str, str]:
    """Ids that begin with the prefix. MongoDB compares the UTF-8 bytes of texts, so code points, as Python does."""
    bounds = {"$gt": after} if after >= prefix else {"$gte": prefix}
    end = end_of(prefix)
    return bounds if end is None else {**bounds, "$lt": end}


def _delete(stored: Collection[Stored], ids: list[str]) -> int:
    return stored.bulk_write([DeleteOne({"_id": id}) for id in ids], ordered=False).deleted_count


def _document(item: Stored) -> Document:
    return document_of(item["_id"], item.get("position", 0), item.get("body", ""))
