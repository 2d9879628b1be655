"""How many commands an account may give: each has room for a minute's worth, which fills up again as time goes by.

Kept in the memory of each process. There is no limit for a game: whoever used it up would shut out everybody else.
Operators have none; they run the games.
"""

import threading
import time
from collections.abc import Callable

from shared.calls import Caller
from shared.errors import Problem

_MINUTE = 60.0
_SWEPT_FROM = 10_000
"""So many accounts are kept before those whose room is full again are forgotten."""


class CommandBudget:
    """At most `most` commands of an account at once, and `most` a minute in the long run. Thread-safe."""

    def __init__(self, most: int, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._each = _MINUTE / most
        self._monotonic = monotonic
        self._full_at: dict[str, float] = {}
        self._sweep_at = _SWEPT_FROM
        self._lock = threading.Lock()

    def take(self, caller: Caller) -> None:
        """Count one command. Raises Problem `too_many_requests` with the seconds to wait, and counts nothing."""
        if caller.role == "operator":
            return
        with self._lock:
            now = self._monotonic()
            full_at = max(now, self._full_at.get(caller.actor, now)) + self._each
            wait = full_at - now - _MINUTE
            if wait <= self._each / 1000:  # sums of many small times are not exact
                self._full_at[caller.actor] = full_at
                self._sweep(now)
                return
        seconds = max(1, -int(-wait // 1))
        raise Problem(
            "too_many_requests",
            f"at most {self._most} commands a minute from one account; try again in {seconds} seconds",
            headers={"Retry-After": str(seconds)},
        )

    def _sweep(self, now: float) -> None:
        if len(self._full_at) >= self._sweep_at:
            self._full_at = {actor: full_at for actor, full_at in self._full_at.items() if full_at > now}
            self._sweep_at = max(_SWEPT_FROM, 2 * len(self._full_at))
