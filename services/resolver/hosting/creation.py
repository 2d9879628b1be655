"""The creation of a game: the data that it names, and the state that its rules make of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.resolver.hosting.game import Creation
from shared.canonical import NotCanonical, parse, sha256_hex
from shared.commands import CREATE_GAME
from shared.creation import named_data
from shared.events import JournalEvent
from shared.host_events import DATA_PART
from shared.rules.interface import Event, Input, Refusal, Rules

PART_BYTES = 100_000
"""UTF-8 bytes of a data part's text: quoted into JSON it stays below the limit of an event."""

DataSource = Callable[[str], bytes | None]
"""SHA-256 -> the stored bytes, or None."""


class NoData(LookupError):
    """Data that a creation names is not stored, or is no JSON of ours."""


@dataclass(slots=True)
class DataRead:
    """Remembers what was read: the journal takes in what a creation was judged by, whatever came of it."""

    source: DataSource
    texts: dict[str, str] = field(default_factory=dict)
    """SHA-256 -> the text that was read."""

    def __call__(self, sha256: str) -> bytes | None:
        """The stored bytes. What is not what it is called, or no text, could not be journalled: it is not there."""
        stored = self.source(sha256)
        if stored is None or sha256_hex(stored) != sha256:
            return None
        try:
            self.texts[sha256] = stored.decode()
        except UnicodeDecodeError:
            return None
        return stored


def _value_of(source: DataSource, sha256: str) -> Any:
    """The JSON value of the stored data. Raises NoData with the reason."""
    stored = source(sha256)
    if stored is None:
        raise NoData(f"no data with the SHA-256 {sha256} is stored; store it before a creation names it")
    try:
        return parse(stored)
    except NotCanonical as error:
        raise NoData(f"the data {sha256} cannot be used: {error}") from None


def announce(game: str, rules: Rules[Any], creation: Creation, source: DataSource) -> tuple[Any, list[Event]] | Refusal:
    """What the rules make of a creation, its data put in place. Raises NoData."""
    create = dict(creation.payload["create"])
    for key, sha256 in named_data(create).items():
        create[key] = _value_of(source, sha256)
    made = Input(
        creation.id, game, creation.actor, "operator", CREATE_GAME, create, creation.salt, creation.at, creation.seq
    )
    return rules.initial(made)


def part_events(n: int, texts: Mapping[str, str], to: tuple[str, ...]) -> list[JournalEvent]:
    """The events that take data (SHA-256 -> text) into the journal, from position n on."""
    events: list[JournalEvent] = []
    for sha256, text in sorted(texts.items()):
        parts = _cut(text)
        for number, part in enumerate(parts, 1):
            data = {"sha256": sha256, "part": number, "parts": len(parts), "text": part}
            events.append(JournalEvent(n + len(events), DATA_PART, data, to))
    return events


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
    return parts or [""]
