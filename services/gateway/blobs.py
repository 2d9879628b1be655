"""Large data of a creation is stored by its SHA-256 before a command names it."""

from collections.abc import Mapping
from typing import Any

from shared.canonical import canonical, parse, sha256_hex
from shared.documents import Document, Documents, DocumentTooLarge
from shared.errors import Problem

COLLECTION = "blobs"
LARGE_BYTES = 16_384
ALWAYS = ("map",)
"""Parts of a creation that are stored whatever their size. Every game names its map so, and `POST /games` takes a map
file there: the one word of a creation that the host knows."""


def store_large(documents: Documents, create: Mapping[str, Any]) -> dict[str, Any]:
    """The creation with `{"sha256": ...}` in place of its map and of every other large part, which are stored.

    Raises Problem `too_large`.
    """
    return {name: _stored(documents, name, value) for name, value in create.items()}


def load(documents: Documents, sha256: str) -> Any:
    """The data of this hash; None if it is not here."""
    found = documents.get(COLLECTION, [sha256]).get(sha256)
    return parse(found.body["text"]) if found else None


def _stored(documents: Documents, name: str, value: Any) -> Any:
    if not isinstance(value, dict | list) or (isinstance(value, dict) and set(value) == {"sha256"}):
        return value
    data = canonical(value)
    if name not in ALWAYS and len(data) <= LARGE_BYTES:
        return value
    digest = sha256_hex(data)
    try:
        documents.write(COLLECTION, [Document(digest, 1, {"text": data.decode()})])
    except DocumentTooLarge as error:
        raise Problem("too_large", f"create.{name}: {error}") from None
    return {"sha256": digest}
