"""Paths into the canonical state and what a scenario demands of a value there (docs/scenarios.md)."""

from collections.abc import Mapping
from typing import Any, Final

from shared.canonical import canonical


class _Absent:
    """Nothing stands at the path."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()

ANY: Final = {"any": True}
HIDDEN: Final = {"hidden": True}


def look_up(value: Any, path: str) -> Any:
    """The value at a dotted path, or ABSENT. Numbers index lists; a last name `#` is the number of entries."""
    names = path.split(".")
    for position, name in enumerate(names):
        if name == "#" and position == len(names) - 1 and isinstance(value, Mapping | list | tuple):
            return len(value)
        if isinstance(value, Mapping):
            value = value.get(name, ABSENT)
        elif isinstance(value, list | tuple) and name.isascii() and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return ABSENT
        if value is ABSENT:
            return ABSENT
    return value


def holds(expected: Any, actual: Any) -> bool:
    """Whether a value (or ABSENT) is what a scenario demands.

    null holds for ABSENT too; {"any": true} for whatever is there; {"hidden": true} for ABSENT alone; {"not": v} for
    what v does not hold for.
    """
    if isinstance(expected, Mapping):
        if expected == ANY:
            return actual is not ABSENT
        if expected == HIDDEN:
            return actual is ABSENT
        if set(expected) == {"not"}:
            return not holds(expected["not"], actual)
    if actual is ABSENT:
        return expected is None
    return same(expected, actual)


def same(first: Any, second: Any) -> bool:
    """Equality of JSON values; unlike Python's, true is not 1 and a tuple is a list."""
    return canonical(first) == canonical(second)


def merge(value: Any, patch: Any) -> Any:
    """`given`: maps are merged name by name, anything else is replaced."""
    if not isinstance(value, Mapping) or not isinstance(patch, Mapping):
        return patch
    merged = dict(value)
    for name, item in patch.items():
        merged[name] = merge(value[name], item) if name in value else item
    return merged
