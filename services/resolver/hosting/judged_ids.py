"""Ids of the inputs judged lately. They outnumber everything else that a host remembers, so each takes 200 bytes.

As texts and a tuple they took 430: after three turns of 100,000 players half of a resolver's memory.
"""

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import orjson

from shared.canonical import canonical
from shared.collection import paused

_HASH_BYTES = 32
_ID_DIGITS = 32
_COLUMNS = 4
_BETWEEN = b"],["
_AROUND_DIGITS = b'[]",'
_AT_ONCE = 8_192
"""So many are made JSON at a time: as texts in one list those of 100,000 players took more than all else of a game."""

_Key = int | str
"""An id of 32 hex digits as its number; another one as it stands."""


class FirstJudgement(NamedTuple):
    """The first judgement of an input: its number, the input's hash, and its time (UTC milliseconds)."""

    seq: int
    hash: str
    at: int


class JudgedIds:
    """Ids in the order of their first judgements.

    A snapshot gives them as they are stored, and they are read when the game is first judged again.
    """

    __slots__ = ("_ats", "_forgotten", "_hashes", "_places", "_seqs", "_stored")

    def __init__(self, stored: bytes | None = None) -> None:
        """`stored` is what `stored()` gave."""
        self._stored = stored
        self._places: dict[_Key, int] = {}
        """Id -> its place in the columns, those included that were forgotten."""
        self._seqs, self._ats = array("q"), array("q")
        self._hashes = bytearray()
        self._forgotten = 0

    def __len__(self) -> int:
        self._read()
        return len(self._places)

    def __contains__(self, id: str) -> bool:
        self._read()
        return _key(id) in self._places

    def first(self, id: str) -> FirstJudgement | None:
        """The first judgement of an id that is still remembered."""
        self._read()
        place = self._places.get(_key(id))
        if place is None:
            return None
        column = place - self._forgotten
        hash = self._hashes[_HASH_BYTES * column : _HASH_BYTES * (column + 1)].hex()
        return FirstJudgement(self._seqs[column], hash, self._ats[column])

    def add(self, id: str, first: FirstJudgement) -> None:
        """Remember the judgement of an id that is not remembered."""
        self._read()
        self._places[_key(id)] = self._forgotten + len(self._seqs)
        self._seqs.append(first.seq)
        self._hashes += bytes.fromhex(first.hash)
        self._ats.append(first.at)

    def oldest_before(self, horizon: int) -> bool:
        """Whether the oldest judgement that is remembered was before `horizon`."""
        self._read()
        return bool(self._ats) and self._ats[0] < horizon

    def forget_before(self, horizon: int) -> None:
        """Drop the oldest ids up to the first one judged at or after `horizon`."""
        if not self.oldest_before(horizon):
            return
        count = next((place for place, at in enumerate(self._ats) if at >= horizon), len(self._ats))
        for key in list(islice(self._places, count)):
            del self._places[key]
        del self._seqs[:count], self._ats[:count], self._hashes[: _HASH_BYTES * count]
        self._forgotten += count

    def stored(self) -> bytes:
        """Canonical JSON of [ids, numbers, hashes, times]."""
        return b"".join(self.stored_parts())

    def stored_parts(self) -> Iterator[bytes]:
        """What `stored` gives, in parts; all of them must be taken before anything else is done here."""
        if self._stored is not None:
            yield self._stored
            return
        columns = (self._ids_in_json(), _in_json(self._seqs), self._hashes_in_json(), _in_json(self._ats))
        before = b"[["
        for column in columns:
            yield before
            yield from _joined(column)
            before = _BETWEEN
        yield b"]]"

    def _ids_in_json(self) -> Iterator[bytes]:
        keys = iter(self._places)
        while some := [_id(key) for key in islice(keys, _AT_ONCE)]:
            yield _inside(canonical(some))

    def _hashes_in_json(self) -> Iterator[bytes]:
        for start in range(0, len(self._hashes), _HASH_BYTES * _AT_ONCE):
            digits = self._hashes[start : start + _HASH_BYTES * _AT_ONCE].hex(",", _HASH_BYTES)
            yield b'"%b"' % digits.replace(",", '","').encode()

    def _read(self) -> None:
        if self._stored is None:
            return
        with paused():
            ids, seqs, hashes, ats = _columns(self._stored)
            self._places = {_key(id): place for place, id in enumerate(orjson.loads(ids))}
            self._seqs, self._ats = array("q", orjson.loads(seqs)), array("q", orjson.loads(ats))
            self._hashes = bytearray.fromhex(bytes(hashes).translate(None, _AROUND_DIGITS).decode())
        self._stored = None


def _key(id: str) -> _Key:
    if len(id) != _ID_DIGITS:
        return id
    try:
        number = int(id, 16)
    except ValueError:
        return id
    return number if _id(number) == id else id


def _id(key: _Key) -> str:
    return key if isinstance(key, str) else f"{key:032x}"


def _columns(stored: bytes) -> list[memoryview]:
    """The JSON of each column, to be read one by one: as objects all of them take three times as much."""
    view = memoryview(stored)
    end = len(stored) - 1
    found = []
    for _ in range(_COLUMNS - 1):  # from the last on: what is between two of them may stand in an id
        start = stored.rindex(_BETWEEN, 0, end) + len(_BETWEEN) - 1
        found.append(view[start:end])
        end = start - 1
    return [view[1:end], *reversed(found)]


def _in_json(numbers: "array[int]") -> Iterator[bytes]:
    """Of each part of a column its items, with commas between them."""
    for start in range(0, len(numbers), _AT_ONCE):
        yield _inside(canonical(numbers[start : start + _AT_ONCE].tolist()))


def _inside(json: bytes) -> bytes:
    return json[1:-1]


def _joined(parts: Iterator[bytes]) -> Iterator[bytes]:
    yield from islice(parts, 1)
    for part in parts:
        yield b","
        yield part
