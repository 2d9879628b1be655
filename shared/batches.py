"""What a record of turns or chronicle holds, told with the place at which it stands where that cannot be read."""

from typing import NamedTuple

from shared.events import Batch, Unreadable, unpack
from shared.log import Record


class At(NamedTuple):
    """Where one record stands."""

    topic: str
    partition: int
    offset: int

    def __str__(self) -> str:
        return f"{self.topic}, partition {self.partition}, offset {self.offset}"


def at(record: Record) -> At:
    """Where a record stands."""
    return At(record.topic, record.partition, record.offset)


def batch_of(record: Record) -> Batch:
    """The content of a record. Raises Unreadable, which names the record."""
    try:
        return unpack(record.value)
    except Unreadable as error:
        raise Unreadable(f"{at(record)}: {error}") from None
