"""Texts that players write: kept outside the log, which has their salted hash; removable, and the log stays whole.

A text belongs to an event that names `author`, `message` (the id of its input) and `hash`. Documents of the collection
`messages`:

    <author>|<game>|<message>|<hash>   type of the command, texts and salt; after a removal `removed_at` alone
    |<game>                            its position counts the removals in a game

The hash is in the id because a key may be used again for another text before anything was appended: the log decides
which of the two was said.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from shared.canonical import canonical, sha256_hex
from shared.documents import Document, Documents

COLLECTION = "messages"
_STORED, _REMOVED = 1, 2
"""Positions: a repeated request never brings back what was removed."""
_A_READ = 1000


class Reference(NamedTuple):
    """Which text an event speaks of."""

    author: str
    game: str
    message: str
    hash: str

    @property
    def id(self) -> str:
        """Id of its document."""
        return "|".join(self)


class Kept(NamedTuple):
    """What is kept of a text. `texts` and `salt` are None once it is removed, and where it was never kept (a game that
    came from another house); `removed_at` is UTC milliseconds."""

    texts: Mapping[str, str] | None
    salt: str | None
    removed_at: int | None


NOTHING = Kept(None, None, None)


def salt_of(salt_key: bytes, message: str, texts: Mapping[str, str]) -> str:
    """32 hex digits that follow from the message and its texts, so that a repeated request gives the same input."""
    return hmac.new(salt_key, canonical(["text", message, texts]), hashlib.sha256).hexdigest()[:32]


def hash_of(salt: str, texts: Mapping[str, str]) -> str:
    """The hash in the log: hex SHA-256 of the canonical JSON of {salt, texts}."""
    return sha256_hex(canonical({"salt": salt, "texts": texts}))


class Messages:
    """The store of texts."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def keep(self, reference: Reference, type: str, texts: Mapping[str, str], salt: str) -> None:
        """Store a text; nothing happens if it is there, or was removed."""
        body = {"type": type, "texts": texts, "salt": salt}
        self._documents.write(COLLECTION, [Document(reference.id, _STORED, body)])

    def read(self, references: Iterable[Reference]) -> dict[Reference, Kept]:
        """What is kept of each."""
        by_id = {reference.id: reference for reference in references}
        found = self._documents.get(COLLECTION, by_id) if by_id else {}
        return {reference: _kept(found[id].body) if id in found else NOTHING for id, reference in by_id.items()}

    def remove(self, author: str, game: str, message: str, at: int) -> bool:
        """Remove texts and salt of a message; False if none was kept."""
        return self._remove(f"{author}|{game}|{message}|", at)

    def remove_all_of(self, author: str, at: int) -> bool:
        """Remove everything that somebody wrote; False if there was nothing."""
        return self._remove(f"{author}|", at)

    def revision(self, game: str) -> int:
        """Grows with every removal in a game."""
        id = f"|{game}"
        found = self._documents.get(COLLECTION, [id]).get(id)
        return found.position if found else 0

    def _remove(self, prefix: str, at: int) -> bool:
        games: dict[str, None] = {}
        after = ""
        while found := self._documents.find(COLLECTION, prefix, after=after, limit=_A_READ):
            after = found[-1].id
            gone: dict[str, Any] = {"removed_at": at}
            self._documents.write(COLLECTION, [Document(item.id, _REMOVED, gone) for item in found])
            games |= dict.fromkeys(item.id.split("|")[1] for item in found)
        for game in games:
            self._documents.write(COLLECTION, [Document(f"|{game}", self.revision(game) + 1, {})])
        return bool(games)


def _kept(body: Mapping[str, Any]) -> Kept:
    return Kept(body.get("texts"), body.get("salt"), body.get("removed_at"))
