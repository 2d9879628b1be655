"""How far a process is behind the log: offsets and seconds of each partition, measured by a thread of its own.

The thread has a reader of its own, so that judging and projecting never wait for it.
"""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import structlog

from services.resolver.holding import Held, Holding
from shared.clock import Clock
from shared.log import Log, LogUnavailable, Mark, Reader, TopicPartition
from shared.metrics import LOG_FAILED, RECORDS_BEHIND, SECONDS_BEHIND

Progress = Callable[[], Mapping[TopicPartition, Mark]]
"""What is done of each partition that this process works on: the mark of what comes next."""

EVERY_SECONDS = 5.0
_LOOKED_AT = 10
"""So few offsets behind, it is looked whether a record stands there: markers of transactions are no work."""
_NEAR_MS = 5_000
"""Where many offsets are left, and the last record that was done is younger, the next one is not looked for."""
_LOOK_SECONDS = 1.0
_HELD_MS = 4_000
"""A transaction that was open at the last look already, and is still, holds back what stands behind its beginning."""
_UNREADY_MS = 10_000
"""One that lasts so long needs somebody to end it; that of a resolver that died ends at the takeover, before that."""
_logger = structlog.get_logger()


class Behind(NamedTuple):
    """Offsets between what is done and the committed end, and the age of the oldest record among them."""

    records: int
    seconds: float


Told = Callable[[Mapping[int, Behind], int], None]
"""Called with what was measured, and when that began (UTC milliseconds)."""


def measure(reader: Reader, done: Mapping[TopicPartition, Mark], now: int) -> dict[int, Behind]:
    """How far each partition is behind, over all of its topics; `now` in UTC milliseconds. Raises LogUnavailable.

    The age is that of the first record that is not done. Where many offsets are left, and that record is not heard of
    in time, it is that of the last record that was done, which is no younger. Offsets that hold no record count for
    nothing where they are all that is left. A partition with few left, of which too little was heard in time, is left
    out.
    """
    left = {place: count for place, mark in done.items() if (count := reader.end(place) - mark.offset) > 0}
    bounds = {place: done[place].at for place, count in left.items() if count > _LOOKED_AT}
    near = {place for place, at in bounds.items() if now - at <= _NEAR_MS}
    first, unknown = _first_times(reader, {place: done[place] for place in left if place not in near}, left)
    oldest = {place: bounds[place] for place in near | (unknown & bounds.keys())} | first
    unclear = {place.partition for place in unknown - bounds.keys()}
    behind = {place.partition: Behind(0, 0.0) for place in done if place.partition not in unclear}
    for place, at in oldest.items():
        if place.partition in unclear:
            continue
        records, seconds = behind[place.partition]
        behind[place.partition] = Behind(records + left[place], max(seconds, (now - at) / 1000, 0.0))
    return behind


def _first_times(
    reader: Reader, places: Mapping[TopicPartition, Mark], left: Mapping[TopicPartition, int]
) -> tuple[dict[TopicPartition, int], set[TopicPartition]]:
    """Time of the next record of each place, without those that hold none before their end; and the places of which
    neither was heard in time."""
    found: dict[TopicPartition, int] = {}
    if not places:
        return found, set()
    reader.assign(places)
    end = time.monotonic() + _LOOK_SECONDS
    waiting = set(places)
    while waiting and time.monotonic() < end:
        for record in reader.poll(0.1, len(places)):  # one of each place that has some
            found.setdefault(TopicPartition(record.topic, record.partition), record.at)
        waiting -= found.keys()
        waiting -= {place for place in waiting if reader.position(place) >= places[place].offset + left[place]}
    return found, waiting


def with_held(behind: Mapping[int, Behind], held: Iterable[Held], now: int) -> dict[int, Behind]:
    """What a reader is not given yet counts, too; its age is that of the open transaction, as far as that was seen."""
    found = dict(behind)
    for (place, offset, written), since in held:
        if place.partition in found:
            records, seconds = found[place.partition]
            found[place.partition] = Behind(records + written - offset, max(seconds, (now - since) / 1000))
    return found


class LagMeter:
    """Keeps the two gauges of a service until it is closed, and tells what it measures."""

    def __init__(
        self, service: str, log: Log, progress: Progress, clock: Clock, told: Told = lambda _behind, _now: None
    ) -> None:
        self._service = service
        self._told = told
        self._log = log
        self._progress = progress
        self._clock = clock
        self._stopping = threading.Event()
        self._holding = Holding()
        self._shown: set[int] = set()
        self._away = ""
        self._thread = threading.Thread(target=self._run, name="lag", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop measuring."""
        self._stopping.set()
        self._thread.join(_LOOK_SECONDS)

    def remarks(self) -> list[str]:
        """Why nothing is known now, for operators: a broker that is silent while others answer is noticed here first,
        for each partition's end is asked of its own."""
        return [f"how far behind is not known: {self._away}"] if self._away else []

    def faults(self) -> list[str]:
        """Which partitions an open transaction holds back, so that what stands in them is not read."""
        return [str(held.hold) for held in self._holding.lasting(_UNREADY_MS, self._clock.now())]

    def _run(self) -> None:
        reader = self._log.reader()
        while not self._stopping.wait(EVERY_SECONDS):
            try:
                now = self._clock.now()
                done = self._progress()
                self._holding.look(reader, done, now)
                behind = with_held(measure(reader, done, now), self._holding.lasting(_HELD_MS, now), now)
                self._show(behind)
                self._told(behind, now)
                self._away = ""
            except LogUnavailable as error:
                LOG_FAILED.inc()
                if not self._away:
                    _logger.warning("lag not measured", reason=str(error))
                self._away = str(error) or "the log is away"
            except Exception as error:
                _logger.error("lag not measured", exc_info=error)
        reader.close()

    def _show(self, behind: Mapping[int, Behind]) -> None:
        for partition, (records, seconds) in behind.items():
            RECORDS_BEHIND.labels(self._service, str(partition)).set(records)
            SECONDS_BEHIND.labels(self._service, str(partition)).set(round(seconds, 3))
        self._forget(self._shown - behind.keys())
        self._shown = set(behind)

    def _forget(self, partitions: Iterable[int]) -> None:
        """Another process shows what is given to it."""
        for partition in partitions:
            RECORDS_BEHIND.remove(self._service, str(partition))
            SECONDS_BEHIND.remove(self._service, str(partition))
