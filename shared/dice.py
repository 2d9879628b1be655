"""Dice of the games: the seed chain, sealed keys and labelled streams (ENG-6 to ENG-9).

Pure: everything here is a function of its arguments. The master key enters through `Chain` and `sealed_key` alone,
which only the resolver and tests call.
"""

import hashlib
import hmac
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar

T = TypeVar("T")
Integer: TypeAlias = int  # `int` names the primitive inside the classes below

CHAIN_LENGTH = 1024
"""Seeds of one chain: seed[1] to seed[1024]; seed[0] is the public commitment."""

_BLOCK_BYTES = 512
_BLOCK_WORDS = _BLOCK_BYTES // 4
_FIRST_BYTES = 272
"""Of the first block: what two rounds of SHAKE256 bring."""
_LITTLE_ENDIAN = sys.byteorder == "little"
_SPAN = 1 << 32
_NOTHING = array("I")
_NEAR_THE_END = b"\xff\xff\xff"
"""Whatever `int(100)` discards begins with it."""
_FACES = {f"d{face}": face for face in range(1, 7)}


def step(seed: bytes) -> bytes:
    """The seed before this one in its chain: seed[i-1] = SHA-256(seed[i])."""
    return hashlib.sha256(seed).digest()


def chain_top(master_key: bytes, game: str, chain: int, salt: str) -> bytes:
    """seed[1024] of chain number `chain` (from 0) with its salt (32 hex digits)."""
    return hmac.digest(master_key, f"{game}|chain|{chain}|{salt}".encode(), "sha256")


def chain_seed(top: bytes, index: int) -> bytes:
    """seed[index] of the chain whose seed[1024] is `top`; index 0 to 1024."""
    if not 0 <= index <= CHAIN_LENGTH:
        raise ValueError(f"a chain has seeds 0 to {CHAIN_LENGTH}, not {index}")
    seed = top
    for _ in range(CHAIN_LENGTH - index):
        seed = hashlib.sha256(seed).digest()
    return seed


def sealed_key(master_key: bytes, game: str, label: str, salt: str) -> bytes:
    """Key of a sealed resolution (ENG-7); `game.created` publishes its SHA-256."""
    return hmac.digest(master_key, f"{game}|sealed|{label}|{salt}".encode(), "sha256")


def resolution_seed(seed: bytes, game: str, label: str, digest: str, beacon: str = "") -> bytes:
    """Seed of one resolution from its chain seed (or sealed key) and the digest of its inputs."""
    return hmac.digest(seed, f"{game}|{label}|{digest}|{beacon}".encode(), "sha256")


def leaf(input_id: str, input_hash: str) -> str:
    """Leaf of an input: hex SHA-256 of "<id> <hash>" (ENG-7)."""
    return hashlib.sha256(f"{input_id} {input_hash}".encode()).hexdigest()


def digest_of(leaves: Iterable[str]) -> str:
    """Digest of a resolution: hex SHA-256 over its leaves, sorted, each followed by a line feed."""
    return hashlib.sha256("\n".join([*sorted(leaves), ""]).encode()).hexdigest()


class ScriptError(ValueError):
    """A scripted draw that does not fit what the rules drew; the message says both."""


class Draws(Protocol):
    """What the rules draw with. `draws` counts the draws made so far (ENG-10)."""

    @property
    def draws(self) -> Integer: ...

    def int(self, n: Integer, /) -> Integer:
        """Uniform in 0..n-1; n = 1 needs no draw."""
        ...

    def pct(self, p: Integer, /) -> bool:
        """True with p per cent; p <= 0 and p >= 100 draw nothing."""
        ...

    def pick(self, items: Sequence[T], /) -> T:
        """One of the items; a single one needs no draw."""
        ...

    def shuffle(self, items: list[T], /) -> None:
        """Fisher-Yates from the last index down, in place, on a canonically ordered list."""
        ...

    def d6(self) -> Integer:
        """A die, 1 to 6."""
        ...

    def contest(self, first: Integer, second: Integer, below: Integer, /) -> tuple[Integer, Integer]:
        """Draw `int(100)` until a side is at 0: r < below costs the second side 1, any other r the first.

        Returns what is left of both. It is the same as that many single draws and several times faster.
        """
        ...


