"""The loop of the projector: keeps the live generation, and beside it fills one that was asked for (rebuild)."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

import structlog

from services.resolver.lagging import Behind, LagMeter
from services.resolver.projector.partitions import Keeper
from services.resolver.projector.rebuild import Rebuild
from services.resolver.projector.sweeping import Sweeper
from shared.belonging import OtherLog, claim
from shared.clock import SystemClock
from shared.documents import Documents, DocumentsUnavailable
from shared.log import Log, LogUnavailable, Mark, Membership, TopicPartition
from shared.metrics import DOCUMENTS_FAILED, LOG_FAILED, PARTITIONS_OWNED
from shared.views import generations, ids
from shared.views.freshness import note_freshness

GROUP = "projector"
POLL_SECONDS = 0.5
REST_SECONDS = 0.5
NAP_SECONDS = 0.1
"""Wait of a process that has no partition, before it looks whether it was given one."""
SWEEPING_PARTITION = 0
"""Whoever keeps it removes old generations."""
STUCK_SECONDS = 300
"""A round longer than this is no round any more."""

_logger = structlog.get_logger()


class Projector:
    """Keeps the views of the partitions of this process."""

    def __init__(
        self, log: Log, documents: Documents, member: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`member` names this process among those that share the partitions; `clock` counts seconds."""
        self._log = log
        self._documents = documents
        self._member = member
        self._clock = clock
        self._membership: Membership | None = None
        self._live: Keeper | None = None
        self._rebuild: Rebuild | None = None
        self._claimed = False
        """Whether the views are known to be those of this log."""
        self._sweeper = Sweeper(documents)
        self._away: str | None = "starting"
        self._apart: str | None = None
        """Why the group gives this process nothing."""
        self._meter: LagMeter | None = None
        self._last_round = clock()

    def run(self, stop: threading.Event) -> None:
        """Round after round until `stop` is set; what was begun is finished."""
        meter = self._meter = LagMeter(GROUP, self._log, self.progress, SystemClock(), self._tell)
        self._sweeper.start()
        while not stop.is_set():
            if not self.round(POLL_SECONDS):
                stop.wait(REST_SECONDS)
        meter.close()
        self.close()

    def round(self, timeout: float) -> bool:
        """Fold what is there, waiting at most `timeout` seconds for something. False if log or documents are away.

        It is False, and nothing is written, as long as the documents belong to another log.
        """
        try:
            self._round(timeout)
        except (LogUnavailable, DocumentsUnavailable) as error:
            (DOCUMENTS_FAILED if isinstance(error, DocumentsUnavailable) else LOG_FAILED).inc()
            if self._away is None:
                _logger.warning("storage unavailable", reason=str(error))
            self._away = str(error) or type(error).__name__
        except OtherLog as error:
            if self._away != str(error):
                _logger.warning("views of another log", reason=str(error))
            self._away = str(error)
        else:
            self._away = None
        self._last_round = self._clock()
        return self._away is None

    def _round(self, timeout: float) -> None:
        if not self._claimed:
            claim(self._log, self._documents, "views")
            if (wanted := generations.renew(self._documents)) is not None:
                _logger.warning("the views have an older form and are made anew", generation=wanted)
            self._claimed = True
        if self._membership is None:
            self._membership = self._log.membership(GROUP, self._member, fenced=False)
        partitions = self._membership.partitions()
        PARTITIONS_OWNED.labels(GROUP).set(len(partitions))
        self._apart = self._membership.fault()
        self._sweeper.chosen = SWEEPING_PARTITION in partitions
        active, wanted = generations.both(self._documents)
        live = self._keeper(active)
        live.keep(partitions)
        if live.astray:
            claim(self._log, self._documents, "views")  # they may have been emptied
            live.astray = False
        rebuild = self._wanted(live, wanted)
        if rebuild is not None:
            rebuild.lead(partitions, live)
        busy = rebuild is not None and not rebuild.waits(partitions)
        if partitions:
            live.step(0 if busy else timeout)
        elif not busy:
            time.sleep(min(timeout, NAP_SECONDS))
        if rebuild is not None and rebuild.step(partitions, live):
            _logger.info("rebuild done", generation=rebuild.generation)

    def _wanted(self, live: Keeper, wanted: int | None) -> Rebuild | None:
        """The rebuild that was asked for, if any."""
        if wanted != live.generation + 1:
            return None  # nothing is wanted, or another one is live already: seen in the next round
        if self._rebuild is None:
            self._rebuild = Rebuild(self._log, self._documents, wanted)
            _logger.info("rebuild begins", generation=wanted)
        return self._rebuild

    def _keeper(self, active: int) -> Keeper:
        """The keeper of the generation that readers see; after a flip it is another one, and the old one goes."""
        if self._live is None or self._live.generation != active:
            # At the start what a process before this one has left; later all that was live here since.
            oldest = max(ids.FIRST_GENERATION, active - 1) if self._live is None else self._live.generation
            self._sweeper.add(range(oldest, active))
            self._drop()
            self._live = Keeper(self._log, self._documents, active, GROUP)
        return self._live

    def sweep(self) -> bool:
        """Remove a slice of an old generation, as `run` does now and then; False if nothing is to be done here."""
        return self._sweeper.step()

    def progress(self) -> Mapping[TopicPartition, Mark]:
        """What comes next in each partition of the journal that is kept here; for other threads to read."""
        live = self._live
        return {} if live is None else dict(live.done)

    def _tell(self, behind: Mapping[int, Behind], now: int) -> None:
        """Say up to when the views are complete, as of `now`, so that readers hear of it when they are not."""
        with suppress(DocumentsUnavailable):  # whoever reads hears of that too
            note_freshness(self._documents, {place: now - int(lag.seconds * 1000) for place, lag in behind.items()})

    def live_fault(self) -> str | None:
        """Why this process should be restarted."""
        silent = self._clock() - self._last_round
        return f"no round for {silent:.0f} seconds" if silent > STUCK_SECONDS else None

    def ready_fault(self) -> str | None:
        """Why the views are not kept up to the journal."""
        if self._away is not None or self._apart is not None:
            return self._away or self._apart
        live, rebuild = self._live, self._rebuild
        faults = [] if live is None else list(live.stopped.values())
        if rebuild is not None:
            faults += [f"rebuild of generation {rebuild.generation}: {fault}" for fault in rebuild.stopped.values()]
        if self._meter is not None:
            faults += self._meter.faults()
        return "; ".join(faults) or None

    def remarks(self) -> list[str]:
        """Why it is not known how far the views are behind, if so: the age that readers are told grows meanwhile."""
        return [] if self._meter is None else self._meter.remarks()

    def close(self) -> None:
        """Give up the partitions and stop reading."""
        self._sweeper.close()
        self._drop()
        if self._membership is not None:
            self._membership.close()
            self._membership = None

    def _drop(self) -> None:
        for part in (self._live, self._rebuild):
            if part is not None:
                part.close()
        self._live = self._rebuild = None
