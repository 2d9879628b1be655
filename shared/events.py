"""The envelope: inputs, journal events, and the records that carry them (CloudEvents 1.0, binary mode).

An input record's value is the canonical JSON of the whole input, so its SHA-256 is the hash of ENG-7. A record of
`turns` or `chronicle` packs many events of one game. Event types on topics are `warledger.<game>.<name>.v<version>`;
those of the host are `warledger.host.<name>.v<version>`.
"""

import hmac
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from shared.canonical import canonical, parse, sha256_hex
from shared.rules.interface import Input, Role

MAX_RECORD_BYTES = 900_000
"""No record of any topic is larger."""
RECORD_BYTES = 64_000
"""A record of events ends before the event that would make it larger: what is read at once then stays in the
processor's cache (folding from records ten times as large takes a quarter longer)."""
MAX_EVENT_BYTES = 256 * 1024
"""No single event is larger; larger data is stored by hash and journalled in parts."""

HOST = "host"
CLOCK_ACTOR = "clock"
NO_SALT = "0" * 32
"""Salt of inputs of the clock: what they say is public before it happens."""


@lru_cache(maxsize=4096)
def event_type(game: str, name: str, version: int = 1) -> str:
    """Name of an event type on topics; `game` is `host` for events of the host."""
    return f"warledger.{game}.{name}.v{version}"


class TypeName(NamedTuple):
    """The parts of an event type's name."""

    game: str
    name: str
    version: int


def split_type(full: str) -> TypeName:
    """Take a full type name apart. Raises ValueError if it is none of ours."""
    prefix, _, rest = full.partition(".")
    game, _, rest = rest.partition(".")
    name, _, version = rest.rpartition(".v")
    if prefix != "warledger" or not game or not name or not version.isdigit():
        raise ValueError(f"{full!r} is no event type; expected warledger.<game>.<name>.v<version>")
    return TypeName(game, name, int(version))


@dataclass(frozen=True, slots=True)
class Submitted:
    """An input as the intake made it: what is hashed, signed and stored, before the log gave it a time."""

    id: str
    game: str
    actor: str
    role: Role
    type: str
    payload: Mapping[str, Any]
    salt: str
    _hash: str = field(default="", init=False, repr=False, compare=False)

    def value(self) -> bytes:
        """The record value: canonical JSON of {actor, game, id, payload, role, salt, type}."""
        return canonical(
            {
                "actor": self.actor,
                "game": self.game,
                "id": self.id,
                "payload": self.payload,
                "role": self.role,
                "salt": self.salt,
                "type": self.type,
            }
        )

    def hash(self) -> str:
        """Hash of the input (ENG-7); made once, or by `read_submitted` from the bytes that were stored."""
        if not self._hash:
            self._keep_hash(self.value())
        return self._hash

    def _keep_hash(self, value: bytes) -> None:
        object.__setattr__(self, "_hash", sha256_hex(value))

    def judged_at(self, at: int, seq: int) -> Input:
        """The input as `decide` sees it."""
        return Input(self.id, self.game, self.actor, self.role, self.type, self.payload, self.salt, at, seq)


def salt_of(
    salt_key: bytes, *, actor: str, game: str, id: str, payload: Mapping[str, Any], role: str, type: str
) -> str:
    """Salt of an input: first 32 hex digits of HMAC-SHA-256 over the canonical JSON of the rest (design, Inputs)."""
    rest = {"actor": actor, "game": game, "id": id, "payload": payload, "role": role, "type": type}
    return hmac.digest(salt_key, canonical(rest), "sha256").hex()[:32]


def input_id(game: str, actor: str, idempotency_key: str) -> str:
    """Id of an input from its idempotency key: first 32 hex digits of SHA-256("game|actor|key")."""
    return sha256_hex(f"{game}|{actor}|{idempotency_key}".encode())[:32]


class Unreadable(ValueError):
    """A record value that is no input, or a batch that cannot be read."""


def read_submitted(value: bytes) -> Submitted:
    """Read the value of an input record. Raises Unreadable."""
    try:
        data = parse(value)
    except ValueError as error:
        raise Unreadable(str(error)) from None
    if not isinstance(data, dict) or set(data) != {"actor", "game", "id", "payload", "role", "salt", "type"}:
        raise Unreadable("an input has exactly actor, game, id, payload, role, salt, type")
    if data["role"] not in ("player", "operator") or not isinstance(data["payload"], dict):
        raise Unreadable("role must be player or operator, payload an object")
    if not all(isinstance(data[key], str) for key in ("actor", "game", "id", "salt", "type")):
        raise Unreadable("actor, game, id, salt and type must be strings")
    if canonical(data) != value:
        raise Unreadable("the value is not in canonical form")
    submitted = Submitted(**data)
    submitted._keep_hash(value)
    return submitted


