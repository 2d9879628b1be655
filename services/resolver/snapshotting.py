"""Snapshots of games in the document store: chunks first, entries of the games next, the partition's manifest last.

- `snapshots`, id `<game>|<slot>|<chunk>`: a piece of the snapshot in base64. The two slots of a game take turns, so
  that the one an entry names stays whole while the next is written.
- `manifests`, id `<partition>|<game>`: the entry of a game, all that a resolver needs of a game at rest.
- `manifests`, id `<partition>`: the manifest, the journal offset from which a takeover folds, and how many games have
  an entry. With fewer entries it is no manifest: the game that lacks would be taken for one that never was. One of
  a format that is not read is removed: its partition is folded once, and not again for each game that is touched.
- `manifests`, id `log`: which log all this belongs to (`shared.belonging`).

An entry may be newer than the manifest (a crash between the two): its `n` says which events it already holds. An entry
whose chunks do not fit its hash is no snapshot.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import structlog

from services.resolver.agenda import Appointment
from services.resolver.hosting.snapshots import FORMAT, READABLE
from shared.allocation import give_back
from shared.belonging import claim, keep_claim
from shared.canonical import sha256_hex
from shared.documents import Document, Documents
from shared.faults import point
from shared.log import Log

CHUNK_BYTES = 720_000
"""Bytes of a snapshot in one document: 960,000 in base64."""
_logger: Any = structlog.get_logger()
_AT_ONCE_BYTES = 6_000_000
"""Of snapshots, in one write or read of the store: what is made of them there takes three times as much."""
_LARGE_BYTES = 4_000_000
"""Snapshots of so much leave free memory behind that is worth the milliseconds of giving it back."""


class Entry(NamedTuple):
    """A game at rest: position of its snapshot in its journal, where the snapshot lies, its deadline and its next
    reminder (UTC milliseconds)."""

    game: str
    n: int
    slot: int
    chunks: int
    sha256: str
    quarantined: bool
    appointment: Appointment | None
    reminder: int | None
    offset: int
    """Of `turns`: the snapshot holds everything of the game that stands before it."""


class Fresh(NamedTuple):
    """A game that is to be stored; `before` is the entry of the snapshot that this one follows."""

    game: str
    n: int
    quarantined: bool
    appointment: Appointment | None
    before: Entry | None
    data: Sequence[bytes]
    """The snapshot in parts of any size; none where the rules cannot write their state: the game is then folded from
    its journal."""
    reminder: int | None = None


class Manifest(NamedTuple):
    """A partition's snapshots: games stand in them with everything before `offset` of `turns`."""

    offset: int
    entries: dict[str, Entry]


