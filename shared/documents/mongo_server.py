"""A MongoDB server as the adapter asks it: one client a process, bounded waits, errors without their content.

An error of the driver repeats the documents it is about; what is raised here names the servers and a reason alone.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from pymongo import MongoClient, ReadPreference
from pymongo.collection import Collection
from pymongo.errors import (
    BulkWriteError,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)
from pymongo.read_concern import ReadConcern
from pymongo.uri_parser import split_options
from pymongo.write_concern import WriteConcern

from shared.documents import DERIVED, DocumentsUnavailable
from shared.documents.mongo_indexes import KEY, KEYED
from shared.documents.mongo_place import MongoPlace
from shared.documents.rows import store_of

Stored = dict[str, Any]

OLDEST_WIRE_VERSION = 21
"""MongoDB 7.0; 8.0 is what this is run with."""
WRITE_MS = 10_000
"""Longest wait for the majority of a replica set."""
INDEX_SECONDS = 30.0
"""So often a process asks for the indexes of what it uses: where a server came back empty, or they were dropped, nobody
else would make them. It costs a server that has them a moment."""
LOOK_SECONDS = 3.0
"""How long a call waits for a server that was there a moment ago. One away for longer is not waited for."""
DEFAULTS: Mapping[str, Any] = {
    "appname": "warledger",
    "connectTimeoutMS": 4_000,
    "heartbeatFrequencyMS": 1_000,
    "maxPoolSize": 64,
    "serverSelectionTimeoutMS": int(LOOK_SECONDS * 1_000),
    "socketTimeoutMS": 20_000,
    "waitQueueTimeoutMS": 3_000,
}
"""Options unless the URL sets them. The driver's monitor looks every second: it finds a server that is back at once,
and after five seconds one that hangs, when it ends the calls that hang there. A busy one must not pass for it."""


def refuse_options(url: str) -> None:
    """Raise ValueError for options behind the `?` of a URL that the driver does not take.

    It leaves them aside with a warning, and would talk in the clear where somebody wrote `tls=yes`.
    """
    query = urlsplit(url).query
    if query:
        try:
            split_options(query, validate=True, warn=False)
        except (PyMongoError, ValueError, TypeError, OSError) as error:
            raise ValueError(f"an option behind the ? is not one of MongoDB's, or its value is not: {error}") from None


class MongoServer:
    """The database of one installation. Touches nothing before the first call."""

    def __init__(self, place: MongoPlace) -> None:
        self._place = place
        self._clients: dict[int, _Client] = {}

    @contextmanager
    def calls(self, collection: str) -> Iterator[Collection[Stored]]:
        """A collection of the port, to be asked inside the block.

        Fails at once while the server is known to be away. Raises DocumentsUnavailable for whatever the driver raises.
        """
        with self._answering() as client:
            yield client.collection(collection)

    def unindexed(self) -> list[str]:
        """The collections of the database that lack an index which they should have; makes none.

        Raises DocumentsUnavailable.
        """
        with self._answering() as client:
            return client.unindexed()

    @contextmanager
    def _answering(self) -> Iterator["_Client"]:
        client = self._client()
        if client.is_away():
            raise DocumentsUnavailable(f"no MongoDB server answers at {self._place.hosts}")
        started = time.monotonic()
        try:
            yield client
        except PyMongoError as error:
            client.failed(started)
            # Not chained: the driver's text may repeat what people wrote.
            raise DocumentsUnavailable(f"MongoDB at {self._place.hosts}: {reason(error)}") from None
        client.answered()

    def close(self) -> None:
        """Close this process's client."""
        client = self._clients.pop(os.getpid(), None)
        if client is not None:
            client.close()

    def _client(self) -> "_Client":
        pid = os.getpid()
        client = self._clients.get(pid)
        if client is None:
            fresh = _Client(self._place)
            client = self._clients.setdefault(pid, fresh)
            if client is not fresh:
                fresh.close()
        return client


