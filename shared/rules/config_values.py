"""What is wrong with a value of a game's config, for the forms that several games have."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SHORTEST_SECONDS, LONGEST_SECONDS = 10, 31_536_000
"""Bounds of a duration (ENG-12)."""
SECOND, HOUR, DAY = 1, 3600, 86_400
"""Units of durations, in seconds; the name of a key says which it has (`turn_hours`, `move_seconds`, `fix_days`)."""


@dataclass(frozen=True, slots=True)
class PlainKeys:
    """Keys whose values are an integer of a range (both ends belong to it), one of several words, or true or false.

    Those of `may_be_null` take null too; they may be keys of another form.
    """

    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    booleans: tuple[str, ...] = ()
    may_be_null: frozenset[str] = frozenset()

    def decides(self, key: str, value: Any) -> bool:
        """Whether `fault` says all there is to say of this value of this key."""
        named = key in self.ranges or key in self.choices or key in self.booleans
        return named or (value is None and key in self.may_be_null)

    def fault(self, place: str, key: str, value: Any) -> str | None:
        """None for an allowed value, else a sentence that says what was expected at `place`."""
        if value is None and key in self.may_be_null:
            return None
        if key in self.ranges:
            return fault_of_integer(place, value, *self.ranges[key])
        if key in self.choices:
            return None if value in self.choices[key] else f"{place} must be one of {', '.join(self.choices[key])}"
        return None if type(value) is bool else f"{place} must be true or false"


def fault_of_keys(given: Mapping[str, Any], fault_of_key: Callable[[str, Any], str | None]) -> str | None:
    """What is wrong with the first key of a configuration that has a fault."""
    for key, value in given.items():
        if found := fault_of_key(key, value):
            return found
    return None


def unknown_key(key: str, known: Iterable[str]) -> str:
    """What is wrong with a key that the game does not have."""
    return f"config has the unknown key {key!r}; known keys: {', '.join(known)}"


def fault_of_integer(place: str, value: Any, low: int, high: int) -> str | None:
    """None for an integer from `low` to `high`, else a sentence that says what was expected at `place`."""
    if type(value) is int and low <= value <= high:
        return None
    if low == high:
        return f"{place} must be {low}"
    return f"{place} must be an integer from {low} to {high}"


def fault_of_duration(place: str, value: Any, unit: int = HOUR) -> str | None:
    """None for a whole number of units of so many seconds, or `{"seconds": n}`; else a sentence with what was expected.

    In seconds themselves the shortest is 10 as well.
    """
    low, high = -(-SHORTEST_SECONDS // unit), LONGEST_SECONDS // unit
    if type(value) is int and low <= value <= high:
        return None
    if isinstance(value, Mapping) and set(value) == {"seconds"}:
        return fault_of_integer(f"{place}.seconds", value["seconds"], SHORTEST_SECONDS, LONGEST_SECONDS)
    return (
        f"{place} must be an integer from {low} to {high}, "
        f'or {{"seconds": n}} with n from {SHORTEST_SECONDS} to {LONGEST_SECONDS}'
    )


def milliseconds_of(value: int | Mapping[str, int], unit: int = HOUR) -> int:
    """Length of a duration without fault, given in units of so many seconds."""
    return 1000 * (value * unit if isinstance(value, int) else value["seconds"])
