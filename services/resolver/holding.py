"""Which partitions an open transaction holds back, seen by looking again and again.

A reader is given nothing from behind the beginning of the oldest open transaction of a partition, so its end alone says
that all is done. Our own are open for milliseconds; one that is still there at the next look stands still.
"""

from collections.abc import Mapping
from typing import NamedTuple

from shared.log import Mark, Reader, TopicPartition
from shared.log.reading import Hold


class Held(NamedTuple):
    """A partition that was found held back, and when that was seen first (UTC milliseconds)."""

    hold: Hold
    since: int


class Holding:
    """What was found at the last look. Written by one thread, read by others too."""

    def __init__(self) -> None:
        self._found: Mapping[TopicPartition, Held] = {}

    def look(self, reader: Reader, done: Mapping[TopicPartition, Mark], now: int) -> None:
        """Look at these partitions, of which all before the marks is done. Raises LogUnavailable."""
        found = {}
        for place, written in reader.written(done).items():
            if written <= done[place].offset or (end := reader.end(place)) >= written:
                continue
            before = self._found.get(place)
            since = now if before is None or before.hold.offset != end else before.since
            found[place] = Held(Hold(place, end, written), since)
        self._found = found

    def lasting(self, milliseconds: int, now: int) -> list[Held]:
        """Those that have been held back for so long."""
        return [held for held in self._found.values() if now - held.since >= milliseconds]