class _Client:
    """The driver's client of one process, with the pool of its threads."""

    def __init__(self, place: MongoPlace) -> None:
        self._place = place
        self._driver = _open(place)
        self._collections: dict[str, Collection[Stored]] = {}
        self._indexed: dict[str, float] = {}
        """When the indexes of a collection were asked for last."""
        self._failing_since: float | None = None
        self._replicated: bool | None = None
        """Whether there are several servers, or could be; None before the first answer."""

    def is_away(self) -> bool:
        """Whether the server has been gone for so long that no call should wait for it."""
        failing_since = self._failing_since
        if failing_since is None or self._driver.topology_description.has_writable_server():
            return False
        return time.monotonic() - failing_since > LOOK_SECONDS

    def collection(self, name: str) -> Collection[Stored]:
        """The collection, with its indexes."""
        if name not in self._collections:
            if self._replicated is None:
                self._replicated = self._check()
            self._collections[name] = self._collection(name, self._replicated)
        collection = self._collections[name]
        if name in KEYED and time.monotonic() - self._indexed.get(name, -INDEX_SECONDS) >= INDEX_SECONDS:
            collection.create_index(KEY)
            self._indexed[name] = time.monotonic()
        return collection

    def unindexed(self) -> list[str]:
        """The collections that lack an index."""
        database = self._driver[self._place.database]
        there = set(database.list_collection_names())
        names = [name for name in (f"{store_of(each)}.{each}" for each in sorted(KEYED)) if name in there]
        return [name for name in names if not _has_key(database[name].index_information())]

    def answered(self) -> None:
        """The server did what a call asked for."""
        self._failing_since = None

    def failed(self, started: float) -> None:
        """A call that began then has failed."""
        if self._failing_since is None:
            self._failing_since = started

    def close(self) -> None:
        """Close all connections."""
        self._driver.close()

    def _check(self) -> bool:
        """Refuse a server that cannot serve; returns whether it is one of several."""
        hello = self._driver.admin.command("hello")
        if hello["maxWireVersion"] < OLDEST_WIRE_VERSION:
            raise DocumentsUnavailable(
                f"MongoDB at {self._place.hosts} is too old: 7.0 or later is needed, 8.0 is best"
            )
        if hello.get("readOnly"):
            raise DocumentsUnavailable(f"MongoDB at {self._place.hosts} is read-only: start it so that it takes writes")
        return "setName" in hello or hello.get("msg") == "isdbgrid"

    def _collection(self, name: str, replicated: bool) -> Collection[Stored]:
        store = store_of(name)
        return self._driver[self._place.database][f"{store}.{name}"].with_options(
            # What a majority has not got yet may be taken back; a lone server knows of no majority.
            read_concern=ReadConcern("majority" if replicated else "local"),
            read_preference=ReadPreference.PRIMARY,
            write_concern=WriteConcern("majority", wtimeout=WRITE_MS, j=None if store in DERIVED else True),
        )


def _has_key(indexes: Mapping[str, Any]) -> bool:
    return any(index["key"][0][0] == KEY for index in indexes.values())


def _open(place: MongoPlace) -> MongoClient[Stored]:
    defaults = {name: value for name, value in DEFAULTS.items() if name.lower() not in place.options}
    # A lone server knows no retried writes; what is written here may be written again, or tells of its failure.
    return MongoClient(place.url, connect=False, retryWrites=False, **defaults)


def reason(error: PyMongoError) -> str:
    """What went wrong, without what the driver's text repeats of documents and URLs."""
    if isinstance(error, ServerSelectionTimeoutError):
        return "no server that takes writes answered in time"
    if isinstance(error, NetworkTimeout):
        return "no answer in time"
    if isinstance(error, BulkWriteError):
        faults = [*(error.details or {}).get("writeErrors", []), *(error.details or {}).get("writeConcernErrors", [])]
        codes = sorted({fault.get("codeName") or f"code {fault.get('code')}" for fault in faults})
        return f"a write failed: {', '.join(codes)}"
    if isinstance(error, OperationFailure):
        name = (error.details or {}).get("codeName") or f"code {error.code}"
        return f"{name}; {_HINTS[error.code]}" if error.code in _HINTS else str(name)
    return type(error).__name__


_HINTS: Mapping[int | None, str] = {
    13: "the account of WARLEDGER_DOCS needs the role readWrite on its database",
    18: "user, password or authSource of WARLEDGER_DOCS are not right",
}
