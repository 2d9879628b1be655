"""What a view document holds: its value now and one before, each with the position that wrote it.

A value may be ahead of its game's head, because documents are written before the head moves. So a writer keeps the
last value that the head has reached, and a reader takes the newest value that its head has reached. `until` is the
position of the first change after `old`: from there on `old` is wrong, also where a writer knew an older head than its
reader does, as one that was asleep while another took its partition.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class HeadMoved(Exception):
    """A document was written over beyond the head that was read: read the head again and start over."""


class Version(NamedTuple):
    """A value and the position of the event that made it. `gone` marks a document that is no longer there."""

    n: int
    fields: Mapping[str, Any]
    gone: bool = False


def body(now: Version, old: Version | None, until: int | None = None) -> dict[str, Any]:
    """The body of a document; without `until` nothing was written between the two values."""
    return {
        "now": _stored(now),
        "old": None if old is None else _stored(old),
        "until": now.n if until is None else until,
    }


def _stored(version: tuple[int, Mapping[str, Any], bool]) -> dict[str, Any]:
    n, fields, gone = version
    return {"n": n, "fields": fields, "gone": gone}


def now_of(body: Mapping[str, Any]) -> Version:
    """The value now."""
    now = body["now"]
    return Version(now["n"], now["fields"], now["gone"])


def advance(
    stored: Mapping[str, Any] | None, value: tuple[int, Mapping[str, Any], bool], first: int, head: int
) -> dict[str, Any]:
    """The body after a write: `now` becomes `old` if the head has reached it, else `now` alone is replaced.

    `value` is a Version, or what one holds. `first` is the position of the first change after what is stored, the last
    of which made the value.
    """
    now = _stored(value)
    if stored is None:
        return {"now": now, "old": None, "until": first}
    before = stored["now"]
    if before["n"] <= head:
        return {"now": now, "old": before, "until": first}
    return {"now": now, "old": stored["old"], "until": stored["until"]}


def at_head(body: Mapping[str, Any], head: int) -> Mapping[str, Any] | None:
    """The fields that a reader at this head sees; None if there is no document for it. Raises HeadMoved."""
    version = body["now"]
    if version["n"] > head:
        if body["until"] <= head:
            raise HeadMoved
        version = body["old"]
        if version is None:
            return None
        if version["n"] > head:
            raise HeadMoved
    if version["gone"]:
        return None
    fields: Mapping[str, Any] = version["fields"]
    return fields
