"""Drafts as large as somebody may send them: what players of the suite said, with its lists and words blown up."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from shared.canonical import canonical
from shared.rules.shapes import Array, Maybe, Object, OneOf, Shape, Text

Place = tuple[str | int, ...]


class Inflated(NamedTuple):
    """A payload in which what stands at `place` has so many entries or characters (`size`)."""

    place: Place
    payload: Mapping[str, Any]
    size: int


def places(shape: Shape, value: Any, place: Place = ()) -> Iterator[tuple[Place, Array | Text]]:
    """Where a value has lists that are not empty, or texts, of its shape; alike entries of a list count as one."""
    match shape:
        case Object():
            for name in sorted(shape.fields):
                if name in value:
                    yield from places(shape.fields[name], value[name], (*place, name))
        case Array() if value:
            yield place, shape
            yield from places(shape.of, value[0], (*place, 0))
        case Text() if isinstance(value, str):
            yield place, shape
        case Maybe() if value is not None:
            yield from places(shape.of, value, place)
        case OneOf():
            for option in shape.of:
                if isinstance(value, list) == isinstance(option, Array):
                    yield from places(option, value, place)


def inflated(payload: Mapping[str, Any], place: Place, shape: Array | Text, room: int) -> Iterator[Inflated]:
    """The payload with so much at a place that it fills `room` bytes, or all that the form takes; then with less."""
    for payload_ in (payload, _lean(payload, place)):
        here = _at(payload_, place)
        entry = 1 if isinstance(shape, Text) else -(-sum(len(canonical(item)) + 1 for item in here) // len(here))
        most = max(1, (room - len(canonical(payload_))) // entry)
        limit = shape.longest if isinstance(shape, Text) else shape.most
        count = most if limit is None else min(most, limit)
        while count > len(here):
            more = "x" * count if isinstance(shape, Text) else (list(here) * (count // len(here) + 1))[:count]
            yield Inflated(place, _with(payload_, place, more), count)
            count = count // 2 if isinstance(shape, Text) else count * 3 // 4


def _at(value: Any, place: Place) -> Any:
    for name in place:
        value = value[name]
    return value


def _with(value: Any, place: Place, new: Any) -> Any:
    if not place:
        return new
    name, rest = place[0], place[1:]
    if isinstance(value, list | tuple):
        return [_with(item, rest, new) if number == name else item for number, item in enumerate(value)]
    return {key: _with(item, rest, new) if key == name else item for key, item in value.items()}


def _lean(payload: Mapping[str, Any], place: Place) -> Mapping[str, Any]:
    """With the shortest entry of a list alone, and of objects there the field that has most to say."""
    here = _at(payload, place)
    if not isinstance(here, list | tuple) or not all(isinstance(item, Mapping) for item in here):
        return payload
    first = min(here, key=lambda item: len(canonical(item)))
    words = {key: item for key, item in first.items() if not isinstance(item, list | bool)}
    result: Mapping[str, Any] = _with(payload, place, [words])
    return result
