"""Reading a stretch of one partition to its end, however its offsets lie; and several of them by one reader."""

import time
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from shared.log import START, Log, Mark, Reader, Record, TopicPartition

_WAIT_SECONDS = 1.0
HELD_SECONDS = 3.0
"""A transaction that is open for so long holds its partition back: those of our resolvers take milliseconds."""
_AGAIN_SECONDS = 0.05


class Hold(NamedTuple):
    """A partition in which a transaction is open: it began at `offset`, the committed end, and `written` is beyond."""

    place: TopicPartition
    offset: int
    written: int

    @property
    def said(self) -> str:
        topic, partition = self.place
        since = f"held back by an open transaction since offset {self.offset}"
        return f"{topic}, partition {partition}: {since}, nothing behind it can be read"

    @property
    def remedy(self) -> str:
        topic, partition = self.place
        where = f"--topic [PREFIX.]{topic} --partition {partition} --start-offset {self.offset}"
        return f"if it does not end by itself, Kafka's `kafka-transactions.sh abort {where}` ends it"

    def __str__(self) -> str:
        return f"{self.said}; {self.remedy}"


def stretch(log: Log, place: TopicPartition, start: Mark, end: int, reader: Reader | None = None) -> Iterator[Record]:
    """The records of a partition from a mark up to the offset `end`, which is a committed one; none is missed.

    A reader that is given is used and stays open: making one costs a connection in Kafka. Its position says when all
    is read: the last offsets may hold no record, and a poll that gives nothing is no end. Raises LogUnavailable.
    """
    if start.offset >= end:
        return
    used = reader or log.reader()
    try:
        used.assign({place: start})
        while used.position(place) < end:
            for record in used.poll(_WAIT_SECONDS):
                if record.offset >= end:
                    return
                yield record
    finally:
        if reader is None:
            used.close()


def ends(log: Log, places: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
    """The committed end of each of these partitions, asked by one reader. Raises LogUnavailable."""
    reader = log.reader()
    try:
        return {place: reader.end(place) for place in places}
    finally:
        reader.close()


def open_now(reader: Reader, places: Collection[TopicPartition]) -> list[Hold]:
    """Those of these partitions in which a transaction is open, by whomever. Raises LogUnavailable."""
    written = reader.written(places)
    found = [Hold(place, reader.end(place), end) for place, end in written.items()]
    return [hold for hold in found if hold.offset < hold.written]


def holds(log: Log, places: Collection[TopicPartition], seconds: float = HELD_SECONDS) -> list[Hold]:
    """Those of these partitions that a transaction holds back for so many seconds, which is waited for where one is
    open. Raises LogUnavailable."""
    reader = log.reader()
    try:
        found = open_now(reader, places)
        until = time.monotonic() + seconds
        while found and time.monotonic() < until:
            time.sleep(_AGAIN_SECONDS)
            still = {(hold.place, hold.offset) for hold in open_now(reader, [hold.place for hold in found])}
            found = [hold for hold in found if (hold.place, hold.offset) in still]
        return found
    finally:
        reader.close()


def standing(log: Log, places: Iterable[TopicPartition], last: int | None = None) -> Iterator[Record]:
    """The records that stand in these partitions now, read by one reader; in order within each partition.

    With `last` those at so many offsets before the end of each, not all of which need to be records. Raises
    LogUnavailable.
    """
    found = {place: end for place, end in ends(log, places).items() if end > 0}
    reader = log.reader()
    try:
        reader.assign({place: START if last is None else Mark(max(0, end - last), 0) for place, end in found.items()})
        while any(reader.position(place) < end for place, end in found.items()):
            for record in reader.poll(_WAIT_SECONDS):
                if record.offset < found[TopicPartition(record.topic, record.partition)]:
                    yield record
    finally:
        reader.close()
