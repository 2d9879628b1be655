"""Reading a stretch of one partition to its end, however its offsets lie; ends and last records of several."""

from collections.abc import Iterable, Iterator

from shared.log import Log, Mark, Reader, Record, TopicPartition

_WAIT_SECONDS = 1.0


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


def tails(log: Log, places: Iterable[TopicPartition], count: int) -> Iterator[Record]:
    """The records at the last `count` offsets of each of these partitions, read by one reader; not all are records.

    Raises LogUnavailable.
    """
    found = {place: end for place, end in ends(log, places).items() if end > 0}
    reader = log.reader()
    try:
        reader.assign({place: Mark(max(0, end - count), 0) for place, end in found.items()})
        while any(reader.position(place) < end for place, end in found.items()):
            for record in reader.poll(_WAIT_SECONDS):
                if record.offset < found[TopicPartition(record.topic, record.partition)]:
                    yield record
    finally:
        reader.close()
