"""The dice of a scenario: a script, or the streams of its own seed chain (ENG-6 to ENG-8, docs/scenarios.md)."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from shared.dice import CHAIN_LENGTH, Draws, Script, ScriptError, Stream, digest_of, resolution_seed, step

T = TypeVar("T")
Integer = int

GAME = "scenario"
"""Id of the game in every scenario."""


class Chain:
    """The seeds of a scenario. `seed` is the hex of seed[1024]; `index` the number of resolutions so far."""

    __slots__ = ("_seeds", "index", "pending", "seed")

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.index = 0
        self.pending: tuple[str, ...] = ()
        """Leaves of the inputs accepted since the last resolution (ENG-7)."""
        value = bytes.fromhex(seed)
        self._seeds = [value]
        for _ in range(CHAIN_LENGTH):
            value = step(value)
            self._seeds.append(value)

    def revealed(self, index: int) -> bytes:
        """seed[index], 1 to 1024."""
        if index > CHAIN_LENGTH:
            raise ScriptError(f"a scenario has a chain of {CHAIN_LENGTH} resolutions, and this would be the next")
        return self._seeds[CHAIN_LENGTH - index]

    def sealed(self, label: str) -> bytes:
        """Key of a sealed resolution of a scenario."""
        return hashlib.sha256(f"{self.seed}|sealed|{label}".encode()).digest()


class CommandDice:
    """The dice of one command. Nothing of it is kept unless the command was accepted (`keep`)."""

    __slots__ = ("_chain", "_index", "_leaves", "_script", "opened")

    def __init__(self, chain: Chain, leaf: str | None, script: Script | None) -> None:
        self._chain = chain
        self._index = chain.index
        self._leaves = chain.pending if leaf is None else (*chain.pending, leaf)
        self._script = script
        self.opened: list[str] = []
        """Labels of the resolutions opened, in order."""

    def resolve(self, label: str) -> "Streams":
        self._index += 1
        return self._open(label, self._chain.revealed(self._index))

    def seal(self, label: str) -> "Streams":
        return self._open(label, self._chain.sealed(label))

    def _open(self, label: str, key: bytes) -> "Streams":
        self.opened.append(label)
        seed = resolution_seed(key, GAME, label, digest_of(self._leaves))
        self._leaves = ()
        return Streams(seed, self._script)

    def keep(self) -> None:
        """The command was accepted: its seeds are used, its input stands in the next digest or stood in one."""
        self._chain.index = self._index
        self._chain.pending = self._leaves


class Streams:
    """One resolution: a stream for each scope, the same one when it is asked for again."""

    __slots__ = ("_script", "_seed", "_streams")

    def __init__(self, seed: bytes, script: Script | None) -> None:
        self._seed = seed
        self._script = script
        self._streams: dict[str, Draws] = {}

    def stream(self, scope: str) -> Draws:
        if scope not in self._streams:
            self._streams[scope] = Stream(self._seed, scope) if self._script is None else Scripted(self._script)
        return self._streams[scope]


class Scripted:
    """The script of a step as seen from one scope, whose draws are counted apart (ENG-10)."""

    __slots__ = ("_script", "draws")

    def __init__(self, script: Script) -> None:
        self._script = script
        self.draws = 0

    def int(self, n: Integer) -> Integer:
        before = self._script.draws
        result = self._script.int(n)
        self.draws += self._script.draws - before
        return result

    def d6(self) -> Integer:
        result = self._script.d6()
        self.draws += 1
        return result

    def pct(self, p: Integer) -> bool:
        return p > 0 and (p >= 100 or self.int(100) < p)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.int(len(items))]

    def shuffle(self, items: list[T]) -> None:
        before = self._script.draws
        self._script.shuffle(items)
        self.draws += self._script.draws - before

    def contest(self, first: Integer, second: Integer, below: Integer) -> tuple[Integer, Integer]:
        before = self._script.draws
        left = self._script.contest(first, second, below)
        self.draws += self._script.draws - before
        return left
