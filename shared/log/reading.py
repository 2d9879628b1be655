"""Reading a stretch of one partition to its end, however its offsets lie; and several of them by one reader."""

from collections.abc import Iterable, Iterator

from shared.log import START, Log, Mark, Reader, Record, TopicPartition

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
