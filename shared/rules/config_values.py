"""What is wrong with a value of a game's config, for the forms that several games have."""

from collections.abc import Mapping
from typing import Any

SHORTEST_SECONDS, LONGEST_SECONDS = 10, 31_536_000
"""Bounds of a duration (ENG-12)."""


def fault_of_integer(place: str, value: Any, low: int, high: int) -> str | None:
    """None for an integer from `low` to `high`, else a sentence that says what was expected at `place`."""
    if type(value) is int and low <= value <= high:
        return None
    if low == high:
        return f"{place} must be {low}"
    return f"{place} must be an integer from {low} to {high}"


def fault_of_duration(place: str, value: Any) -> str | None:
    """None for whole hours or `{"seconds": n}`, else a sentence that says what was expected at `place`."""
    if type(value) is int and 1 <= value <= LONGEST_SECONDS // 3600:
        return None
    if isinstance(value, Mapping) and set(value) == {"seconds"}:
        return fault_of_integer(f"{place}.seconds", value["seconds"], SHORTEST_SECONDS, LONGEST_SECONDS)
    return (
        f"{place} must be an integer from 1 to {LONGEST_SECONDS // 3600}, "
        f'or {{"seconds": n}} with n from {SHORTEST_SECONDS} to {LONGEST_SECONDS}'
    )
