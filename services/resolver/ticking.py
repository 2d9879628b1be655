"""Ticks: how the sequencer asks the log for the time (design, Time)."""

from collections.abc import Iterable

import structlog

from services.resolver.settings import Pace
from services.resolver.timing import Pause
from shared.faults import point
from shared.log import Log, LogUnavailable, TopicPartition
from shared.metrics import LOG_FAILED

_logger = structlog.get_logger()
ORDERS = "orders"


class Ticks:
    """The ticks that the partitions of a process ask for, appended together at the end of a round: one after the other
    they took 0.15 seconds of a deadline of games in all partitions, a wait for the disk each."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._asked: list[TopicPartition] = []

    def ask(self, partition: int, topics: Iterable[str]) -> None:
        """Append a tick to the partition of each topic when they are sent."""
        self._asked += [TopicPartition(topic, partition) for topic in topics]

    def send(self) -> None:
        """Append what was asked for. What a log that is away does not take is asked for again."""
        if not self._asked:
            return
        asked, self._asked = self._asked, []
        try:
            self._log.tick(asked)
        except LogUnavailable as error:
            LOG_FAILED.inc()
            _logger.warning("no tick", partitions=sorted({place.partition for place in asked}), reason=str(error))
        point("resolver.after_tick")


class Ticker:
    """Asks for ticks of one partition: at a deadline until the log has passed it, and before one to measure outages."""

    def __init__(self, ticks: Ticks, partition: int, pace: Pace) -> None:
        self._ticks = ticks
        self._partition = partition
        self._window = pace.credit.window_ms
        self._asked = Pause(pace.tick_again_ms)
        self._quiet = Pause(pace.measure_ms)

    def heard(self, now: int) -> None:
        """A record of `orders` was read."""
        self._quiet.begin(now)

    def ask(self, topics: Iterable[str], now: int) -> None:
        """Ask for a tick of each topic, unless that was done just now."""
        if self._asked.left(now) == 0:
            self._asked.begin(now)
            self._ticks.ask(self._partition, topics)

    def measure(self, deadline: int, now: int) -> None:
        """While this deadline is near, let `orders` never be silent for long."""
        if now >= deadline - self._window and self._quiet.left(now) == 0:
            self._quiet.begin(now)
            self._ticks.ask(self._partition, (ORDERS,))

    def wait_ms(self, deadline: int, now: int, *, over: bool) -> int:
        """Milliseconds until the next tick for this deadline; `over` if the log has shown a later time already."""
        if over or now > deadline:
            return self._asked.left(now)
        begin = max(0, deadline - self._window - now)
        return min(deadline + 1 - now, max(begin, self._quiet.left(now)))
