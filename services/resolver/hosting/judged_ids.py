"""Ids of the inputs judged lately. They outnumber everything else that a host remembers, so each takes 200 bytes.

As texts and a tuple they took 430: after three turns of 100,000 players half of a resolver's memory.

Stored they are columns: how many there are and how many of them are 32 hex digits; the ids that are, in 16 bytes each;
hashes in 32; numbers and times in 8, as the two counts, the lowest byte first; if there are others, canonical JSON
of [place, id] of each. Before that they were canonical JSON of [ids, numbers, hashes, times], which is still read.
"""

import struct
import sys
from array import array
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import orjson

from shared.canonical import canonical
from shared.collection import paused

_COUNTS = struct.Struct("<QQ")
_ID_BYTES = 16
_HASH_BYTES = 32
_NUMBER_BYTES = 8
_ID_DIGITS = 2 * _ID_BYTES
_COLUMNS = 4
_BETWEEN = b"],["
_AROUND_DIGITS = b'[]",'
_AT_ONCE = 8_192
"""So many are made bytes at a time: in one list those of 100,000 players took more than all else of a game."""

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

    __slots__ = ("_ats", "_forgotten", "_hashes", "_in_json", "_places", "_seqs", "_stored")

    def __init__(self, stored: bytes | None = None, *, in_json: bool = False) -> None:
        """`stored` is what `stored()` gave, or with `in_json` what it gave before there were columns of bytes."""
        self._stored = stored
        self._in_json = in_json
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
        """All columns, as a snapshot has them."""
        return b"".join(self.stored_parts())

    def stored_parts(self) -> list[bytes]:
        """What `stored` gives, in parts, which nothing changes that is done here later."""
        if self._stored is not None and not self._in_json:
            return [self._stored]
        self._read()
        ids = list(self._ids_in_bytes())
        count, numbered = len(self._places), sum(map(len, ids)) // _ID_BYTES
        parts = [_COUNTS.pack(count, numbered), *ids, bytes(self._hashes), _in_bytes(self._seqs), _in_bytes(self._ats)]
        if numbered < count:
            parts.append(canonical([(place, id) for place, id in enumerate(self._places) if isinstance(id, str)]))
        return parts

    def _ids_in_bytes(self) -> Iterator[bytes]:
        keys = iter(self._places)
        while some := list(islice(keys, _AT_ONCE)):
            yield b"".join([key.to_bytes(_ID_BYTES, "big") if isinstance(key, int) else b"" for key in some])

    def _read(self) -> None:
        if self._stored is None:
            return
        with paused():
            if self._in_json:
                self._read_json(self._stored)
            else:
                self._read_columns(memoryview(self._stored))
        self._stored = None

    def _read_columns(self, stored: memoryview) -> None:
        count, numbered = _COUNTS.unpack_from(stored)
        sizes = (numbered * _ID_BYTES, count * _HASH_BYTES, count * _NUMBER_BYTES, count * _NUMBER_BYTES)
        columns, start = [], _COUNTS.size
        for size in sizes:
            columns.append(stored[start : start + size])
            start += size
        ids, hashes, seqs, ats = columns
        numbers = (int.from_bytes(id, "big") for (id,) in struct.iter_unpack(f"{_ID_BYTES}s", ids))
        keys: Iterator[_Key] = numbers
        if numbered < count:
            others: dict[int, str] = dict(orjson.loads(stored[start:]))
            keys = (others[place] if place in others else next(numbers) for place in range(count))
        self._places = {key: place for place, key in enumerate(keys)}
        self._hashes = bytearray(hashes)
        self._seqs, self._ats = _numbers(seqs), _numbers(ats)

    def _read_json(self, stored: bytes) -> None:
        ids, seqs, hashes, ats = _columns_in_json(stored)
        self._places = {_key(id): place for place, id in enumerate(orjson.loads(ids))}
        self._seqs, self._ats = array("q", orjson.loads(seqs)), array("q", orjson.loads(ats))
        self._hashes = bytearray.fromhex(bytes(hashes).translate(None, _AROUND_DIGITS).decode())


def _key(id: str) -> _Key:
    if len(id) != _ID_DIGITS:
        return id
    try:
        number = int(id, 16)
    except ValueError:
        return id
    return number if number >= 0 and f"{number:032x}" == id else id


def _columns_in_json(stored: bytes) -> list[memoryview]:
    """The JSON of each column, to be read one by one: as objects all of them take three times as much."""
    view = memoryview(stored)
    end = len(stored) - 1
    found = []
    for _ in range(_COLUMNS - 1):  # from the last on: what is between two of them may stand in an id
        start = stored.rindex(_BETWEEN, 0, end) + len(_BETWEEN) - 1
        found.append(view[start:end])
        end = start - 1
    return [view[1:end], *reversed(found)]


def _in_bytes(numbers: "array[int]") -> bytes:
    return _lowest_first(numbers[:]).tobytes()


def _numbers(stored: memoryview) -> "array[int]":
    numbers = array("q")
    numbers.frombytes(stored)
    return _lowest_first(numbers)


def _lowest_first(numbers: "array[int]") -> "array[int]":
    """From the order of this machine's bytes, or back to it, in place."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
