"""Which partitions take no records now, while the brokers answer: one has no leader, or too few copies of another live.

A draft for such a partition is refused at once, so that those beside it wait for nothing. Every few seconds one call
tries it again, for a short time; while the cluster names no leader it only asks who leads.
"""

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

TRIAL_SECONDS = 1.5
"""So long a draft for a partition that did not take the last one waits, and with it those of the same call."""
PAUSE_SECONDS = 5.0
"""Time between two trials of a partition."""

Place = tuple[str, int]
"""Topic and partition."""


class _Away(NamedTuple):
    reason: str
    next_trial: float


class AwayPartitions:
    """What the appends of one process found out about single partitions. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._away: dict[Place, _Away] = {}

    def lost(self, place: Place, reason: str) -> None:
        """A record for the partition was not acknowledged, although brokers answer."""
        with self._lock:
            self._away[place] = _Away(reason, self._clock() + PAUSE_SECONDS)

    def reached(self, place: Place) -> None:
        """The partition has taken a record."""
        if self._away:
            with self._lock:
                self._away.pop(place, None)

    def refusal(self, place: Place, led: Callable[[Place], bool]) -> str | None:
        """Why nothing is to be sent to the partition now; None if it takes records, or if the caller is to try it.

        `led` says whether the partition has a leader, as far as is known; it is asked where a trial is due.
        """
        away = self._away.get(place)
        if away is None:
            return None
        with self._lock:
            now = self._clock()
            if now >= away.next_trial and led(place):
                self._away[place] = away._replace(next_trial=now + PAUSE_SECONDS)
                return None
        return away.reason

    def is_away(self, place: Place) -> bool:
        """Whether the last record for it was not acknowledged."""
        return place in self._away
