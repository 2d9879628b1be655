"""Reading the journal back: every record of a partition's `turns` in a range, none skipped."""

from collections.abc import Collection, Iterator

from shared.batches import At, at, batch_of
from shared.events import Batch, Unreadable
from shared.log import TURNS, Log, Mark, Reader, Record, TopicPartition, partition_of
from shared.log.reading import stretch


class PartitionStopped(Exception):
    """The journal cannot be read or folded, or lost what it had; nothing is skipped, the partition must be mended."""


def batches(
    log: Log, partition: int, start: int, end: int, reader: Reader | None = None
) -> Iterator[tuple[int, Batch]]:
    """Offset and content of the records from offset `start` up to `end`, which is a committed end.

    A reader that is given is used and stays open. Raises PartitionStopped and LogUnavailable.
    """
    for record in stretch(log, TopicPartition(TURNS, partition), Mark(start, 0), end, reader):
        yield record.offset, _content(record)


def batches_of(log: Log, game: str, start: int, end: int, skipped: Collection[At]) -> Iterator[tuple[int, Batch]]:
    """As `batches`, of one game: what stands under another key, or is to be skipped, need not be readable."""
    for record in stretch(log, TopicPartition(TURNS, partition_of(game)), Mark(start, 0), end):
        if record.key == game and at(record) not in skipped:
            yield record.offset, _content(record)


def _content(record: Record) -> Batch:
    try:
        return batch_of(record)
    except Unreadable as error:
        raise PartitionStopped(str(error)) from None
