"""What was judged and is not yet written: gathers it, commits it, and knows where the journal ends."""

import time
from collections.abc import Callable
from typing import Literal

from services.resolver.admission import Arrival, Fault
from services.resolver.games import Games
from services.resolver.hosting.judging import Judged
from services.resolver.merge import Merge
from services.resolver.outcome import OutcomeBuilder
from services.resolver.reporting import Report
from services.resolver.settings import Pace
from services.resolver.storing import Storing
from shared.faults import point
from shared.log import Ownership
from shared.rules.interface import Deadline

Cause = Arrival | Literal["deadline", "credit", "reminder", "host"]
"""Why something was judged: a record, a deadline, an outage or a reminder before it; or the host sets a game aside."""


class OutcomeWriter:
    """Writes the judgements of one partition in the order in which they are handed in."""

    def __init__(
        self,
        ownership: Ownership,
        end: int,
        games: Games,
        merge: Merge,
        storing: Storing,
        pace: Pace,
        now: Callable[[], int],
    ) -> None:
        self.end = end
        """End offset of the partition's turns."""
        self._ownership = ownership
        self._games = games
        self._merge = merge
        self._storing = storing
        self._pace = pace
        self._now = now
        self._outcome = OutcomeBuilder()
        self._report = Report(ownership.partition)
        self._passed = 0

    def write(self, judged: Judged, due: Deadline | None, at: int, cause: Cause, seconds: float = 0.0) -> None:
        """Take in a judgement at `at` that left the game with this deadline; a large one gets its own outcome.

        `seconds` is what it took, where that is told.
        """
        large = len(judged.events) >= self._pace.big_close_events
        if large:
            self.flush()
        if isinstance(cause, Arrival):
            self._merge.pass_over(cause)
        self.add(judged, due, at, cause)
        self._report.decided(seconds)
        if large or self._outcome.events >= self._pace.commit_events:
            self.commit()

    def add(self, judged: Judged, due: Deadline | None, at: int, cause: Cause) -> None:
        """Take in a judgement that must stand in the same outcome as those around it."""
        arrival = cause if isinstance(cause, Arrival) else None
        self._outcome.add(judged, arrival)
        self._games.put(judged.game, due, at, credit=cause == "credit")
        if judged.verdict != "none":
            self._report.judged(judged, arrival)
        if cause == "deadline":
            self._report.closed(at)

    def pass_over(self, arrival: Arrival, fault: Fault | None) -> None:
        """A record stays without judgement: a tick, an input that must wait, or, with a fault, a dead letter."""
        self._merge.pass_over(arrival)
        if fault is None:
            self._passed += 1
        else:
            self._outcome.bury(arrival, fault)
            self._report.buried(fault.reason)

    def finish(self) -> None:
        """The end of a round: commit what there is to write, or marks that have moved far."""
        if self._passed >= self._pace.passed_records:
            self.commit()
        else:
            self.flush()

    def flush(self) -> None:
        """Commit if there is anything to write."""
        if not self._outcome.empty:
            self.commit()

    def commit(self) -> None:
        """Write the outcome; nothing of it has left the process before. Raises what the log raises."""
        point("resolver.before_commit")
        started = time.perf_counter()
        self.end = self._ownership.commit(self._outcome.outcome(self._merge.marks()))
        seconds = time.perf_counter() - started
        point("resolver.after_commit")
        now = self._now()
        self._report.publish(now, self._outcome.events, seconds)
        if not self._outcome.empty:
            self._storing.committed(self._outcome.events, self._report.closes, now)
        self._outcome = OutcomeBuilder()
        self._report = Report(self._ownership.partition)
        self._passed = 0

    def held(self) -> bool:
        """Whether the partition is still ours, as far as can be told without a commit."""
        return self._ownership.held()

    def release(self) -> None:
        """Give the ownership up; what is not committed is forgotten."""
        self._ownership.release()