class JournalEvent(NamedTuple):
    """One event with its position: number n within its game, from 1 without gaps. `type` is the full name."""

    n: int
    type: str
    data: Mapping[str, Any]
    to: tuple[str, ...]

    def line(self) -> bytes:
        """The event's canonical JSON, without line feed: what is hashed, exported and compared by a replay."""
        return self.line_of(canonical(self.data))

    def line_of(self, data: bytes) -> bytes:
        """Its line where the canonical JSON of its data is there already."""
        return b'{"data":%b,"n":%d%b' % (data, self.n, behind_the_number(tuple(self.to), self.type))


@lru_cache(maxsize=4096)
def behind_the_number(to: tuple[str, ...], type: str) -> bytes:
    """The end of the line of an event, behind its number."""
    return b',"to":%b,"type":"%b"}' % (canonical(to), type.encode())


class Origin(NamedTuple):
    """Where the input judged at position n stood: envelope, kept with the record, never hashed."""

    n: int
    topic: str
    partition: int
    offset: int
    traceparent: str | None


class Batch(NamedTuple):
    """Events of one game in one record. `part` i of `parts` when one close takes several records."""

    game: str
    events: tuple[JournalEvent, ...]
    origins: tuple[Origin, ...]
    part: int = 1
    parts: int = 1
    value: bytes = b""
    """The record's value, if it was read from one."""


def pack(game: str, events: Sequence[JournalEvent], origins: Sequence[Origin] = ()) -> list[bytes]:
    """Record values that hold the events in order, none over MAX_RECORD_BYTES.

    The parts of one call are numbered; a reader has the whole when it has the last part. Raises ValueError for an
    event over MAX_EVENT_BYTES: the rules must emit such data in parts.
    """
    made = [event.line() for event in events]
    for event, line in zip(events, made, strict=True):
        if len(line) > MAX_EVENT_BYTES:
            raise ValueError(
                f"event {event.n} of {game}, {event.type}, has {len(line)} bytes; {MAX_EVENT_BYTES} are allowed"
            )
    packing = Packing()
    packing.add(made)
    return packing.values(game, origins)


class Packing:
    """Lines of events on their way into records, none of them over MAX_EVENT_BYTES.

    They are joined as they come, while they are in the processor's cache.
    """

    __slots__ = ("_full", "_open", "_size")

    def __init__(self) -> None:
        self._full: list[bytes] = []
        """Events of the records that are full,"""
        self._open: list[bytes] = []
        """and, in pieces, those of the last one."""
        self._size = 0
        """Of that one, with a comma behind each line."""

    def add(self, lines: Sequence[bytes]) -> None:
        """The next lines; there must be some."""
        size = sum(map(len, lines)) + len(lines)
        if self._size + size - 1 <= RECORD_BYTES:
            self._open.append(b",".join(lines))
            self._size += size
            return
        start = 0
        for place, line in enumerate(lines):
            if self._size + len(line) > RECORD_BYTES and self._size:
                self._full.append(b",".join([*self._open, *lines[start:place]]))
                self._open.clear()
                self._size, start = 0, place
            self._size += len(line) + 1
        self._open.append(b",".join(lines[start:]))

    def values(self, game: str, origins: Sequence[Origin] = ()) -> list[bytes]:
        """The values of the records, their parts numbered; the origins stand in the first. It holds no lines then."""
        values = [*self._full, b",".join(self._open)]
        self._full, self._open, self._size = [], [], 0
        listed, name, parts = canonical([list(origin) for origin in origins]), canonical(game), len(values)
        for place, body in enumerate(values):  # one after the other: a close of 100,000 players has 40 MB of them
            values[place] = b'{"events":[%b],"game":%b,"origins":%b,"part":%d,"parts":%d}' % (
                body, name, listed if place == 0 else b"[]", place + 1, parts
            )  # fmt: skip
        return values


_new = tuple.__new__
_EVENT_FIELDS = operator.itemgetter("n", "type", "data", "to")


def unpack(value: bytes) -> Batch:
    """Read a record of turns or chronicle. Raises Unreadable."""
    try:
        data = orjson.loads(value)
        # A season has hundreds of thousands of events: `_new` skips what the constructor of a NamedTuple adds.
        events = [
            _new(JournalEvent, (n, type, of, tuple(to))) for n, type, of, to in map(_EVENT_FIELDS, data["events"])
        ]
        origins = tuple(map(Origin._make, data["origins"]))
        return Batch(data["game"], tuple(events), origins, data["part"], data["parts"], value)
    except (ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"not a batch of events: {error}") from None


def public_form(event: JournalEvent) -> tuple[str, Mapping[str, Any]] | None:
    """Type and data of an event in the chronicle, or None if it is not public.

    A certificate loses its nonce, the state hash and, while the game runs, the key of a sealed resolution; every other
    public event is public as it stands.
    """
    if "public" not in event.to:
        return None
    if event.type == CERTIFIED:
        return event.type, {key: item for key, item in event.data.items() if key not in _JOURNAL_ONLY}
    return event.type, event.data


CERTIFIED = event_type(HOST, "resolution.certified")
_JOURNAL_ONLY = frozenset({"nonce", "sealed_key", "state"})


def lines(events: Iterable[JournalEvent]) -> Iterator[bytes]:
    """The events as an export writes them: one canonical line each, with line feed."""
    for event in events:
        yield event.line() + b"\n"
