"""Reading a stretch of one partition to its end, however its offsets lie."""

from collections.abc import Iterator

from shared.log import Log, Mark, Record, TopicPartition

_WAIT_SECONDS = 1.0


def stretch(log: Log, place: TopicPartition, start: Mark, end: int) -> Iterator[Record]:
    """The records of a partition from a mark up to the offset `end`, which is a committed one; none is missed.

    The reader's position says when it is done: the last offsets may hold no record, and a poll that gives nothing is
    no end. Raises LogUnavailable.
    """
    if start.offset >= end:
        return
    reader = log.reader()
    try:
        reader.assign({place: start})
        while reader.position(place) < end:
            for record in reader.poll(_WAIT_SECONDS):
                if record.offset >= end:
                    return
                yield record
    finally:
        reader.close()
