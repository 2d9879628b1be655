"""Garbage collection where much is built at once and stays: the collector would look at all of it again and again."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (50_000, 20, 20)
"""For a process whose memory is mostly games: collections of young objects, and of the older ones, are rare."""


@contextmanager
def paused() -> Iterator[None]:
    """No collection of cycles inside; what holds no cycles is freed as always. Counts for all threads."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def make_rare() -> None:
    """Collect rarely from now on, in this process."""
    gc.set_threshold(*THRESHOLDS)


def settle() -> None:
    """What is in memory now is there to stay: free the cycles in it, then collections pass it by."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
