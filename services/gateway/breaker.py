"""A circuit breaker before an intake: while its log is away one call tries it, all others are refused at once.

So writes that would wait for the log take no thread away from those who read, and no line of them grows.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SLOW_SECONDS = 3.0
"""Nobody waits behind an exchange that has lasted longer."""


class Refused(Exception):
    """The intake cannot store anything now; nothing was sent."""


class Breaker:
    """What is known of one intake by the calls of this process. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._under_way: list[float] = []
        """When the exchanges began that have no answer yet, the oldest first."""
        self._failed: float | None = None
        """When an exchange failed last, if none has succeeded since."""

    def arrive(self) -> float:
        """A call has come; returns its time, for `exchange`. Raises Refused where it would wait in vain."""
        now = self._clock()
        with self._lock:
            if self._under_way and (self._failed is not None or now - self._under_way[0] > SLOW_SECONDS):
                raise Refused
        return now

    @contextmanager
    def exchange(self, arrived: float) -> Iterator[Callable[[], None]]:
        """An exchange for calls of which the last came at this time; it has failed unless what this gives is called.

        Raises Refused if another one has failed since: they have waited for it, and are told the same.
        """
        with self._lock:
            if self._failed is not None and self._failed >= arrived:
                raise Refused
            begun = self._clock()
            self._under_way.append(begun)
        failed = True

        def succeed() -> None:
            nonlocal failed
            failed = False

        try:
            yield succeed
        finally:
            with self._lock:
                self._under_way.remove(begun)
                self._failed = self._clock() if failed else None