class Snapshots:
    """Reads and writes the snapshots of partitions."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._stored: dict[int, set[str]] = {}
        """Partition -> games that have an entry."""
        self._log: str | None = None
        """The log that they are known to belong to."""
        self._beside = ThreadPoolExecutor(1, "snapshots")

    def claim(self, log: Log) -> None:
        """Make sure that these are the snapshots of this log. Raises OtherLog, LogUnavailable, DocumentsUnavailable."""
        self._log = claim(log, self._documents, "snapshots")

    def manifest(self, partition: int, end: int) -> Manifest:
        """The manifest of a partition whose `turns` end at `end`.

        One beyond the end belongs to another journal, one of a format that is not read to another version; both are
        removed.
        """
        self._stored[partition] = set()
        root = self._documents.get("manifests", [_root(partition)]).get(_root(partition))
        if root is None:
            return Manifest(0, {})
        found = self._documents.find("manifests", f"{_root(partition)}|")
        entries = {entry.game: entry for entry in map(_read_entry, found)}
        if root.position > end or any(document.position > end for document in found):
            self._remove(partition, entries)
            return Manifest(0, {})
        if root.body.get("format") not in READABLE:
            known = " and ".join(map(str, sorted(READABLE)))
            _logger.warning("snapshots removed", partition=partition, reason=f"this version reads formats {known}")
            self._remove(partition, entries)
            return Manifest(0, {})
        if len(entries) < root.body["games"]:
            _logger.warning(
                "snapshots ignored",
                partition=partition,
                reason=f"the manifest has {root.body['games']} games, and {len(entries)} entries are there",
            )
            return Manifest(0, {})
        self._stored[partition] = set(entries)
        return Manifest(root.position, entries)

    def load(self, entry: Entry) -> bytes | None:
        """The bytes of a snapshot; None if they are not those that the entry names."""
        pieces = list(self._pieces(entry))
        if not pieces or len(pieces) < entry.chunks:
            return None
        data = b"".join(pieces)
        del pieces
        if sha256_hex(data) != entry.sha256:
            _logger.warning("snapshot ignored", game=entry.game, reason="its bytes do not have the hash of its entry")
            return None
        return data

    def save_beside(self, partition: int, offset: int, games: Sequence[Fresh]) -> Future[list[Entry]]:
        """As `save`, by a thread that writes one snapshot after the other."""
        return self._beside.submit(self._save_and_give_back, partition, offset, games)

    def _save_and_give_back(self, partition: int, offset: int, games: Sequence[Fresh]) -> list[Entry]:
        """As `save`; then the system gets back what a large snapshot, and what came before it, has taken meanwhile."""
        entries = self.save(partition, offset, games)
        if sum(len(part) for game in games for part in game.data) >= _LARGE_BYTES:
            give_back()
        return entries

    def save(self, partition: int, offset: int, games: Iterable[Fresh]) -> list[Entry]:
        """Store these games as they stand at `offset` of `turns`; returns their entries."""
        entries = []
        chunks: list[Document] = []
        size = 0
        for game in games:
            slot = 1 - game.before.slot if game.before else 0
            digest, count = hashlib.sha256(), 0
            for piece in _cut(game.data, CHUNK_BYTES):
                digest.update(piece)
                body = {"data": base64.b64encode(piece).decode()}
                chunks.append(Document(_chunk(game.game, slot, count), offset, body))
                count += 1
                size += len(piece)
                if size >= _AT_ONCE_BYTES:
                    self._documents.write("snapshots", chunks)
                    chunks, size = [], 0
            entries.append(
                Entry(
                    game.game,
                    game.n,
                    slot,
                    count,
                    digest.hexdigest(),
                    game.quarantined,
                    game.appointment,
                    game.reminder,
                    offset,
                )
            )
        self._documents.write("snapshots", chunks)
        point("resolver.mid_snapshot")
        self._documents.write("manifests", [_entry_document(partition, offset, entry) for entry in entries])
        stored = self._stored.setdefault(partition, set())
        stored.update(entry.game for entry in entries)
        root = {"format": FORMAT, "games": len(stored), "offset": offset}
        if self._log is not None:
            keep_claim(self._log, self._documents, "snapshots")
        self._documents.write("manifests", [Document(_root(partition), offset, root)])
        point("resolver.after_snapshot")
        return entries

    def _pieces(self, entry: Entry) -> Iterator[bytes]:
        """The chunks of a snapshot that are there, in order."""
        ids = [_chunk(entry.game, entry.slot, index) for index in range(entry.chunks)]
        some = _AT_ONCE_BYTES // CHUNK_BYTES
        for start in range(0, len(ids), some):
            found = self._documents.get("snapshots", ids[start : start + some])
            yield from (base64.b64decode(found[name].body["data"]) for name in ids if name in found)

    def _remove(self, partition: int, entries: Iterable[str]) -> None:
        for game in entries:
            self._documents.delete_prefix("snapshots", f"{game}|")
        self._documents.delete("manifests", [_root(partition)])
        self._documents.delete_prefix("manifests", f"{_root(partition)}|")


def _cut(parts: Sequence[bytes], size: int) -> Iterator[bytes | bytearray]:
    """The parts as one, in pieces of so many bytes; the last may be shorter."""
    if parts and sum(map(len, parts)) <= size:
        yield b"".join(parts)
        return
    piece = bytearray()
    for part in parts:
        left = memoryview(part)
        while left:
            taken = left[: size - len(piece)]
            piece += taken
            left = left[len(taken) :]
            if len(piece) == size:
                yield piece
                piece = bytearray()
    if piece:
        yield piece


def _root(partition: int) -> str:
    return f"{partition:02d}"


def _chunk(game: str, slot: int, index: int) -> str:
    return f"{game}|{slot}|{index:05d}"


def _entry_document(partition: int, offset: int, entry: Entry) -> Document:
    due = entry.appointment
    body = {
        "game": entry.game,
        "n": entry.n,
        "slot": entry.slot,
        "chunks": entry.chunks,
        "sha256": entry.sha256,
        "quarantined": entry.quarantined,
        "due": None if due is None else {"at": due.at, "since": due.since, "credited": due.credited},
        "reminder": entry.reminder,
    }
    return Document(f"{_root(partition)}|{entry.game}", offset, body)


def _read_entry(document: Document) -> Entry:
    body = document.body
    due = body["due"]
    appointment = None if due is None else Appointment(due["at"], due["since"], due["credited"])
    return Entry(
        body["game"],
        body["n"],
        body["slot"],
        body["chunks"],
        body["sha256"],
        body["quarantined"],
        appointment,
        body.get("reminder"),  # not in entries of before there were reminders
        document.position,
    )
