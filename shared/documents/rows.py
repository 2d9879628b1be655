"""What both adapters of the document port make of documents, ids and prefixes."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

import orjson

from shared.canonical import canonical
from shared.documents import COLLECTIONS, MAX_DOCUMENT_BYTES, MAX_DOCUMENTS_A_WRITE, Document, DocumentTooLarge

MAX_ID_BYTES = 512

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
    body = canonical(document.body)
    if len(body) > MAX_DOCUMENT_BYTES:
        raise DocumentTooLarge(f"document {document.id!r} has {len(body):,} bytes; {MAX_DOCUMENT_BYTES:,} are allowed")
    if len(document.id) * 4 > MAX_ID_BYTES and len(document.id.encode()) > MAX_ID_BYTES:
        raise DocumentTooLarge(f"the id {document.id[:40]!r}... has over {MAX_ID_BYTES} bytes")
    return document.id, document.position, body


def document_of(id: str, position: int, body: bytes | str) -> Document:
    """A document as it was stored."""
    return Document(id, position, orjson.loads(body))


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
