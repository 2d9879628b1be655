"""Waiting for something to come about, by looking again and again."""

import time
from collections.abc import Callable

import pytest


def eventually(
    condition: Callable[[], object],
    what: str,
    within: float = 60.0,
    pause: float = 0.02,
    meanwhile: Callable[[], object] = lambda: None,
) -> float:
    """Poll until the condition holds, doing `meanwhile` each time; returns the seconds that it took."""
    started = time.monotonic()
    while not condition():
        meanwhile()
        if time.monotonic() - started > within:
            pytest.fail(f"not within {within:.0f} seconds: {what}")
        time.sleep(pause)
    return time.monotonic() - started
