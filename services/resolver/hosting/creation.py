"""The creation of a game: the data that it names, and the state that its rules make of it."""

from collections.abc import Callable, Mapping
from typing import Any

from services.resolver.hosting.game import Creation
from shared.canonical import NotCanonical, parse, sha256_hex
from shared.commands import CREATE_GAME
from shared.events import JournalEvent
from shared.host_events import DATA_PART
from shared.rules.interface import PUBLIC, Event, Input, Refusal, Rules

PART_BYTES = 100_000
"""UTF-8 bytes of a data part's text: quoted into JSON it stays below the limit of an event."""

DataSource = Callable[[str], bytes | None]
"""SHA-256 -> the stored bytes, or None."""


class NoData(LookupError):
    """Data that a creation names is not stored, or is no JSON of ours."""


def named_data(create: Mapping[str, Any]) -> dict[str, str]:
    """Key of `create` -> SHA-256, for every value of the form {"sha256": TEXT}, in the order of keys."""
    return {
        key: value["sha256"]
        for key, value in sorted(create.items())
        if isinstance(value, Mapping) and set(value) == {"sha256"} and isinstance(value["sha256"], str)
    }


def read_data(source: DataSource, sha256: str) -> tuple[str, Any]:
    """The stored text and its JSON value. Raises NoData with the reason."""
    stored = source(sha256)
    if stored is None or sha256_hex(stored) != sha256:
        raise NoData(f"no data with the SHA-256 {sha256} is stored; store it before a creation names it")
    try:
        return stored.decode(), parse(stored)
    except (NotCanonical, UnicodeDecodeError) as error:
        raise NoData(f"the data {sha256} cannot be used: {error}") from None


def announce(game: str, rules: Rules[Any], creation: Creation, source: DataSource) -> tuple[Any, list[Event]] | Refusal:
    """What the rules make of a creation, its data put in place. Raises NoData."""
    create = dict(creation.payload["create"])
    for key, sha256 in named_data(create).items():
        create[key] = read_data(source, sha256)[1]
    made = Input(
        creation.id, game, creation.actor, "operator", CREATE_GAME, create, creation.salt, creation.at, creation.seq
    )
    return rules.initial(made)


def part_events(n: int, sha256: str, text: str) -> list[JournalEvent]:
    """The events that take one piece of data into the journal, from position n on."""
    parts = _cut(text)
    return [
        JournalEvent(
            n + index, DATA_PART, {"sha256": sha256, "part": index + 1, "parts": len(parts), "text": part}, PUBLIC
        )
        for index, part in enumerate(parts)
    ]


def _cut(text: str) -> list[str]:
    """The text in parts of at most PART_BYTES of UTF-8; no character is cut."""
    parts = []
    start = 0
    while start < len(text):
        end = min(len(text), start + PART_BYTES)
        while len(text[start:end].encode()) > PART_BYTES:
            end = start + (end - start) // 2
        parts.append(text[start:end])
        start = end
    return parts
