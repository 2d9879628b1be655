"""Writing the changes of a batch: guarded by position, checkpoint last, so that a repeat changes nothing.

The order is documents and feed entries, judgements, counters, heads, checkpoint. A batch that was interrupted and is
folded again, together with more or with fewer records than the first time, ends in the same views: a document that an
interrupted batch has carried further than this one reaches is left alone, and the head of its game stays until the
batches have reached that position (`hold`), because its value at the positions between is not kept.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any

from shared.documents import Document, Documents, as_document
from shared.documents.rows import parts
from shared.faults import point
from shared.views import ids
from shared.views.changes import Change, Changes, GameChanges
from shared.views.chunks import chunks_of
from shared.views.counting import Counter, carry, counters
from shared.views.versions import Version, advance, now_of


class ViewWriter:
    """Writes batches into one generation.

    One writer a partition and generation is the rule. Where two write for a moment, because one was asleep while its
    partition was given to another, each brings about a part of the same: nothing goes back, and a reader who cannot be
    answered at her head (`HeadMoved`) asks again.
    """

    def __init__(
        self, documents: Documents, written: Callable[[str, int], None] = lambda _collection, _count: None
    ) -> None:
        """`written` is told how many documents went to which collection."""
        self._documents = documents
        self._written = written

    def checkpoint(self, generation: int, partition: int) -> Mapping[str, Any] | None:
        """The checkpoint of a partition: `offset` and `at` of the next read, `open` units by game."""
        return self.checkpoints(generation, [partition]).get(partition)

    def checkpoints(self, generation: int, partitions: Iterable[int]) -> dict[int, Mapping[str, Any]]:
        """The checkpoints of several partitions in one read, of those that have one."""
        by_id = {ids.checkpoint(generation, partition): partition for partition in partitions}
        return {by_id[id]: item.body for id, item in self._documents.get("checkpoints", by_id).items()}

    def heads(self, generation: int, games: Iterable[str]) -> dict[str, Document]:
        """The stored heads, by game."""
        by_id = {ids.head(generation, game): game for game in games}
        found = self._documents.get("heads", by_id)
        return {by_id[id]: document for id, document in found.items()}

    def write(self, changes: Changes) -> None:
        """Write a batch. Durable when it returns; raises DocumentsUnavailable, after which it is folded again."""
        games = list(changes.games.values())
        generation = changes.generation
        point("projector.before_documents")
        self._write_documents(generation, games)
        point("projector.after_documents")
        counted, new = self._write_feeds(generation, games)
        self._put("judgements", _judgements(generation, games))
        point("projector.before_counters")
        self._put("counters", counted, new)
        heads, open = [], dict(changes.open)
        for game in games:
            if game.whole and game.last >= game.hold:
                heads.append(Document(ids.head(generation, game.game), game.last, game.facts))
                open.pop(game.game, None)
            else:
                open[game.game] = {"facts": game.facts, "hold": game.hold, "unit": game.unit}
        point("projector.before_heads")
        self._put("heads", heads)
        body = {"offset": changes.offset, "at": changes.at, "open": open}
        id = ids.checkpoint(generation, changes.partition)
        point("projector.before_checkpoint")
        self._put("checkpoints", [Document(id, changes.offset, body)])

    def _write_documents(self, generation: int, games: Iterable[GameChanges]) -> None:
        everything = (
            (ids.document(generation, game.game, kind, audience, id), game, change)
            for game in games
            for (kind, audience, id), change in game.documents.items()
        )
        for slice in parts(everything):
            wanted = [id for id, _, _ in slice]
            found = self._documents.get("documents", wanted)
            written = [_document(id, found.get(id), game, change) for id, game, change in slice]
            new = set(wanted).difference(found)
            self._put("documents", [document for document in written if document is not None], new)

    def _write_feeds(self, generation: int, games: Iterable[GameChanges]) -> tuple[list[Document], set[str]]:
        """Write the feed entries; returns the counters that count them, and the ids of those that are new."""
        documents: list[Document] = []
        fresh: set[str] = set()
        for slice in parts(counters(generation, games)):
            found = self._documents.get("counters", [counter.id for counter in slice])
            fresh.update(counter.id for counter in slice if counter.id not in found)
            alone = self._alone(generation, slice, found)
            chunks: list[Document] = []
            for counter in slice:
                carried = carry(counter, found.get(counter.id), alone.get(counter.id, {}))
                if carried.document is not None:
                    documents.append(carried.document)
                    chunks += chunks_of(generation, counter.game.game, carried)
            self._put("feeds", chunks)
        return documents, fresh

    def _alone(
        self, generation: int, slice: Iterable[Counter], found: Mapping[str, Document]
    ) -> dict[str, dict[str, Version]]:
        """By id of a shared counter: the counters of form 5, by audience, of those audiences that it lacks."""
        places = {
            ids.counter(generation, counter.game.game, audience): (counter.id, audience)
            for counter in slice
            for audience in counter.lacking(found.get(counter.id))
        }
        alone: dict[str, dict[str, Version]] = {}
        for id, document in self._documents.get("counters", places).items():
            shared, audience = places[id]
            alone.setdefault(shared, {})[audience] = now_of(document.body)
        return alone

    def _put(self, collection: str, documents: Sequence[Document], new: Container[str] = ()) -> None:
        if documents:
            self._documents.write(collection, documents, new)
            if self._written is not None:
                self._written(collection, len(documents))


def _document(id: str, stored: Document | None, game: GameChanges, change: Change) -> Document | None:
    """The document after a change; None if an interrupted batch has written it already, or more."""
    fields, before = change.fields, None
    first, n = change.at[0], change.at[-1]
    if stored is not None:
        _, reached, before = stored
        if reached > game.hold:
            game.hold = reached
        if reached >= n:
            return None
        if not change.fresh:
            fields = {**before["now"]["fields"], **fields}
        if reached >= first:
            first = change.first_after(reached)
    return as_document((id, n, advance(before, (n, fields, change.gone), first, game.head)))


def _judgements(generation: int, games: Iterable[GameChanges]) -> list[Document]:
    return [
        Document(ids.judgement(generation, game.game, input_id), n, body)
        for game in games
        for input_id, (n, body) in game.judgements.items()
    ]
