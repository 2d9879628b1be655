"""Feeds: what happened, entry by entry, as each audience may see it; and beside each the feed of its notices.

Entries are read forwards, as streams do, or backwards, as lists do. Raises HeadMoved and what the document port raises.
"""

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import groupby, islice
from typing import Any, NamedTuple

from shared.documents import Documents
from shared.views import ids
from shared.views.leaves import with_leaves
from shared.views.shapes import FeedEntry, Head

CHUNKS_A_READ = 16


class Entry(NamedTuple):
    """Position of the event, number of its notice (0 for the event itself), and number in the audience's feed."""

    n: int
    notice: int
    number: int
    audience: str
    event: Mapping[str, Any]


class Feeds:
    """Reads feeds."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def after(
        self,
        head: Head,
        audiences: Iterable[str],
        after: Mapping[str, int],
        limit: int,
        present: Mapping[str, int] | None = None,
    ) -> list[FeedEntry]:
        """The next entries of these audiences in their order, each once however many of them it is for.

        `after` counts the entries already seen, by audience; one that is not named is read from its beginning. With
        `present`, the entries that each has at this head, none is read that has nothing new.
        """
        reached = {audience: after.get(audience, 0) for audience in audiences}
        streams = [
            self._entries(head, audience, seen, limit)
            for audience, seen in reached.items()
            if present is None or present[audience] > seen
        ]
        entries: list[FeedEntry] = []
        for _, same in islice(groupby(merge(*streams, key=_place), _place), limit):
            for item in same:
                reached[item.audience] = item.number
            entries.append(_seen(item, reached))
        return with_leaves(self._documents, head, entries)

    def before(self, head: Head, audiences: Iterable[str], before: Mapping[str, int], limit: int) -> list[FeedEntry]:
        """The last entries of these audiences, the newest first, up to entry number `before` of each.

        `after` of an entry counts what lies before it: handed back as `before` it gives the older ones.
        """
        older = {audience: before.get(audience, 0) for audience in audiences}
        found: list[Entry] = []
        for audience, count in older.items():
            first = max(0, count - limit)
            found += islice(self._entries(head, audience, first, limit), count - first)
        entries: list[FeedEntry] = []
        for item in sorted(found, key=_place, reverse=True)[:limit]:
            older[item.audience] = item.number - 1
            entries.append(_seen(item, older))
        return with_leaves(self._documents, head, entries)

    def up_to(self, head: Head, audience: str, count: int, n: int) -> int:
        """How many of the first `count` entries of a feed stand at positions up to `n`, by halving: entries are in
        order of position."""
        prefix = ids.feed(head.generation, head.game, audience)
        low, high = 0, count
        while low < high:
            after = ids.feed_chunk(head.generation, head.game, audience, (low + high) // 2)
            chunk = self._documents.find("feeds", prefix, after=after, limit=1)[0]
            first = chunk.body["first"]
            reached = sum(entry["n"] <= n for entry in chunk.body["entries"])
            if 0 < reached < len(chunk.body["entries"]):
                return int(first - 1 + reached)
            if reached:
                low = first - 1 + reached
            else:
                high = first - 1
        return low

    def _entries(self, head: Head, audience: str, seen: int, limit: int) -> Iterator[Entry]:
        """The next entries of one feed."""
        prefix = ids.feed(head.generation, head.game, audience)
        after = ids.feed_chunk(head.generation, head.game, audience, seen)
        while chunks := self._documents.find("feeds", prefix, after=after, limit=min(limit, CHUNKS_A_READ)):
            for chunk in chunks:
                if chunk.position > head.n:
                    return
                for number, event in enumerate(chunk.body["entries"], chunk.body["first"]):
                    if number > seen:
                        yield Entry(event["n"], event.get("notice", 0), number, audience, event)
            after = chunks[-1].id


def _place(entry: Entry) -> tuple[int, int]:
    return entry.n, entry.notice


def _seen(item: Entry, counts: Mapping[str, int]) -> FeedEntry:
    event = item.event
    notice = f"{item.audience.removeprefix(ids.NOTICES)}={item.number}" if item.notice else None
    return FeedEntry(event["type"], event["data"], event["at"], item.n, dict(counts), event.get("traceparent"), notice)
