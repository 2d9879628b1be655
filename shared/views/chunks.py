"""The documents that feeds are stored in: the entries that one journal record adds, at most 256 in each.

    own       <audience>|<last>  {first, entries}
    operators |<last>            {first, entries, numbers}
    together  all:|<number>      {feeds, counts}

Operators' feed has every event. What the public feed holds is not stored in it again: `numbers` are those of its own
entries among all, where public ones come between.

A close tells nearly each team something, and each of them little. A record with a few entries for several audiences
stores them in one document: `feeds` has `{first, entries}` by audience, `counts` how many entries each feed of the game
has behind the record, by which the document of an entry is found. These documents are numbered from 1 in each game.
What is stored how follows from the record alone, so that a rebuild stores the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from shared.documents import Document, as_document
from shared.views import counting, ids
from shared.views.changes import Stretch
from shared.views.counting import Carried, New

CHUNK_ENTRIES = 256
"""Entries in one document."""
FEWEST_TOGETHER = 4
"""Feeds in a document of several: of fewer, each has its own."""
MOST_TOGETHER = 64
"""Entries in a document of several."""
_APART = frozenset({ids.PUBLIC, ids.OPERATORS, ids.SHARED})
LARGEST_RECORD = 100_000
"""Bytes of a record whose entries may stand together: each stands in 64 feeds at most, so they fit into a document."""


def stands_together(audience: str) -> bool:
    """Whether entries of an audience's feed may stand in one document with those of others.

    Players are too many to be counted in each, and the feeds of the public and of operators are long.
    """
    return audience not in _APART and counting.counter_of(audience) == ids.SHARED


def put_together(stretches: Mapping[str, Stretch], last: int, size: int) -> None:
    """Mark the stretches of a record which stand together; `last` is its last event, `size` its bytes."""
    if len(stretches) <= FEWEST_TOGETHER or size > LARGEST_RECORD:
        return  # one of them is that of operators
    few = [stretch for audience, stretch in stretches.items() if stretch.entries and stands_together(audience)]
    if len(few) >= FEWEST_TOGETHER and sum(len(stretch.entries) for stretch in few) <= MOST_TOGETHER:
        for stretch in few:
            stretch.together = last


def chunks_of(generation: int, game: str, carried: Carried) -> list[Document]:
    """The documents that hold what is new in feeds."""
    chunks: list[Document] = []
    together = False
    for audience, feed, stretches in carried.new:
        place = (generation, game, audience)
        if audience == ids.OPERATORS:
            chunks += _of_operators(place, feed, stretches)
            continue
        for stretch in stretches:
            if stretch.together:
                together = True
            elif stretch.entries:
                chunks += _own(place, feed, stretch.entries)
            feed += len(stretch.entries)
    if together:
        chunks += _together(generation, game, carried)
    return chunks


def _own(place: tuple[int, str, str], feed: int, entries: Sequence[Mapping[str, Any]]) -> Iterator[Document]:
    """The entries of one record, numbered on from `feed`."""
    for start in range(0, len(entries), CHUNK_ENTRIES):
        part = entries[start : start + CHUNK_ENTRIES]
        first, feed = feed + 1, feed + len(part)
        yield as_document((ids.feed_chunk(*place, feed), part[-1]["n"], {"first": first, "entries": part}))


def _of_operators(place: tuple[int, str, str], feed: int, stretches: Iterable[Stretch]) -> Iterator[Document]:
    """What is not public."""
    for stretch in stretches:
        for start in range(0, len(stretch.entries), CHUNK_ENTRIES):
            part = stretch.entries[start : start + CHUNK_ENTRIES]
            numbers = [feed + number for number in stretch.places[start : start + CHUNK_ENTRIES]]
            body: dict[str, Any] = {"first": numbers[0], "entries": part}
            if numbers[-1] - numbers[0] >= len(numbers):
                body["numbers"] = numbers
            yield as_document((ids.feed_chunk(*place, numbers[-1]), part[-1]["n"], body))
        feed += stretch.told


def _together(generation: int, game: str, carried: Carried) -> Iterator[Document]:
    """The documents of several feeds, in the order of their records."""
    number = carried.before.get(ids.SHARED, 0)
    counts = {audience: feed for audience, feed in carried.before.items() if feed and stands_together(audience)}
    for last, group in groupby(sorted(_told(carried.new), key=_PLACE), _PLACE):
        feeds = {}
        for _, audience, stretch in group:
            before = counts.get(audience, 0)
            counts[audience] = before + len(stretch.entries)
            if stretch.together:
                feeds[audience] = {"first": before + 1, "entries": stretch.entries}
        if feeds:
            number += 1
            id = ids.feed_chunk(generation, game, ids.SHARED, number)
            yield as_document((id, last, {"feeds": feeds, "counts": dict(counts)}))


_PLACE = itemgetter(0)


def _told(new: Iterable[New]) -> Iterator[tuple[int, str, Stretch]]:
    """The entries that are new, with the position up to which they stand together. What only changes documents is none:
    of an audience without entries `counts` say nothing, wherever batches are cut."""
    for audience, _, stretches in new:
        if stands_together(audience):
            for stretch in stretches:
                if stretch.entries:
                    yield stretch.together or stretch.n, audience, stretch
