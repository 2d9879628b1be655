"""Counts of audiences, and the counter documents that keep them.

Each player has a counter of her own: `{changes, feed}`. All other audiences of a game, the public, operators, teams,
sides, seats and their notices, are few, and a close of a turn counts something for nearly each of them. They stand in
one document together: `{audience: [changes, feed]}`. A batch writes it once, with everything that it holds up to the
position of the document, so that this position guards them all. Under its own name, `all:`, it counts the documents in
which feeds of several audiences stand together (`shared.views.chunks`).

In views of form 5 each audience has a counter of its own. Such a one holds, for writers and readers, until its audience
stands in the document of all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from shared.documents import Document, Documents
from shared.views import ids
from shared.views.changes import GameChanges, Stretch
from shared.views.shapes import Counts, Head
from shared.views.versions import Version, advance, at_head, now_of

_NOTHING = Version(0, {})
_NONE = Counts(0, 0)


def read(documents: Documents, head: Head, audiences: Iterable[str]) -> dict[str, Counts]:
    """Counts of each audience at this head; zeros for one without any. Raises HeadMoved."""
    named = list(audiences)
    generation, game = head.generation, head.game
    wanted = dict.fromkeys(ids.counter(generation, game, name) for each in named for name in (each, counter_of(each)))
    found = documents.get("counters", wanted)
    counts: dict[str, Counts] = {}
    for audience in named:
        counts[audience] = _NONE
        for name in dict.fromkeys((counter_of(audience), audience)):
            stored = found.get(ids.counter(generation, game, name))
            fields = None if stored is None else at_head(stored.body, head.n)
            known = None if fields is None else _counts(fields, audience, shared=name == ids.SHARED)
            if known is not None:
                counts[audience] = known
                break
    return counts


@lru_cache(maxsize=65_536)
def counter_of(audience: str) -> str:
    """Name of the document that counts for an audience: a player's own, or that of all others."""
    kind, colon, _ = audience.removeprefix(ids.NOTICES).partition(":")
    return audience if colon and kind == _PLAYER else ids.SHARED


_PLAYER = "player"


def _counts(fields: Mapping[str, Any], audience: str, *, shared: bool) -> Counts | None:
    if shared:
        return Counts._make(fields[audience]) if audience in fields else None
    return Counts(fields["changes"], fields["feed"]) if fields else None


class Counter(NamedTuple):
    """A counter document, and what a batch adds for the audiences that it counts for."""

    id: str
    game: GameChanges
    shared: bool
    stretches: Mapping[str, Sequence[Stretch]]
    """By audience, in order of the records."""

    def lacking(self, stored: Document | None) -> list[str]:
        """The audiences which a shared document has nothing of yet."""
        if not self.shared:
            return []
        return [name for name in self.stretches if stored is None or name not in stored.body["now"]["fields"]]


class New(NamedTuple):
    """What a batch adds for one audience, as far as it is not counted yet, and the entries of its feed before that."""

    audience: str
    feed: int
    stretches: Sequence[Stretch]


class Carried(NamedTuple):
    """What a batch makes of a counter document; None if it adds nothing."""

    document: Document | None
    new: Sequence[New]
    before: Mapping[str, int]
    """Of a shared document, by audience: entries of its feed before the batch; by `all:` documents of several feeds."""


def counters(generation: int, games: Iterable[GameChanges]) -> Iterator[Counter]:
    """The counter documents that a batch may have to write."""
    for game in games:
        shared: dict[str, Sequence[Stretch]] = {}
        for audience, stretches in game.stretches.items():
            if counter_of(audience) == audience:
                yield Counter(ids.counter(generation, game.game, audience), game, False, {audience: stretches})
            else:
                shared[audience] = stretches
        if shared:
            yield Counter(ids.counter(generation, game.game, ids.SHARED), game, True, shared)


def carry(counter: Counter, stored: Document | None, alone: Mapping[str, Version]) -> Carried:
    """The document after a batch, and what is new in it.

    `alone` are the counters of form 5 of audiences that a shared document lacks.
    """
    game, now = counter.game, _NOTHING if stored is None else now_of(stored.body)
    fields = dict(now.fields)
    earlier = {audience: feed for audience, (_, feed) in now.fields.items()} if counter.shared else {}
    new: list[New] = []
    game.hold = max(game.hold, now.n)
    for audience, stretches in counter.stretches.items():
        before, reached = _counts(fields, audience, shared=counter.shared) or _NONE, now.n
        if audience in alone:
            before, reached = _counts(alone[audience].fields, audience, shared=False) or _NONE, alone[audience].n
            game.hold = max(game.hold, reached)
            earlier[audience] = before.feed
        if stretches[0].n <= reached:
            stretches = [stretch for stretch in stretches if stretch.n > reached]
        if stretches:
            changes, feed = before
            for stretch in stretches:
                changes += stretch.changes
                feed += stretch.told
            fields |= {audience: [changes, feed]} if counter.shared else {"changes": changes, "feed": feed}
            new.append(New(audience, before.feed, stretches))
    if not new:
        return Carried(None, new, earlier)
    if together := {stretch.together for item in new for stretch in item.stretches if stretch.together}:
        fields[ids.SHARED] = [0, earlier.get(ids.SHARED, 0) + len(together)]
    value = Version(max(item.stretches[-1].n for item in new), fields)
    first = min(item.stretches[0].n for item in new)
    body = advance(None if stored is None else stored.body, value, first, game.head)
    return Carried(Document(counter.id, value.n, body), new, earlier)
