"""What an outcome adds to metrics and log lines, counted once it is committed."""

from collections import Counter
from typing import Any, NamedTuple

import structlog

from services.resolver.admission import Arrival
from services.resolver.hosting.judging import Judged
from shared.metrics import CLOSES, COMMIT_SECONDS, COMMITS, DEAD_LETTERED, JUDGED, LATENESS_SECONDS
from shared.tracing import trace_id

_logger: Any = structlog.get_logger()


class _Input(NamedTuple):
    """A judged input as its log line tells of it."""

    game: str
    input: str
    verdict: str
    code: str | None
    trace: str | None


class Report:
    """Counts of one outcome, and the inputs that it judges."""

    def __init__(self, partition: int) -> None:
        self._partition = partition
        self._verdicts: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._deadlines: list[int] = []
        self._closing = 0.0
        self._inputs: list[_Input] = []

    @property
    def closes(self) -> int:
        """How many deadlines were applied."""
        return len(self._deadlines)

    def judged(self, judged: Judged, arrival: Arrival | None) -> None:
        """An input was judged; one of the clock did not arrive."""
        self._verdicts[judged.verdict] += 1
        if arrival is not None and arrival.submitted is not None:
            code = judged.events[0].data.get("code")
            trace = trace_id(arrival.traceparent)
            self._inputs.append(_Input(judged.game.id, arrival.submitted.id, judged.verdict, code, trace))

    def buried(self, reason: str) -> None:
        """A record got no judgement."""
        self._reasons[reason] += 1

    def closed(self, deadline: int) -> None:
        """A deadline was applied."""
        self._deadlines.append(deadline)

    def decided(self, seconds: float) -> None:
        """To judge what a deadline brought about took so many seconds."""
        self._closing += seconds

    def publish(self, now: int, events: int, seconds: float) -> None:
        """The outcome with so many events is committed now; that took so many seconds."""
        COMMITS.inc()
        COMMIT_SECONDS.observe(seconds)
        for verdict, count in self._verdicts.items():
            JUDGED.labels(verdict).inc(count)
        for reason, count in self._reasons.items():
            DEAD_LETTERED.labels(reason).inc(count)
        CLOSES.inc(len(self._deadlines))
        for deadline in self._deadlines:
            LATENESS_SECONDS.observe(max(0, now - deadline) / 1000)
        self._say(events, seconds)

    def _say(self, events: int, seconds: float) -> None:
        for item in self._inputs:
            _logger.debug("judged", **item._asdict())
        said: dict[str, object] = {"events": events, "ms": round(seconds * 1000, 1), "partition": self._partition}
        if not events and not self._reasons:
            _logger.debug("committed", **said)  # nothing but marks: an idle partition says nothing
            return
        said.update(self._verdicts)
        if self._deadlines:
            said["closes"] = self.closes
            said["closes_ms"] = round(self._closing * 1000, 1)
        if len(self._inputs) == 1:
            said.update(self._inputs[0]._asdict())
        if self._reasons:
            _logger.warning("committed", dead_letters=dict(self._reasons), **said)
        else:
            _logger.info("committed", **said)
