"""Pauses of this process, measured on a wall clock that may be set forwards or back."""

from services.resolver.settings import Pace

REST_FROM_MS = 50
"""A snapshot that took less was no hindrance."""


class Pause:
    """At least `length_ms` between two actions. A clock that was set back ends the pause instead of stretching it."""

    __slots__ = ("_begun", "_length")

    def __init__(self, length_ms: int) -> None:
        self._length = length_ms
        self._begun: int | None = None

    def begin(self, now: int) -> None:
        """The action is done now; the pause begins."""
        self._begun = now

    def left(self, now: int) -> int:
        """Milliseconds until the action may be done again; 0 if it may now."""
        if self._begun is None or now < self._begun:
            return 0
        return max(0, self._begun + self._length - now)


class SnapshotTimer:
    """When a snapshot is due: after many events or closes, once nothing closes any more, or some time after the first
    change (Pace)."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._events = 0
        self._closes = 0
        self._age = Pause(pace.snapshot_ms)
        self._closing = Pause(pace.snapshot_calm_ms)
        self._rest = Pause(0)
        self._changed = False

    def committed(self, events: int, closes: int, now: int) -> None:
        """So much was committed now."""
        self._events += events
        self._closes += closes
        if closes:
            self._closing.begin(now)
        if not self._changed:
            self._changed = True
            self._age.begin(now)

    def due(self, now: int) -> bool:
        """Whether it is time for a snapshot."""
        if not self._changed or self._rest.left(now) > 0:
            return False
        many = self._events >= self._pace.snapshot_events or self._closes >= self._pace.snapshot_closes
        return self._age.left(now) == 0 or (many and self._closing.left(now) == 0)

    def taken(self, now: int, seconds: float) -> None:
        """A snapshot was made of everything that was committed; inputs have waited so many seconds for it."""
        self._events = self._closes = 0
        self._changed = False
        self._rest = Pause(int(seconds * 1000) // REST_FROM_MS * REST_FROM_MS * self._pace.snapshot_rest)
        self._rest.begin(now)

    def failed(self, now: int) -> None:
        """The snapshot could not be stored: again after the usual time."""
        self._events = self._closes = 0
        self._changed = True
        self._age.begin(now)
