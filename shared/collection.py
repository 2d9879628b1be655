"""Garbage collection where much is built at once and stays: the collector would look at all of it again and again."""

import gc
from types import TracebackType

THRESHOLDS = (50_000, 20, 20)
"""For a process whose memory is mostly games: collections of young objects, and of the older ones, are rare."""


class paused:  # noqa: N801 - it is read as what holds inside
    """No collection of cycles inside; what holds no cycles is freed as always. Counts for all threads.

    A class: as a generator it took a hundredth of a close of 50 players.
    """

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._was_on:
            gc.enable()


def make_rare() -> None:
    """Collect rarely from now on, in this process."""
    gc.set_threshold(*THRESHOLDS)


def settle() -> None:
    """What is in memory now is there to stay: free the cycles in it, then collections pass it by."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
