"""Reading the journal back: every record of a partition's `turns` in a range, none skipped."""

from collections.abc import Iterator

from shared.events import Batch, Unreadable, unpack
from shared.log import TURNS, Log, Mark, TopicPartition

_WAIT_SECONDS = 1.0


class PartitionStopped(Exception):
    """The journal cannot be read or folded, or lost what it had; nothing is skipped, the partition must be mended."""


def batches(log: Log, partition: int, start: int, end: int) -> Iterator[tuple[int, Batch]]:
    """Offset and content of the records from offset `start` up to `end`, which is a committed end.

    Raises PartitionStopped and LogUnavailable.
    """
    if start >= end:
        return
    reader = log.reader()
    try:
        reader.assign({TopicPartition(TURNS, partition): Mark(start, 0)})
        while True:
            for record in reader.poll(_WAIT_SECONDS):
                if record.offset >= end:
                    return
                try:
                    batch = unpack(record.value)
                except Unreadable as error:
                    raise PartitionStopped(f"turns, partition {partition}, offset {record.offset}: {error}") from None
                yield record.offset, batch
                if record.offset + 1 >= end:
                    return
    finally:
        reader.close()
