"""Strict reading of JSON files that people write, with the place of every fault."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import NoReturn

from shared.maps.model import MapError


class Node:
    """One value of a JSON file together with its place, so that a refusal can name both."""

    __slots__ = ("file", "place", "value")

    def __init__(self, file: str, place: str, value: object) -> None:
        self.file = file
        self.place = place
        self.value = value

    def fault(self, reason: str) -> MapError:
        """Return the refusal of this value, to be raised."""
        return MapError(self.file, self.place, reason)

    def named(self, place: str) -> Node:
        """Return the same value under a place that says more to the reader."""
        return Node(self.file, place, self.value)

    def entries(self) -> dict[str, Node]:
        if not isinstance(self.value, dict):
            raise self.fault(f"must be an object, is {kind(self.value)}")
        return {key: Node(self.file, self._under(key), value) for key, value in self.value.items()}

    def fields(self, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Node]:
        """Return the entries of an object that has all `required` keys and no others than these and `optional`."""
        entries = self.entries()
        allowed = required + optional
        for key in entries:
            if key not in allowed:
                raise self.fault(f"has an unknown key {key!r}; allowed are {', '.join(allowed)}")
        for key in required:
            if key not in entries:
                raise self.fault(f"lacks {key!r}")
        return entries

    def get(self, key: str) -> Node | None:
        return self.entries().get(key)

    def need(self, key: str) -> Node:
        found = self.get(key)
        if found is None:
            raise self.fault(f"lacks {key!r}")
        return found

    def items(self) -> list[Node]:
        if not isinstance(self.value, list):
            raise self.fault(f"must be a list, is {kind(self.value)}")
        return [Node(self.file, f"{self.place}[{index}]", value) for index, value in enumerate(self.value)]

    def text(self, longest: int, shortest: int = 0) -> str:
        if not isinstance(self.value, str) or not shortest <= len(self.value) <= longest:
            raise self.fault(f"must be a text of {shortest} to {longest} characters, is {kind(self.value)}")
        return self.value

    def integer(self, least: int, most: int) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not least <= self.value <= most:
            raise self.fault(f"must be an integer from {least} to {most}, is {kind(self.value)}")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fault(f"must be true or false, is {kind(self.value)}")
        return self.value

    def _under(self, key: str) -> str:
        return key if self.place == TOP else f"{self.place}.{key}"


TOP = "the whole file"


def read_json(path: Path) -> Node:
    """Read the JSON file at `path`.

    Numbers with a fraction or exponent come as `Decimal`, exactly as written. Raises `MapError` for a file that cannot
    be read, is no UTF-8, is no JSON (with line and column), names a key twice, or holds NaN or Infinity.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MapError(str(path), TOP, f"cannot be read: {error.strerror}") from error
    return parse_json(data, str(path))


def parse_json(data: bytes, file: str) -> Node:
    """Parse `data` as `read_json` does; `file` is its name in refusals."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MapError(file, f"byte {error.start}", "is no UTF-8; a map file is JSON in UTF-8") from error
    try:
        value = json.loads(
            text, object_pairs_hook=_unique_keys, parse_constant=_no_constant, parse_float=Decimal, strict=True
        )
    except json.JSONDecodeError as error:
        raise MapError(file, f"line {error.lineno}, column {error.colno}", f"is no JSON: {error.msg}") from error
    except _FaultInText as error:
        raise MapError(file, TOP, str(error)) from error
    except (RecursionError, ValueError) as error:
        raise MapError(file, TOP, "is nested too deeply or holds a number with too many digits") from error
    return Node(file, TOP, value)


def kind(value: object) -> str:
    """Say in a few words what a JSON value is, for the end of a refusal."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    shown = repr(value) if isinstance(value, str) else str(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


class _FaultInText(Exception):
    pass


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _FaultInText(f"names the key {key!r} twice in one object; each may stand once")
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise _FaultInText(f"holds {name}, which is no number; leave it out or write a number")
