"""Forms of payloads and event data as plain data, one source for every check of form (ENG-5 `malformed`).

`decide` and the intake check with `fault`; the JSON Schemas of commands and events are printed from the shapes. Pure:
no schema library is imported by the rules.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = Any
"""A JSON value of dict, list, tuple, str, int, bool and None. Never a float."""

ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
"""Form of an id (rules/README.md)."""


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer; bool is none. The bounds are those of the form, not of the rules."""

    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Boolean:
    """true or false."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string of at most `longest` code points (None: the command's own limit is checked by its rule)."""

    longest: int | None = None


@dataclass(frozen=True, slots=True)
class Id:
    """An id, `[A-Za-z0-9_-]{1,64}`; with `prefixes` one of them may stand before it (SPB `C:`, `D:`)."""

    prefixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the strings."""

    of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Array:
    """A list of one shape."""

    of: "Shape"
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Keyed:
    """An object whose keys are ids, or any strings, and whose values have one shape."""

    of: "Shape"
    keys_are_ids: bool = True


@dataclass(frozen=True, slots=True)
class Maybe:
    """The shape or null."""

    of: "Shape"


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of several shapes."""

    of: tuple["Shape", ...]


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value; its form is checked by the rule that reads it."""


@dataclass(frozen=True, slots=True)
class Object:
    """An object with these fields and no others. Fields in `optional` may be missing."""

    fields: Mapping[str, "Shape"]
    optional: frozenset[str] = frozenset()


Shape = Integer | Boolean | Text | Id | Choice | Array | Keyed | Maybe | OneOf | Anything | Object

EMPTY = Object({})


def fault(shape: Shape, value: Any, place: str = "payload") -> str | None:
    """What is wrong with the form of `value`: one sentence with the place and what would be right; else None."""
    match shape:
        case Integer(minimum, maximum):
            if type(value) is not int:
                return f"{place} must be an integer"
            if (minimum is not None and value < minimum) or (maximum is not None and value > maximum):
                return f"{place} must be an integer {_bounds(minimum, maximum)}"
        case Boolean():
            if type(value) is not bool:
                return f"{place} must be true or false"
        case Text(longest):
            if not isinstance(value, str):
                return f"{place} must be a string"
            if longest is not None and len(value) > longest:
                return f"{place} must have at most {longest} characters"
        case Id(prefixes):
            if not isinstance(value, str) or not _is_id(value, prefixes):
                return f"{place} must be an id: 1 to 64 of A-Z a-z 0-9 _ -"
        case Choice(of):
            if not isinstance(value, str) or value not in of:
                return f"{place} must be one of {', '.join(of)}"
        case Array(of_, most):
            return _fault_in_array(of_, most, value, place)
        case Keyed(of_, keys_are_ids):
            return _fault_in_keyed(of_, keys_are_ids, value, place)
        case Maybe(of_):
            return None if value is None else fault(of_, value, place)
        case OneOf(options):
            faults = [fault(option, value, place) for option in options]
            return None if None in faults else " or ".join(str(item) for item in faults)
        case Object():
            return _fault_in_object(shape, value, place)
        case Anything():
            return None
    return None


def _bounds(minimum: int | None, maximum: int | None) -> str:
    if minimum is None:
        return f"of at most {maximum}"
    return f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"


def _is_id(value: str, prefixes: tuple[str, ...]) -> bool:
    for prefix in prefixes:
        if value.startswith(prefix):
            value = value[len(prefix) :]
            break
    return ID.match(value) is not None


def _fault_in_array(of: Shape, most: int | None, value: Any, place: str) -> str | None:
    if not isinstance(value, list | tuple):
        return f"{place} must be a list"
    if most is not None and len(value) > most:
        return f"{place} must have at most {most} entries"
    for index, item in enumerate(value):
        if found := fault(of, item, f"{place}.{index}"):
            return found
    return None


def _fault_in_keyed(of: Shape, keys_are_ids: bool, value: Any, place: str) -> str | None:
    if not isinstance(value, Mapping):
        return f"{place} must be an object"
    for key, item in value.items():
        if keys_are_ids and not ID.match(key):
            return f"{place} has the key {key!r}; keys must be ids: 1 to 64 of A-Z a-z 0-9 _ -"
        if found := fault(of, item, f"{place}.{key}"):
            return found
    return None


def _fault_in_object(shape: Object, value: Any, place: str) -> str | None:
    if not isinstance(value, Mapping):
        return f"{place} must be an object"
    for key in value:
        if key not in shape.fields:
            known = ", ".join(shape.fields) or "none"
            return f"{place} has the unknown field {key!r}; known fields: {known}"
    for key, of in shape.fields.items():
        if key not in value:
            if key not in shape.optional:
                return f"{place}.{key} is missing"
            continue
        if found := fault(of, value[key], f"{place}.{key}"):
            return found
    return None
