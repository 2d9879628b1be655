"""The clock as a port: whoever needs the time takes a `Clock`, so that tests hold it."""

import time
from typing import Protocol


class Clock(Protocol):
    """UTC time in integer milliseconds."""

    def now(self) -> int: ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000
