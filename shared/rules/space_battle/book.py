"""All challenges of a War Room, so that what a command costs grows with those that are open, not with all there were.

Those that are over stay, as the state has them (SPB-13, SPB-107); they lie in blocks, of which a change replaces one.
Open ones are found by their pair (SPB-21) and in the order in which they expire (SPB-24).
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from shared.rules.space_battle.state import Challenge

_Key = TypeVar("_Key")
_Inner = TypeVar("_Inner")
_Value = TypeVar("_Value")
_BLOCK = 256
Pairs = Mapping[str, Mapping[str, int]]
"""The two of an open challenge, the smaller id first -> its number."""


class Book:
    """A value: `put` gives another one, and both share what did not change."""

    __slots__ = ("_blocks", "_count", "_expiries", "_pairs")

    def __init__(
        self,
        blocks: Mapping[int, Mapping[int, "Challenge"]] | None = None,
        pairs: Pairs | None = None,
        expiries: list[tuple[int, int]] | None = None,
        count: int = 0,
    ) -> None:
        self._blocks = blocks or {}
        self._pairs = pairs or {}
        self._expiries = expiries or []
        """When an open challenge expires, and its number, in order."""
        self._count = count

    def __len__(self) -> int:
        """How many challenges there are, open or over."""
        return self._count

    def __getitem__(self, number: int) -> "Challenge":
        return self._blocks[number // _BLOCK][number]

    def get(self, number: int) -> "Challenge | None":
        """The challenge of this number, None if there never was one."""
        return self._blocks.get(number // _BLOCK, {}).get(number)

    def all(self) -> Iterator["Challenge"]:
        """Every challenge, by number."""
        for _, block in sorted(self._blocks.items()):
            yield from (challenge for _, challenge in sorted(block.items()))

    def between(self, one: str, other: str) -> int | None:
        """The open challenge of a pair, whoever issued it (SPB-106)."""
        first, second = _pair(one, other)
        return self._pairs.get(first, {}).get(second)

    def expiries(self) -> list[tuple[int, int]]:
        """When each open challenge expires, and its number, by number."""
        return sorted(self._expiries, key=_number)

    @property
    def first_expiry(self) -> int | None:
        """When the next open challenge expires."""
        return self._expiries[0][0] if self._expiries else None

    @property
    def last_expiry(self) -> int | None:
        """When the last open challenge expires."""
        return self._expiries[-1][0] if self._expiries else None

    def expired(self, at: int) -> list["Challenge"]:
        """Open challenges that have expired by then, by number."""
        end = bisect_right(self._expiries, at, key=_time)
        return [self[number] for number in sorted(number for _, number in self._expiries[:end])]

    def put(self, *challenges: "Challenge") -> "Book":
        """A book with these in their places."""
        blocks, pairs = _Rows(self._blocks), _Rows(self._pairs)
        expiries, count = self._expiries.copy(), self._count
        for challenge in challenges:
            block = blocks.row(challenge.id // _BLOCK)
            before = block.get(challenge.id)
            if before is None:
                count += 1
            elif before.open:
                first, second = _pair(*before.players)
                del pairs.row(first)[second]
                del expiries[bisect_left(expiries, (before.expires_at, before.id))]
            if challenge.open:
                first, second = _pair(*challenge.players)
                pairs.row(first)[second] = challenge.id
                insort(expiries, (challenge.expires_at, challenge.id))
            block[challenge.id] = challenge
        return Book(blocks.found, pairs.found, expiries, count)


class _Rows(Generic[_Key, _Inner, _Value]):
    """A table of two levels that is being changed: rows are copied as they are first asked for."""

    def __init__(self, table: Mapping[_Key, Mapping[_Inner, _Value]]) -> None:
        self.found: dict[_Key, Mapping[_Inner, _Value]] = dict(table)
        self._own: dict[_Key, dict[_Inner, _Value]] = {}

    def row(self, key: _Key) -> dict[_Inner, _Value]:
        """A row that may be written."""
        if key not in self._own:
            self._own[key] = dict(self.found.get(key, {}))
            self.found[key] = self._own[key]
        return self._own[key]


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _time(entry: tuple[int, int]) -> int:
    return entry[0]


def _number(entry: tuple[int, int]) -> int:
    return entry[1]
