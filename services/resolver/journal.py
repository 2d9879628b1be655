"""Reading the journal back: every record of a partition's `turns` in a range, none skipped."""

from collections.abc import Iterator

from shared.events import Batch, Unreadable, unpack
from shared.log import TURNS, Log, Mark, Reader, TopicPartition
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
        try:
            batch = unpack(record.value)
        except Unreadable as error:
            raise PartitionStopped(f"turns, partition {partition}, offset {record.offset}: {error}") from None
        yield record.offset, batch
