"""Forms of payloads and event data as plain data, one source for every check of form (ENG-5 `malformed`).

`decide` and the intake check with `fault`; the JSON Schemas of commands and events are printed from the shapes. Pure:
no schema library is imported by the rules.
"""

import re
from collections.abc import Callable, Iterator, Mapping
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
    found = _CHECKS[type(shape)](shape, value)
    return None if found is None else found(place)


def faults(shape: Shape, value: Any, place: str = "payload") -> Iterator[tuple[str, str]]:
    """Everything that is wrong with the form of `value`: where, as a path within it, and the sentence of `fault`.

    The first one is that of `fault`; a field that is missing is at its own place, one that is unknown at its object's.
    """
    yield from _faults(shape, value, place, ())


def _faults(shape: Shape, value: Any, place: str, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    match shape:
        case Object() if isinstance(value, dict | Mapping):
            yield from _faults_of_object(shape, value, place, path)
        case Array() if isinstance(value, list | tuple) and (shape.most is None or len(value) <= shape.most):
            for index, item in enumerate(value):
                yield from _faults(shape.of, item, f"{place}.{index}", (*path, str(index)))
        case Maybe() if value is not None:
            yield from _faults(shape.of, value, place, path)
        case _:
            found = fault(shape, value, place)
            if found is not None:
                yield ".".join(path), found


def _faults_of_object(
    shape: Object, value: Mapping[Any, Any], place: str, path: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    for key in value:
        if key not in shape.fields:
            yield ".".join(path), _unknown_field(key, shape.fields)(place)
    for key, of in shape.fields.items():
        if key in value:
            yield from _faults(of, value[key], f"{place}.{key}", (*path, key))
        elif key not in shape.optional:
            yield ".".join((*path, key)), _missing(key)(place)


Found = Callable[[str], str]
"""The sentence about a fault, given its place: places are put together for what is wrong alone."""


def _of_integer(shape: Integer, value: Any) -> Found | None:
    if type(value) is not int:
        return lambda place: f"{place} must be an integer"
    minimum, maximum = shape.minimum, shape.maximum
    if (minimum is not None and value < minimum) or (maximum is not None and value > maximum):
        return lambda place: f"{place} must be an integer {_bounds(minimum, maximum)}"
    return None


def _bounds(minimum: int | None, maximum: int | None) -> str:
    if minimum is None:
        return f"of at most {maximum}"
    return f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"


def _of_boolean(shape: Boolean, value: Any) -> Found | None:
    return None if type(value) is bool else lambda place: f"{place} must be true or false"


def _of_text(shape: Text, value: Any) -> Found | None:
    if not isinstance(value, str):
        return lambda place: f"{place} must be a string"
    if shape.longest is not None and len(value) > shape.longest:
        return lambda place: f"{place} must have at most {shape.longest} characters"
    return None


def _of_id(shape: Id, value: Any) -> Found | None:
    if isinstance(value, str) and _is_id(value, shape.prefixes):
        return None
    return lambda place: f"{place} must be an id: 1 to 64 of A-Z a-z 0-9 _ -"


def _is_id(value: str, prefixes: tuple[str, ...]) -> bool:
    for prefix in prefixes:
        if value.startswith(prefix):
            value = value[len(prefix) :]
            break
    return ID.match(value) is not None


def _of_choice(shape: Choice, value: Any) -> Found | None:
    if isinstance(value, str) and value in shape.of:
        return None
    return lambda place: f"{place} must be one of {', '.join(shape.of)}"


def _of_array(shape: Array, value: Any) -> Found | None:
    if not isinstance(value, list | tuple):
        return lambda place: f"{place} must be a list"
    if shape.most is not None and len(value) > shape.most:
        return lambda place: f"{place} must have at most {shape.most} entries"
    check, of = _CHECKS[type(shape.of)], shape.of
    for index, item in enumerate(value):
        if found := check(of, item):
            return _within(index, found)
    return None


def _of_keyed(shape: Keyed, value: Any) -> Found | None:
    if not isinstance(value, dict | Mapping):
        return lambda place: f"{place} must be an object"
    check, of = _CHECKS[type(shape.of)], shape.of
    for key, item in value.items():
        if shape.keys_are_ids and not ID.match(key):
            return _unfit_key(key)
        if found := check(of, item):
            return _within(key, found)
    return None


def _unfit_key(key: str) -> Found:
    return lambda place: f"{place} has the key {key!r}; keys must be ids: 1 to 64 of A-Z a-z 0-9 _ -"


def _of_maybe(shape: Maybe, value: Any) -> Found | None:
    return None if value is None else _CHECKS[type(shape.of)](shape.of, value)


def _of_one_of(shape: OneOf, value: Any) -> Found | None:
    faults: list[Found] = []
    for option in shape.of:
        found = _CHECKS[type(option)](option, value)
        if found is None:
            return None
        faults.append(found)
    return lambda place: " or ".join(found(place) for found in faults)


def _of_anything(shape: Anything, value: Any) -> Found | None:
    return None


def _of_object(shape: Object, value: Any) -> Found | None:
    if not isinstance(value, dict | Mapping):
        return lambda place: f"{place} must be an object"
    fields = shape.fields
    for key in value:
        if key not in fields:
            return _unknown_field(key, fields)
    for key, of in fields.items():
        if key not in value:
            if key not in shape.optional:
                return _missing(key)
            continue
        if found := _CHECKS[type(of)](of, value[key]):
            return _within(key, found)
    return None


def _unknown_field(key: Any, fields: Mapping[str, Shape]) -> Found:
    known = ", ".join(fields) or "none"
    return lambda place: f"{place} has the unknown field {key!r}; known fields: {known}"


def _missing(key: str) -> Found:
    return lambda place: f"{place}.{key} is missing"


def _within(key: Any, found: Found) -> Found:
    return lambda place: found(f"{place}.{key}")


_CHECKS: Mapping[type, Callable[[Any, Any], Found | None]] = {
    Integer: _of_integer,
    Boolean: _of_boolean,
    Text: _of_text,
    Id: _of_id,
    Choice: _of_choice,
    Array: _of_array,
    Keyed: _of_keyed,
    Maybe: _of_maybe,
    OneOf: _of_one_of,
    Anything: _of_anything,
    Object: _of_object,
}
