"""What an outcome adds to the metrics, counted once it is committed."""

from collections import Counter

from shared.metrics import CLOSES, COMMITS, DEAD_LETTERED, JUDGED, LATENESS_SECONDS


class Report:
    """Counts of one outcome."""

    def __init__(self) -> None:
        self._verdicts: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._deadlines: list[int] = []

    @property
    def closes(self) -> int:
        """How many deadlines were applied."""
        return len(self._deadlines)

    def judged(self, verdict: str) -> None:
        """An input was judged."""
        self._verdicts[verdict] += 1

    def buried(self, reason: str) -> None:
        """A record got no judgement."""
        self._reasons[reason] += 1

    def closed(self, deadline: int) -> None:
        """A deadline was applied."""
        self._deadlines.append(deadline)

    def publish(self, now: int) -> None:
        """The outcome is committed now."""
        COMMITS.inc()
        for verdict, count in self._verdicts.items():
            JUDGED.labels(verdict).inc(count)
        for reason, count in self._reasons.items():
            DEAD_LETTERED.labels(reason).inc(count)
        CLOSES.inc(len(self._deadlines))
        for deadline in self._deadlines:
            LATENESS_SECONDS.observe(max(0, now - deadline) / 1000)
