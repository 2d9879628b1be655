"""The loop of the resolver: all partitions of this process in one thread, and what the probes are told of it."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import structlog

from services.resolver.gauges import set_gauges
from services.resolver.journal import PartitionStopped
from services.resolver.lagging import LagMeter
from services.resolver.reading import InputReading
from services.resolver.sequencer import Sequencer, Services
from services.resolver.takeover import take_over
from services.resolver.ticking import Ticks
from services.resolver.timing import Pause
from services.resolver.troubles import Troubles
from shared import collection
from shared.belonging import OtherLog
from shared.documents import DocumentsUnavailable
from shared.log import (
    CommitUnknown,
    Fenced,
    LogDamaged,
    LogUnavailable,
    Mark,
    Membership,
    Reader,
    Record,
    TopicPartition,
)
from shared.metrics import DOCUMENTS_FAILED, LOG_FAILED, PARTITIONS_LOST, TAKEOVERS

GROUP = "resolver"
STUCK_SECONDS = 300
"""A round longer than this is no round any more."""
TAKING_OVER_SECONDS = 0.5
"""Partitions are taken over for so long in a round; then those that run have their turn."""
NAP_SECONDS = 0.1
"""Wait of a process that has no partition, before it looks whether it was given one."""
_EXPECTED = (CommitUnknown, LogUnavailable, DocumentsUnavailable)
_logger: Any = structlog.get_logger()


class Resolver:
    """Owns the partitions that the group gives to this process, and keeps each of them going."""

    def __init__(self, services: Services, member: str) -> None:
        """`member` names this process among those that share the partitions."""
        self._services = services
        self._member = member
        self._membership: Membership | None = None
        self._inputs = InputReading(services.log, GROUP, services.pace)
        self._ticks = Ticks(services.log)
        self._scout: Reader | None = None
        """Reads what a takeover needs."""
        self._running: dict[int, Sequencer] = {}
        self._pauses: dict[int, Pause] = {}
        self._claimed = False
        """Whether the snapshots are known to be those of this log."""
        self._held = Pause(services.pace.held_ms)
        self._unanswered: str | None = None
        """What the log said in place of an answer when it was last asked who holds a partition."""
        self._troubles = Troubles("starting")
        self._apart: str | None = None
        """Why the group gives this process nothing."""
        self._behind = False
        """Whether partitions wait to be taken over in the next round."""
        self._stopped: set[int] = set()
        self._grown = False
        """Whether partitions were taken over that the garbage collector does not know yet."""
        self._last_round = time.monotonic()
        self._meter: LagMeter | None = None
        self.progress: Mapping[TopicPartition, Mark] = {}
        """What is done of each input topic's partition, replaced by every round; for other threads to read."""

    def run(self, stop: threading.Event) -> None:
        """Round after round until `stop` is set; then a last snapshot, and everything is given up."""
        meter = self._meter = LagMeter(GROUP, self._services.log, lambda: self.progress, self._services.clock)
        while not stop.is_set():
            done = self.round()
            if self._grown:
                self._grown = False
                collection.settle()
            if not done:
                stop.wait(self._services.pace.retry_ms / 1000)
        meter.close()
        self.close()

    def round(self, timeout: float | None = None) -> bool:
        """Read what is there, waiting at most `timeout` seconds (None: as long as nothing is to do), and advance.

        False if the log is away, or the documents belong to another one.
        """
        try:
            self._claim()
            self._follow()
            self._read(timeout)
        except LogDamaged as error:
            for place in error.places:
                self._stopped.add(place.partition)
                self._lose(place.partition, f"stopped: {error}")
        except LogUnavailable as error:
            LOG_FAILED.inc()
            self._troubles.note(None, str(error) or "the log is away")
        except (OtherLog, DocumentsUnavailable) as error:
            if isinstance(error, DocumentsUnavailable):
                DOCUMENTS_FAILED.inc()
            self._troubles.note(None, str(error) or "the documents are away")
        else:
            self._troubles.over(None)
        for partition in list(self._running):
            self._guard(partition, self._advance)
        self._ticks.send()
        for partition in list(self._running):  # at a deadline of many games the last close would wait for them all
            self._guard(partition, self._snapshot)
        if self._held.left(self._now()) == 0:
            self._check_all_held()
            self._held.begin(self._now())
        set_gauges(GROUP, self._running.values(), self._now())
        self.progress = {place: mark for item in self._running.values() for place, mark in item.done().items()}
        self._last_round = time.monotonic()
        return None not in self._troubles.places()

    def close(self) -> None:
        """Store what changed, give up every partition and stop reading."""
        for partition in list(self._running):
            self._guard(partition, self._give_up)
        with ExitStack() as parts:  # each is closed, whatever becomes of the others
            for part in (self._membership, self._scout, self._inputs):
                if part is not None:
                    parts.callback(part.close)
        self._scout = self._membership = None

    def live_fault(self) -> str | None:
        """Why this process should be restarted."""
        silent = time.monotonic() - self._last_round
        return f"no round for {silent:.0f} seconds" if silent > STUCK_SECONDS else None

    def ready_fault(self) -> str | None:
        """Why some inputs are not judged now."""
        more = [reason for reason in (self._unanswered, self._apart) if reason is not None]
        held = [] if self._meter is None else self._meter.faults()
        return "; ".join([*self._troubles.said(), *more, *held]) or None

    def remarks(self) -> list[str]:
        """The games that stand still, while all others are judged; and whether the lag cannot be measured."""
        names = sorted(name for sequencer in list(self._running.values()) for name in sequencer.games.set_aside())
        said = [
            f"game {name} is quarantined; `warledger game release {name}` when its cause is mended" for name in names
        ]
        return [*said, *(() if self._meter is None else self._meter.remarks())]

    def _now(self) -> int:
        return self._services.clock.now()

    def _claim(self) -> None:
        """Before anything is taken over: from another log's snapshots games would go on that this one never had.

        A process that may not work takes no part in the group either, where it would get partitions.
        """
        if not self._claimed:
            self._services.snapshots.claim(self._services.log)
            self._claimed = True

    def _follow(self) -> None:
        """Give up what the group took away, take over what it gave."""
        if self._membership is None:
            self._membership = self._services.log.membership(GROUP, self._member)
        wanted = self._membership.partitions()
        self._apart = self._membership.fault()
        for partition in {*self._running, *self._troubles.places(), *self._pauses} - {None, *wanted}:
            assert partition is not None
            self._drop(partition)
            self._troubles.over(partition)
            self._pauses.pop(partition, None)
        self._stopped &= wanted
        self._take_over_some(self._membership, sorted(wanted - self._running.keys() - self._stopped))

    def _take_over_some(self, membership: Membership, partitions: Sequence[int]) -> None:
        """Take over as many as fit into a round; a takeover lasts, and meanwhile nothing else is judged."""
        until = time.monotonic() + TAKING_OVER_SECONDS
        self._behind = False
        for partition in partitions:
            self._troubles.begin(partition, "not taken over yet")
        for partition in partitions:
            pause = self._pauses.get(partition)
            if pause is not None and pause.left(self._now()) > 0:
                continue
            if self._running and time.monotonic() > until:
                self._behind = True
            elif partition in membership.partitions():
                self._guard(partition, self._take_over)

    def _take_over(self, partition: int) -> None:
        services = self._services
        reader, self._scout = self._scout or services.log.reader(), None
        try:
            taken = take_over(services.log, services.snapshots, partition, self._member, services.pace.credit, reader)
        except BaseException:
            reader.close()
            raise
        self._scout = reader
        self._running[partition] = Sequencer(partition, taken, services, self._ticks)
        self._grown = True
        self._inputs.changed()
        self._troubles.over(partition)
        TAKEOVERS.inc()

    def _advance(self, partition: int) -> None:
        self._running[partition].advance(self._now())

    def _snapshot(self, partition: int) -> None:
        self._running[partition].snapshot(self._now())

    def _check_all_held(self) -> None:
        """Drop what somebody else took over: with nothing to commit here, no commit would tell.

        A log that does not answer is asked again soon, not once for each partition; what is committed meanwhile is
        fenced anyway.
        """
        silence: str | None = None

        def ask(partition: int) -> None:
            nonlocal silence
            try:
                held = self._running[partition].held()
            except LogUnavailable as error:
                LOG_FAILED.inc()
                silence = str(error) or "the log is away"
                return
            if not held:
                raise Fenced("another owner has taken the partition")

        for partition in list(self._running):
            if silence is None:
                self._guard(partition, ask)
        self._unanswered = silence

    def _guard(self, partition: int, work: Callable[[int], None]) -> None:
        """Work on a partition; if that fails its state is dropped, the others go on."""
        try:
            work(partition)
        except PartitionStopped as error:
            self._stopped.add(partition)
            self._lose(partition, f"stopped: {error}")
        except Fenced as error:  # no failure: in a rebalance the next owner may come before the group's word
            _logger.info("another owner has the partition", partition=partition)
            self._drop(partition)
            self._troubles.begin(partition, f"Fenced: {error}")
            self._rest(partition)
        except _EXPECTED as error:
            (DOCUMENTS_FAILED if isinstance(error, DocumentsUnavailable) else LOG_FAILED).inc()
            self._lose(partition, f"{type(error).__name__}: {error}")
        except Exception as error:
            _logger.exception("partition failed", partition=partition)
            self._lose(partition, f"failed: {type(error).__name__}: {error}")

    def _give_up(self, partition: int) -> None:
        self._running[partition].snapshot(self._now(), at_once=True)
        self._drop(partition)

    def _lose(self, partition: int, reason: str) -> None:
        PARTITIONS_LOST.inc()
        self._drop(partition)
        self._troubles.note(partition, reason)
        self._rest(partition)

    def _rest(self, partition: int) -> None:
        """It is not taken over again at once."""
        pause = self._pauses.setdefault(partition, Pause(self._services.pace.retry_ms))
        pause.begin(self._now())

    def _drop(self, partition: int) -> None:
        sequencer = self._running.pop(partition, None)
        if sequencer is not None:
            sequencer.release()
            self._inputs.changed()

    def _read(self, timeout: float | None) -> None:
        if not self._running:
            time.sleep(NAP_SECONDS if timeout is None else min(timeout, NAP_SECONDS))
            return
        records = self._inputs.read(self._running.values(), self._now(), 0 if self._behind else timeout)
        now = self._now()
        for record in records:
            self._guard(record.partition, partial(self._receive, record, now))

    def _receive(self, record: Record, now: int, partition: int) -> None:
        """Hand a record to its partition. One that cannot be taken in would be met again after every takeover."""
        owner = self._running.get(partition)
        if owner is None:
            return  # lost at a record before this one; another takeover reads it again
        try:
            owner.receive(record, now)
        except Exception as error:
            place = f"{record.topic}, partition {partition}, offset {record.offset}"
            _logger.exception("record not taken in", topic=record.topic, partition=partition, offset=record.offset)
            raise PartitionStopped(f"{place}: {type(error).__name__}: {error}") from error
