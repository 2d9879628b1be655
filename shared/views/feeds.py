"""Feeds: what happened, entry by entry, as each audience may see it; and beside each the feed of its notices.

Entries are read forwards, as streams do, or backwards, as lists do. Raises HeadMoved and what the document port raises.
"""

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import groupby, islice
from typing import Any, NamedTuple, NoReturn

from shared.documents import Documents
from shared.views import counting, ids
from shared.views.chunks import stands_together
from shared.views.leaves import with_leaves
from shared.views.shapes import FeedEntry, Head
from shared.views.versions import HeadMoved

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
            (chunk,) = self._documents.find("feeds", prefix, after=after, limit=1) or _removed()
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
        """The next entries of one feed, wherever they stand (`shared.views.chunks`)."""
        if audience == ids.OPERATORS:
            return self._of_operators(head, seen, limit)
        if stands_together(audience):
            return self._with_those_together(head, audience, seen, limit)
        return self._own(head, audience, seen, limit)

    def _of_operators(self, head: Head, seen: int, limit: int) -> Iterator[Entry]:
        """What stands in their own feed, and between it what stands in the public one."""
        counts = counting.read(self._documents, head, (ids.OPERATORS, ids.PUBLIC))
        told = counts[ids.PUBLIC].feed
        public: Iterator[Entry] | None = None
        reached, place = seen, 0
        for entry in self._own(head, ids.OPERATORS, seen, limit):
            # Of a batch that died in form 6 there may be both, the whole of a record and what is not public of it.
            lacking = entry.number - 1 - reached
            if lacking < 0:
                continue
            if lacking:
                if public is None:
                    public = self._own(head, ids.PUBLIC, self.up_to(head, ids.PUBLIC, told, entry.n) - lacking, limit)
                yield from _numbered(public, reached, lacking, place)
            yield entry
            reached, place = entry.number, entry.n
        lacking = counts[ids.OPERATORS].feed - reached
        if lacking > 0:
            public = public or self._own(head, ids.PUBLIC, told - lacking, limit)
            yield from _numbered(public, reached, lacking, place)

    def _with_those_together(self, head: Head, audience: str, seen: int, limit: int) -> Iterator[Entry]:
        """What stands in a feed's own documents, and between it what stands in those of several feeds."""
        reached = seen
        for entry in self._own(head, audience, seen, limit):
            if entry.number > reached + 1:
                yield from self._together(head, audience, reached, entry.number - 1)
            yield entry
            reached = entry.number
        yield from self._together(head, audience, reached)

    def _together(self, head: Head, audience: str, seen: int, end: int | None = None) -> Iterator[Entry]:
        """The entries after number `seen` up to number `end`, or the last one, which no document of the feed has."""
        counts = counting.read(self._documents, head, (audience, ids.SHARED))
        last = counts[audience].feed if end is None else end
        if seen >= last:
            return
        prefix = ids.feed(head.generation, head.game, ids.SHARED)
        after = self._before(head, audience, seen, counts[ids.SHARED].feed)
        while seen < last and (found := self._documents.find("feeds", prefix, after=after, limit=CHUNKS_A_READ)):
            for chunk in found:
                own = chunk.body["feeds"].get(audience, _NOTHING)
                for number, event in enumerate(own["entries"], own["first"]):
                    if seen < number <= last:
                        seen = number
                        yield _entry(number, audience, event)
            after = found[-1].id
            if seen < last and found[-1].body["counts"].get(audience, 0) <= seen:
                # The next one may be far: nobody reads what lies between, which grows with the game.
                after = self._before(head, audience, seen, counts[ids.SHARED].feed, ids.number_of(after))

    def _before(self, head: Head, audience: str, seen: int, documents: int, low: int = 0) -> str:
        """Id of the last document of several feeds behind which the feed has no more than `seen` entries, document
        number `low` or one behind it.

        By halving, but from the end on at first, in steps that double: there most readers are.
        """
        high, step = documents, 1
        while high - low > 1:
            middle = (low + high) // 2 if low else max(1, high - step)
            id = ids.feed_chunk(head.generation, head.game, ids.SHARED, middle)
            (chunk,) = self._documents.get("feeds", [id]).values() or _removed()
            if chunk.body["counts"].get(audience, 0) > seen:
                high, step = middle, 2 * step
            else:
                low = middle
        return ids.feed_chunk(head.generation, head.game, ids.SHARED, low)

    def _own(self, head: Head, audience: str, seen: int, limit: int) -> Iterator[Entry]:
        """The next entries in the documents of one feed."""
        prefix = ids.feed(head.generation, head.game, audience)
        after = ids.feed_chunk(head.generation, head.game, audience, seen)
        while chunks := self._documents.find("feeds", prefix, after=after, limit=min(limit, CHUNKS_A_READ)):
            for chunk in chunks:
                if chunk.position > head.n:
                    return
                first, entries = chunk.body["first"], chunk.body["entries"]
                numbers = chunk.body.get("numbers") or range(first, first + len(entries))
                for number, event in zip(numbers, entries, strict=True):
                    if number > seen:
                        yield _entry(number, audience, event)
            after = chunks[-1].id


def _removed() -> NoReturn:
    """What a head counts is gone: the generation is being removed."""
    raise HeadMoved


def _entry(number: int, audience: str, event: Mapping[str, Any]) -> Entry:
    return Entry(event["n"], event.get("notice", 0), number, audience, event)


def _numbered(public: Iterator[Entry], reached: int, lacking: int, place: int) -> Iterator[Entry]:
    """The next public entries behind a position, as operators' feed counts them."""
    following = (entry for entry in public if entry.n > place)
    for number, entry in enumerate(islice(following, lacking), reached + 1):
        yield entry._replace(audience=ids.OPERATORS, number=number)


_NOTHING: Mapping[str, Any] = {"first": 1, "entries": ()}


def _place(entry: Entry) -> tuple[int, int]:
    return entry.n, entry.notice


def _seen(item: Entry, counts: Mapping[str, int]) -> FeedEntry:
    event = item.event
    notice = f"{item.audience.removeprefix(ids.NOTICES)}={item.number}" if item.notice else None
    return FeedEntry(event["type"], event["data"], event["at"], item.n, dict(counts), event.get("traceparent"), notice)
