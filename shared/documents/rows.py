"""What both adapters of the document port make of documents, ids and prefixes."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

import orjson

from shared.canonical import canonical
from shared.documents import (
    COLLECTIONS,
    MAX_DOCUMENT_BYTES,
    MAX_DOCUMENTS_A_WRITE,
    Document,
    DocumentsUnavailable,
    DocumentTooLarge,
    as_document,
)

MAX_ID_BYTES = 512
_SHORT_ID = MAX_ID_BYTES // 4
"""An id of so many characters has no more bytes than are allowed, whatever they are."""

T = TypeVar("T")
Row = tuple[str, int, bytes]
"""Id, position, canonical JSON of the body."""


def store_of(collection: str) -> str:
    """The store of a collection. Raises ValueError for a name that is none."""
    try:
        return COLLECTIONS[collection]
    except KeyError:
        raise ValueError(f"no collection {collection!r}; collections: {', '.join(COLLECTIONS)}") from None


def row_of(document: Document) -> Row:
    """A document as it is stored. Raises DocumentTooLarge."""
    id, position, content = document
    body = canonical(content)
    if len(body) > MAX_DOCUMENT_BYTES:
        raise DocumentTooLarge(f"document {id!r} has {len(body):,} bytes; {MAX_DOCUMENT_BYTES:,} are allowed")
    if len(id) > _SHORT_ID and len(id.encode()) > MAX_ID_BYTES:
        raise DocumentTooLarge(f"the id {id[:40]!r}... has over {MAX_ID_BYTES} bytes")
    return id, position, body


def document_of(id: str, position: int, body: bytes | str) -> Document:
    """A document as it was stored. Raises DocumentsUnavailable for one that somebody else has written or broken."""
    try:
        return as_document((id, position, orjson.loads(body)))
    except (ValueError, TypeError):
        raise DocumentsUnavailable(f"the document {id!r} cannot be read: put it back from a backup") from None


def end_of(prefix: str) -> str | None:
    """The first text, by code points, after all that begin with the prefix; None if there is none."""
    stem = prefix.rstrip("\U0010ffff")
    if not stem:
        return None
    following = ord(stem[-1]) + 1
    if following == 0xD800:
        following = 0xE000
    return stem[:-1] + chr(following)


def parts(rows: Iterable[T]) -> Iterator[list[T]]:
    """The rows in parts of at most MAX_DOCUMENTS_A_WRITE."""
    iterator = iter(rows)
    while part := list(islice(iterator, MAX_DOCUMENTS_A_WRITE)):
        yield part
