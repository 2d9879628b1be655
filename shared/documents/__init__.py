"""The document port: named collections of JSON documents for views, accounts, messages, snapshots and large data.

Words used by every adapter and caller:
- *document*: `id` (unique in its collection, at most 512 bytes), `position` (an integer that only grows) and `body`
  (JSON, at most 8 MB).
- *guarded write*: a document is stored only if its position is above the stored one, so that a repeat changes nothing.
- Ids are paths, segments joined by `|`; `find` lists by prefix in ascending code point order of the ids.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

MAX_DOCUMENT_BYTES = 8_000_000
MAX_DOCUMENTS_A_WRITE = 1_000
"""A guarded write is split into parts of at most so many documents, in the order given, one part after the other."""

STORES: Mapping[str, tuple[str, ...]] = {
    "views": ("documents", "feeds", "counters", "heads", "judgements", "checkpoints"),
    "accounts": ("accounts", "names", "tokens", "limits"),
    "messages": ("messages",),
    "snapshots": ("snapshots", "manifests"),
    "blobs": ("blobs",),
}
"""Store (a file of its own on one machine, with its one writing service) -> its collections."""

DERIVED = frozenset({"views"})
"""Stores that are made of the journal, up to a checkpoint that they hold: what they lose is made again."""

WAKING: Mapping[str, str] = {"views": "heads"}
"""Store -> the collection that somebody waits for: a head moves when everything that it shows is written."""

COLLECTIONS: Mapping[str, str] = {name: store for store, names in STORES.items() for name in names}


class Document(NamedTuple):
    """One document."""

    id: str
    position: int
    body: Mapping[str, Any]


as_document: Callable[[tuple[str, int, Mapping[str, Any]]], Document] = partial(tuple.__new__, Document)
"""A document of its id, position and body, for those who make thousands: takes half as long as the constructor."""


class DocumentsError(Exception):
    """Base of what a document store raises; not raised itself."""


class DocumentsUnavailable(DocumentsError):
    """The store cannot be read or written now; try again. A write may have stored some of its documents, or all."""


class DocumentTooLarge(DocumentsError):
    """A document over 8 MB or an id over 512 bytes; nothing was written."""


class Documents(Protocol):
    """A document store. Clients are made lazily: constructing one touches nothing outside the process."""

    def get(self, collection: str, ids: Iterable[str]) -> dict[str, Document]:
        """The documents that exist, by id. Each is whole, but two may be of different times: nothing joins them
        but what they say themselves (head, position, hash)."""
        ...

    def find(self, collection: str, prefix: str, *, after: str = "", limit: int = 1_000_000) -> list[Document]:
        """Documents whose id begins with `prefix` and comes after `after`, by ascending id; whole each, as in `get`."""
        ...

    def write(self, collection: str, documents: Sequence[Document], absent: Container[str] = ()) -> None:
        """Guarded write of each document, in parts of at most MAX_DOCUMENTS_A_WRITE.

        Durable when it returns, in a DERIVED store at least in order: a loss of power may take the last writes away,
        never an earlier one alone. An interrupted one may have stored some of its documents: those of a part before
        any of the next, within a part in any order. What must be there before something else is a write of its own.

        `absent` holds ids that the caller has just looked for and not found: it changes nothing but the way taken, also
        where somebody else has stored one of them since.
        """
        ...

    def insert(self, collection: str, document: Document) -> bool:
        """Store a new document; False (and nothing stored) if its id exists.

        It may exist because an earlier call that raised DocumentsUnavailable has stored it; so it is with `replace`.
        """
        ...

    def replace(self, collection: str, document: Document, expected: int) -> bool:
        """Store over the document whose position is `expected`; False, nothing stored, if it has another or none."""
        ...

    def delete(self, collection: str, ids: Iterable[str]) -> int:
        """Remove documents; returns how many existed."""
        ...

    def ids(self, collection: str, prefix: str, limit: int) -> list[str]:
        """Ids that begin with `prefix`, at most `limit` of them, in any order. Some servers read all that there are."""
        ...

    def delete_prefix(self, collection: str, prefix: str) -> int:
        """Remove the documents whose id begins with `prefix`; returns how many it removed."""
        ...

    def wait(self, store: str, timeout: float) -> None:
        """Return soon after another process wrote to WAKING of the store, or after `timeout` seconds. May return early.

        A hint, to be followed by a look: where servers are far apart, what was written may be noticed at the end alone.
        """
        ...

    def close(self) -> None: ...
