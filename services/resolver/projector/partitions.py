"""One generation of views being kept: its reader of the journal, and the partitions that cannot go on."""

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import structlog

from services.resolver.projector.folding import Fold, whole_units
from services.resolver.projector.reporting import report
from shared.collection import paused
from shared.documents import Documents, DocumentsUnavailable
from shared.log import START, TURNS, Log, LogDamaged, LogUnavailable, Mark, Record, TopicPartition
from shared.metrics import VIEW_WRITES
from shared.views.writer import ViewWriter

POLL_RECORDS = 100
BATCH_RECORDS = 2_000
BATCH_BYTES = 16_000_000
"""A batch ends with the poll that passes one of the two: what is folded at once is held in memory."""
FILL_SECONDS = 0.3
"""A batch of a generation that is not shown yet takes about so long: the live views wait for it."""
LOOK_SECONDS = 5.0
"""So often it is looked whether the checkpoints are where they were left."""

_logger = structlog.get_logger()


class Keeper:
    """Keeps the views of one generation up to the journal, for the partitions that it is given."""

    def __init__(self, log: Log, documents: Documents, generation: int, group: str | None = None) -> None:
        self.generation = generation
        self.stopped: dict[int, str] = {}
        """Partitions that cannot go on, with the reason."""
        self.astray = False
        """Whether checkpoints were found elsewhere than they were left, and nobody has seen to it."""
        self.ahead: Mapping[int, Keeper] = {}
        """By partition: the keeper of a generation that gets every batch before this one does."""
        self.done: dict[TopicPartition, Mark] = {}
        """What comes next in each partition that is kept."""
        self._live = group is not None
        self._reader = log.reader(group)
        self._writer = ViewWriter(documents, _count)
        self._partitions: frozenset[int] = frozenset()
        self._fresh = False
        self._batch_records = BATCH_RECORDS if self._live else POLL_RECORDS
        self._looked = time.monotonic()

    def keep(self, partitions: Iterable[int]) -> None:
        """Keep these partitions from their checkpoints on. What stopped here may go on where it is given to next."""
        wanted = frozenset(partitions)
        if wanted != self._partitions or not self._fresh or self._strayed():
            self._partitions = wanted
            self.stopped = {place: reason for place, reason in self.stopped.items() if place in wanted}
            self._assign()

    def step(self, timeout: float) -> int:
        """Fold what is there, waiting at most `timeout` seconds for something; returns the number of records.

        Raises LogUnavailable or DocumentsUnavailable; the next `keep` goes on from the checkpoints.
        """
        try:
            records = self._gather(timeout)
            records.sort(key=_partition)
            began = time.monotonic()
            for partition, group in groupby(records, _partition):
                self._project(partition, list(group))
            if records and not self._live:
                self._batch_records = _batch_after(len(records), time.monotonic() - began)
        except LogDamaged as error:
            self._fresh = False
            self.stopped.update({place.partition: str(error) for place in error.places})
            _logger.error("partitions stopped", reason=str(error))
            return 0
        except Exception:
            self._fresh = False
            raise
        return len(records)

    def offsets(self, partitions: Iterable[int]) -> dict[int, int]:
        """The next journal offset of each partition."""
        return {partition: mark.offset for partition, mark in self._marks(partitions).items()}

    def close(self) -> None:
        """Stop reading."""
        self._reader.close()

    def _strayed(self) -> bool:
        """Whether the stored checkpoints are not where they were left; looked at now and then, as long as nothing is
        written nothing else tells."""
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return False
        self._looked = time.monotonic()
        marks = self._marks(self._partitions)
        self.astray |= any(mark.offset != self._left(partition) for partition, mark in marks.items())
        return self.astray

    def _left(self, partition: int) -> int:
        return self.done[TopicPartition(TURNS, partition)].offset

    def _assign(self) -> None:
        going = self._partitions - self.stopped.keys()
        marks = {TopicPartition(TURNS, partition): mark for partition, mark in self._marks(self._partitions).items()}
        self.done = marks
        self._reader.assign({place: mark for place, mark in marks.items() if place.partition in going})
        self._fresh = True

    def _marks(self, partitions: Iterable[int]) -> dict[int, Mark]:
        wanted = list(partitions)
        found = self._writer.checkpoints(self.generation, wanted)
        return {
            partition: Mark(found[partition]["offset"], found[partition]["at"]) if partition in found else START
            for partition in wanted
        }

    def _gather(self, timeout: float) -> list[Record]:
        most = self._batch_records
        gathered = list(self._reader.poll(timeout, min(POLL_RECORDS, most)))
        size = sum(len(record.value) for record in gathered)
        polled = gathered
        while polled and len(gathered) < most and size < BATCH_BYTES:
            polled = self._reader.poll(0, min(POLL_RECORDS, most - len(gathered)))
            size += sum(len(record.value) for record in polled)
            gathered += polled
        return gathered

    def _take(self, partition: int, records: Sequence[Record]) -> None:
        """Fold records that another keeper has read, as far as they are new here."""
        if partition not in self.stopped:
            mark = self.done[TopicPartition(TURNS, partition)] = self._marks([partition])[partition]
            if fresh := [record for record in records if record.offset >= mark.offset]:
                self._project(partition, fresh)

    def _project(self, partition: int, records: Sequence[Record]) -> None:
        """Fold and write the records of one partition; one that cannot be read stops it (design, Exactly once)."""
        try:
            for unit in whole_units(records):
                checkpoint = self._writer.checkpoint(self.generation, partition)
                if (0 if checkpoint is None else checkpoint["offset"]) != self._left(partition):
                    # Another process goes on with this partition: this one was taken for dead, and is not yet told. Or
                    # the store was gone for a moment, and has lost what it had not flushed.
                    self._fresh, self.astray = False, True
                    return
                if (ahead := self.ahead.get(partition)) is not None:
                    ahead._take(partition, unit)
                fold = Fold(self.generation, partition, checkpoint)
                # Hundreds of thousands of values that stay until they are written, and no cycles. They are gone when
                # collections begin again, so that none looks through them.
                with paused():
                    self._keep_up(fold, unit)
        except (LogUnavailable, DocumentsUnavailable):
            raise
        except Exception as error:
            first, last = records[0].offset, records[-1].offset
            self.stopped[partition] = f"partition {partition}, offsets {first} to {last}: {error!r}"
            self._fresh = False
            _logger.error("partition stopped", partition=partition, first=first, last=last, exc_info=error)

    def _keep_up(self, fold: Fold, records: Sequence[Record]) -> None:
        """Fold records and write what they change, and say so."""
        changes = fold.changes(records, lambda games: self._writer.heads(self.generation, games))
        began = time.perf_counter()
        self._writer.write(changes)
        seconds = time.perf_counter() - began
        self.done[TopicPartition(TURNS, changes.partition)] = Mark(changes.offset, changes.at)
        report(changes, len(records), seconds, live=self._live)


def _batch_after(records: int, seconds: float) -> int:
    """How many records to fold next, when so many have taken these seconds."""
    fitting = int(records * FILL_SECONDS / seconds) if seconds > 0 else BATCH_RECORDS
    return max(1, min(fitting, 2 * records, BATCH_RECORDS))


def _partition(record: Record) -> int:
    return record.partition


def _count(collection: str, count: int) -> None:
    VIEW_WRITES.labels(collection).inc(count)
