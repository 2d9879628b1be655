"""Names for display, beside the opaque ids of players. They are joined here and never enter log or views."""

import re
import threading
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from shared.documents import Document, Documents

COLLECTION = "accounts"
_REVISION = "|names"
"""Document whose position counts changes of names; no account can have such an id."""
_KEPT = 200_000
_ACCOUNT = re.compile(rb'"(u[0-9a-f]{16})"')


def note_change(documents: Documents) -> None:
    """Say that a name was changed or removed, after it was: what shows names has another ETag from now on."""
    documents.write(COLLECTION, [Document(_REVISION, _revision(documents) + 1, {})])


def _revision(documents: Documents) -> int:
    found = documents.get(COLLECTION, [_REVISION]).get(_REVISION)
    return found.position if found else 0


def accounts_in(data: Any) -> list[str]:
    """Everything in some JSON data that has the form of an account's id."""
    return [id.decode() for id in dict.fromkeys(_ACCOUNT.findall(orjson.dumps(data)))]


class DisplayNames:
    """Names by account id. What was read is kept until a name changes; an account's first name needs no such notice."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._kept: dict[str, str] = {}
        self._of_revision = -1
        self._lock = threading.Lock()

    def revision(self) -> int:
        """Grows whenever a name is changed or removed."""
        return _revision(self._documents)

    def of(self, ids: Iterable[str]) -> dict[str, str]:
        """Id -> name of the accounts that exist; a deleted account has no name."""
        wanted = list(ids)
        if not wanted:
            return {}
        revision = self.revision()
        with self._lock:
            if revision != self._of_revision:
                self._kept, self._of_revision = {}, revision
            kept = self._kept
        missing = [id for id in wanted if id not in kept]
        found = self._documents.get(COLLECTION, missing) if missing else {}
        read = {id: str(item.body["name"]) for id, item in found.items() if "name" in item.body}
        known = {id: name for id in wanted if (name := read.get(id) or kept.get(id))}
        with self._lock:
            if len(kept) > _KEPT:
                kept.clear()
            kept.update(read)  # if a name changed meanwhile, this is no longer what is kept
        return known

    def put_beside(self, things: Mapping[str, Any]) -> None:
        """Put `name` into each of some objects that are listed by account id, where the account exists."""
        for id, name in self.of(things).items():
            if isinstance(things[id], dict):
                things[id].setdefault("name", name)
