"""Reading the input topics of all partitions that run in this process, by one reader."""

from collections.abc import Collection, Sequence

from services.resolver.sequencer import Sequencer
from services.resolver.settings import Pace
from shared.log import Log, Reader, Record, TopicPartition


class InputReading:
    """One reader, told anew what to read where the sequencers ask for something else. Used by one thread."""

    def __init__(self, log: Log, group: str, pace: Pace) -> None:
        self._log = log
        self._group = group
        self._pace = pace
        self._reader: Reader | None = None
        self._assigned: frozenset[TopicPartition] | None = None
        """What the reader reads; None when it must be told anew."""

    def read(self, running: Collection[Sequencer], now: int, timeout: float | None) -> Sequence[Record]:
        """The next records, waiting at most `timeout` seconds (None: as long as no sequencer has anything to do)."""
        wait = self._pace.idle_ms
        positions = {}
        for sequencer in running:
            positions.update(sequencer.positions())
            wait = min(wait, sequencer.wait_ms(now))
        if self._reader is None:
            self._reader = self._log.reader(self._group)
        if positions.keys() != self._assigned:
            self._reader.assign(positions)
            self._assigned = frozenset(positions)
        return self._reader.poll(wait / 1000 if timeout is None else timeout, self._pace.poll_records)

    def changed(self) -> None:
        """Other sequencers run from now on, or from other marks."""
        self._assigned = None

    def close(self) -> None:
        """Stop reading."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
