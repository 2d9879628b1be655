"""A generation of views as lines, to compare two of them: everything that a reader can be shown, and how it is counted.

Left out are the generation and the `old` values: these depend on how the journal was cut into batches, and serve
readers only while a batch is being written.
"""

from collections.abc import Iterator
from typing import Any

from shared.canonical import canonical
from shared.documents import Document, Documents
from shared.views import ids

_VERSIONED = ("documents", "counters")
PAGE = 1_000


def lines(documents: Documents, generation: int) -> Iterator[bytes]:
    """One canonical JSON line for each stored document of the generation, by collection and id."""
    for collection in ("counters", "documents", "feeds", "heads", "judgements"):
        for item in _all(documents, collection, ids.of_generation(generation)):
            body: Any = item.body["now"] if collection in _VERSIONED else item.body
            yield canonical([collection, item.id.partition("|")[2], item.position, body])


def _all(documents: Documents, collection: str, prefix: str) -> Iterator[Document]:
    after = ""
    while found := documents.find(collection, prefix, after=after, limit=PAGE):
        yield from found
        after = found[-1].id
