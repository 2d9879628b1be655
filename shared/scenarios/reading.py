"""JSON with the line of every value, so that an error in a scenario file names its place.

The values come from the standard library's parser; what canonical JSON (ENG-7) does not hold is refused here:
numbers that are no integers, integers beyond 53 bits, a name twice in one object, text that is no UTF-8.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from shared.canonical import MAX_INTEGER
from shared.scenarios.errors import ScenarioError

Path = tuple[str | int, ...]
MAX_DEPTH = 32
_TOKEN = re.compile(r'[{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+')


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one scenario file: its name, its value, and the line of each place in it."""

    file: str
    value: Any
    lines: dict[Path, int]

    def line(self, path: Path) -> int:
        """Line of a place, or of the nearest place around it that the file holds."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 1)

    def wrong(self, path: Path, expected: str) -> ScenarioError:
        """The error at a place."""
        return ScenarioError(self.file, self.line(path), expected)


class _Fraction:
    """A number that is no integer, or one too long to read."""


class _Twice(dict[str, Any]):
    """An object that holds a name twice; `name` is that name."""

    name: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    names = [name for name, _ in pairs]
    twice = _Twice(made)
    twice.name = next(name for name in names if names.count(name) > 1)
    return twice


def _integer(digits: str) -> int | _Fraction:
    return int(digits) if len(digits) <= 20 else _Fraction()


def read(text: bytes, file: str) -> Source:
    """The value of a JSON text with its lines. Raises ScenarioError."""
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        raise ScenarioError(file, line, "the file must be UTF-8 text") from None
    try:
        value = json.loads(
            decoded,
            object_pairs_hook=_object,
            parse_float=lambda _: _Fraction(),
            parse_int=_integer,
            parse_constant=lambda _: _Fraction(),
        )
    except json.JSONDecodeError as error:
        problem = f"the file must be JSON: {error.msg} at column {error.colno}"
        raise ScenarioError(file, error.lineno, problem) from None
    except RecursionError:
        raise ScenarioError(file, 1, f"JSON may be nested {MAX_DEPTH} levels deep") from None
    source = Source(file, value, _lines(decoded))
    _check(source, value, ())
    return source


def _check(source: Source, value: Any, path: Path) -> None:
    if len(path) > MAX_DEPTH:
        raise source.wrong(path, f"JSON may be nested {MAX_DEPTH} levels deep")
    if isinstance(value, _Fraction) or (isinstance(value, int) and abs(value) > MAX_INTEGER):
        raise source.wrong(path, f"a number must be an integer of at most {MAX_INTEGER}")
    if isinstance(value, _Twice):
        raise source.wrong((*path, value.name), f"an object may hold {value.name!r} once, not twice")
    if isinstance(value, str) and not _is_text(value):
        raise source.wrong(path, "a string must be Unicode text without lone surrogates")
    if isinstance(value, dict):
        for key, item in value.items():
            if not _is_text(key):
                raise source.wrong(path, "a name must be Unicode text without lone surrogates")
            _check(source, item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check(source, item, (*path, index))


def _is_text(value: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _lines(text: str) -> dict[Path, int]:
    """Line of each value of a well-formed JSON text; a member stands on the line of its name."""
    found: dict[Path, int] = {}
    path: list[str | int] = []
    inside: list[str] = []
    named = False
    line, at = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", at, token.start())
        at = token.start()
        word = token.group()
        if word == ":":
            continue
        if word == ",":
            if inside[-1] == "[":
                path[-1] = int(path[-1]) + 1
            continue
        if word in "}]":
            inside.pop()
            path.pop()
            named = False
            continue
        if inside and inside[-1] == "{" and not named:
            path[-1] = json.loads(word)
            found[tuple(path)] = line
            named = True
            continue
        found.setdefault(tuple(path), line)
        named = False
        if word in "{[":
            inside.append(word)
            path.append(0 if word == "[" else "")
    return found
