"""Canonical JSON (ENG-7): sorted keys, no spaces, UTF-8, integers only.

The bytes equal ``json.dumps(x, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()``; orjson writes
them several times faster. A test compares the two on arbitrary values.
"""

import hashlib
import json
from typing import Any

import orjson

MAX_INTEGER = 2**53 - 1
"""Largest magnitude of an integer that enters the log: every JSON reader holds it exactly."""

_DEEPEST = 32


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of a value made of dict, list, tuple, str, int, bool and None.

    Callers hand in values without floats: what comes from outside passed `parse`, what the rules make is integers.
    Raises TypeError for a value that JSON does not know and for an integer beyond 64 bits.
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def sha256_hex(data: bytes) -> str:
    """Hex SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


class NotCanonical(ValueError):
    """A JSON text that has no canonical form here: broken, a float, a huge integer, or nested too deeply."""


def parse(data: bytes | str, around: int = 0) -> Any:
    """Read JSON, which may have so many levels around what was read by itself before. Raises NotCanonical with what
    would have been right."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise NotCanonical(f"not JSON: {error}") from None
    if not _fits(value, -around):
        _check(value, -around, "")
    return value


def parse_strictly(data: bytes) -> Any:
    """Read JSON from outside, in which no object may have a key twice: readers differ in which of the two they take.

    Raises NotCanonical as `parse` does. orjson drops all but the last. As many colons as there are keys left prove that
    none was dropped; only a text with others, in strings, is read a second time.
    """
    value = parse(data)
    if data.count(b":") != _keys(value):
        json.loads(data, object_pairs_hook=_once)
    return value


def _keys(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_keys, value.values()))
    return sum(map(_keys, value)) if isinstance(value, list) else 0


def _once(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise NotCanonical(f"not unambiguous: it has the key {key[:64]} twice in an object")
        seen.add(key)


def _fits(value: Any, depth: int) -> bool:
    """Whether `_check` has nothing to say: without places, as nearly everything fits."""
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return depth <= _DEEPEST
    if kind is int:
        return -MAX_INTEGER <= value <= MAX_INTEGER and depth <= _DEEPEST
    if kind is dict:
        value = value.values()
    elif kind is not list:
        return False
    return depth <= _DEEPEST and all(_fits(item, depth + 1) for item in value)


def _check(value: Any, depth: int, place: str) -> None:
    if depth > _DEEPEST:
        raise NotCanonical(f"nested more than {_DEEPEST} levels deep")
    if isinstance(value, dict):
        for key, item in value.items():
            _check(item, depth + 1, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check(item, depth + 1, f"{place}.{index}" if place else str(index))
    elif isinstance(value, float):
        raise NotCanonical(f"not made of integers: {place or 'the value'} has a fraction, an exponent or over 64 bits")
    elif isinstance(value, int) and not -MAX_INTEGER <= value <= MAX_INTEGER:
        raise NotCanonical(f"not made of integers within +-{MAX_INTEGER}: {place or 'the value'} is beyond")