class Stream:
    """The draws of one scope under one resolution seed (ENG-8)."""

    __slots__ = ("_discards", "_loaded", "_prefix", "_rejected", "_rest", "_size")

    def __init__(self, seed: bytes, scope: str) -> None:
        self._prefix = b"%b|%b|" % (seed, scope.encode())
        self._loaded = 0
        self._discards = False
        self._rejected = 0
        self._size = 0
        self._rest: Iterator[Integer] = iter(_NOTHING)

    @property
    def draws(self) -> Integer:
        """Draws so far: words taken but not rejected. Derived, so that a draw itself counts nothing."""
        if not self._loaded:
            return 0
        # An iterator over an array tells its place to who pickles it; behind the last word it has none any more.
        told = self._rest.__reduce__()
        left = self._size - int(told[2]) if len(told) == 3 else 0
        return self._loaded - left - self._rejected

    def _load(self) -> None:
        """Put the next words in place of the last: the beginning of the first block, its rest, then whole blocks."""
        loaded = self._loaded
        # Two of three places of fighting need no more than the beginning: a third off what their streams cost.
        if not loaded:
            data = hashlib.shake_256(self._prefix + b"0").digest(_FIRST_BYTES)
        elif loaded < _BLOCK_WORDS:
            data = hashlib.shake_256(self._prefix + b"0").digest(_BLOCK_BYTES)[_FIRST_BYTES:]
        else:
            data = hashlib.shake_256(b"%b%d" % (self._prefix, loaded // _BLOCK_WORDS)).digest(_BLOCK_BYTES)
        # An array makes an integer of a word when it is drawn; to unpack all at once took five times as long.
        words = array("I", data)
        if _LITTLE_ENDIAN:
            words.byteswap()
        self._size = len(words)
        self._loaded = loaded + self._size
        # One look at all words instead of one at each of them: a contest goes a fifth faster.
        self._discards = _NEAR_THE_END in data
        self._rest = iter(words)

    def word(self) -> Integer:
        """The next raw 32-bit word."""
        word = next(self._rest, -1)
        if word < 0:
            self._load()
            word = next(self._rest)
        return word

    def int(self, n: Integer) -> Integer:
        if n <= 1:
            if n == 1:
                return 0
            raise ValueError(f"int(n) needs n >= 1, not {n}")
        word = next(self._rest, -1)
        if word < 0:
            self._load()
            word = next(self._rest)
        # Below 2^32 - n no word is ever rejected; the exact limit is worked out only beyond (measured: 15 % faster).
        return word % n if word <= _SPAN - n else self._int_near_the_end(n, word)

    def _int_near_the_end(self, n: Integer, word: Integer) -> Integer:
        if n > _SPAN:
            raise ValueError(f"int(n) needs n <= 2^32, not {n}")
        while word >= _SPAN - _SPAN % n:
            self._rejected += 1
            word = self.word()
        return word % n

    def pct(self, p: Integer) -> bool:
        return p > 0 and (p >= 100 or self.int(100) < p)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.int(len(items))]

    def shuffle(self, items: list[T]) -> None:
        n = len(items)
        while n > 1:
            # One loop over the block instead of a call a draw: twice the draws per second.
            for word in self._rest:
                near = word > _SPAN - n
                j = self._int_near_the_end(n, word) if near else word % n
                n -= 1
                items[n], items[j] = items[j], items[n]
                if near or n == 1:  # perhaps the next block is in place
                    break
            else:
                self._load()

    def d6(self) -> Integer:
        return self.int(6) + 1

    def contest(self, first: Integer, second: Integer, below: Integer) -> tuple[Integer, Integer]:
        if not first or not second:
            return first, second
        while not self._discards:
            # One loop over the block instead of a call a draw: three times the draws per second.
            for word in self._rest:
                if word % 100 < below:
                    second -= 1
                    if not second:
                        return first, 0
                else:
                    first -= 1
                    if not first:
                        return 0, second
            self._load()
        return self._contest_near_the_end(first, second, below)

    def _contest_near_the_end(self, first: Integer, second: Integer, below: Integer) -> tuple[Integer, Integer]:
        """A contest in a block with a word that may have to be discarded."""
        while first and second:
            if self.int(100) < below:
                second -= 1
            else:
                first -= 1
        return first, second


class Script:
    """Draws given by a test instead of a stream: integers for `int(n)`, "d5" for the face 5 of a die (scenarios.md).

    One script serves all scopes of a step, in the order of resolution.
    """

    __slots__ = ("_entries", "_used", "draws")

    def __init__(self, entries: Sequence[Integer | str]) -> None:
        self._entries = tuple(entries)
        self._used = 0
        self.draws = 0

    @property
    def unused(self) -> tuple[Integer | str, ...]:
        """What the rules did not draw; a scenario with a rest fails."""
        return self._entries[self._used :]

    def _take(self, wanted: str) -> Integer | str:
        if self._used == len(self._entries):
            raise ScriptError(f"the script of {len(self._entries)} draws is used up; the rules want {wanted}")
        entry = self._entries[self._used]
        self._used += 1
        self.draws += 1
        return entry

    def int(self, n: Integer) -> Integer:
        if n == 1:
            return 0
        entry = self._take(f"int({n})")
        if not isinstance(entry, int) or not 0 <= entry < n:
            raise ScriptError(f"draw {self._used} of the script is {entry!r}; the rules want int({n})")
        return entry

    def d6(self) -> Integer:
        entry = self._take("d6()")
        if isinstance(entry, str) and entry in _FACES:
            return _FACES[entry]
        raise ScriptError(f'draw {self._used} of the script is {entry!r}; the rules want a die, "d1" to "d6"')

    def pct(self, p: Integer) -> bool:
        return p > 0 and (p >= 100 or self.int(100) < p)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.int(len(items))]

    def shuffle(self, items: list[T]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.int(i + 1)
            items[i], items[j] = items[j], items[i]

    def contest(self, first: Integer, second: Integer, below: Integer) -> tuple[Integer, Integer]:
        while first and second:
            if self.int(100) < below:
                second -= 1
            else:
                first -= 1
        return first, second
