"""A game of another kind than GXC, as its views show it: rounds of several resolutions, zones, owners named by seats.

Only what the gateway asks of rules is here. Its views are written by hand, into a store that counts what is read.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import pytest

from shared import rules
from shared.documents import Document as Stored
from shared.events import CERTIFIED, event_type
from shared.host_events import LEAVES
from shared.rules.interface import Closing, Document, Page, Parts, Period, Registration, Sentence, Viewer
from shared.views import ids
from shared.views.ids import certificate_id
from shared.views.versions import Version, body
from tests.unit.views.memory import MemoryDocuments

KIND = "rounds"


class Rounds:
    """Rules of it."""

    game = KIND
    version = "1"
    commands: Mapping[str, Any] = {}
    errors: Mapping[str, str] = {}
    events: Mapping[str, Any] = {}
    sentences: Mapping[str, tuple[Sentence, ...]] = {"hit": (Sentence("{by:team} hits {zone:place}"),)}
    pages: Mapping[str, Page] = {
        "map": Page("map", ("game", "zone"), "Zones."),
        "roster": Page("roster", ("game", "member"), "Who plays."),
    }
    period = Period("round", "round_deadline", {"running": Closing("close_round", ("round",))})
    parts = Parts("zones", "zone", "members", "seat", "seat", ("member",), "members", unshown=("inner",))

    def view(self, documents: Iterable[Document], viewer: Viewer) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for item in documents:
            if item.kind == "game":
                seen |= item.fields
            else:
                seen.setdefault(f"{item.kind}s", {})[item.id] = dict(item.fields)
        return seen


class WithoutPeriods(Rounds):
    """The same, not played in rounds."""

    version = "2"
    period = None  # type: ignore[assignment]


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put both versions on the list of games."""
    found: list[Registration[Any]] = [
        Registration(KIND, item.version, cast(Callable[[], Any], item)) for item in (Rounds, WithoutPeriods)
    ]
    monkeypatch.setattr(rules, "GAMES", (*rules.GAMES, *found))


class CountedDocuments(MemoryDocuments):
    """Counts the documents that were read, by collection."""

    def __init__(self) -> None:
        super().__init__()
        self.read: dict[str, int] = {}

    def _document(self, collection: str, id: str) -> Stored:
        self.read[collection] = self.read.get(collection, 0) + 1
        return super()._document(collection, id)

    def wait(self, store: str, timeout: float) -> None:
        pass


class Told:
    """Writes the views of one game."""

    def __init__(self, documents: MemoryDocuments, game: str, version: str = "1") -> None:
        self._documents = documents
        self.game = game
        self._version = version
        self._n = 0
        self._k = 0
        self._entries: list[dict[str, Any]] = []

    def put(self, kind: str, id: str, fields: Mapping[str, Any]) -> None:
        """A public document."""
        self._n += 1
        self._document(kind, id, fields)

    def event(self, name: str, data: Mapping[str, Any], at: int) -> None:
        """A public event of the game."""
        self._enter(event_type(KIND, name), data, at)

    def resolved(self, label: str, at: int, *leaves: list[str]) -> None:
        """Leaves, by part, and the certificate of a resolution."""
        self._k += 1
        for part, listed in enumerate(leaves, 1):
            data = {"k": self._k, "label": label, "part": part, "parts": len(leaves), "leaves": listed}
            self._enter(LEAVES, data, at)
            self._document("leaves", f"{certificate_id(self._k)}-{part:06}", data)
        fields = {"label": label, "seed": "0" * 64, "digest": "0" * 64}
        self._enter(CERTIFIED, {"k": self._k, **fields}, at)
        self._document("certificate", certificate_id(self._k), fields)

    def finish(self) -> None:
        """Feed, counts and head."""
        for first in range(0, len(self._entries), 256):
            chunk = self._entries[first : first + 256]
            id = ids.feed_chunk(1, self.game, "public", first + len(chunk))
            self._documents.write("feeds", [Stored(id, chunk[-1]["n"], {"first": first + 1, "entries": chunk})])
        counts = body(Version(self._n, {"changes": self._n, "feed": len(self._entries)}), None)
        self._documents.write("counters", [Stored(ids.counter(1, self.game, "public"), self._n, counts)])
        facts = {"at": 0, "kind": KIND, "rules": self._version, "created_at": 0, "quarantined": False}
        self._documents.write("heads", [Stored(ids.head(1, self.game), self._n, {"game": self.game, **facts})])

    def _enter(self, type: str, data: Mapping[str, Any], at: int) -> None:
        self._n += 1
        self._entries.append({"n": self._n, "type": type, "data": dict(data), "at": at})

    def _document(self, kind: str, id: str, fields: Mapping[str, Any]) -> None:
        key = ids.document(1, self.game, kind, "public", id)
        self._documents.write("documents", [Stored(key, self._n, body(Version(self._n, fields), None))])
