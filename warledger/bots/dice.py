"""The dice of a game that no host runs: seeds, sealed keys and streams as a host derives them (ENG-6 to ENG-8)."""

import hashlib

from shared.dice import (
    CHAIN_LENGTH,
    Stream,
    chain_top,
    digest_of,
    leaf,
    resolution_seed,
    sealed_key,
    step,
)
from shared.rules.interface import Input


class _Streams:
    """The streams of one resolution."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def stream(self, scope: str, /) -> Stream:
        return Stream(self._seed, scope)


class ChainDice:
    """The resolutions of one game on its chains; `given` says which input is being judged."""

    def __init__(self, master_key: bytes, game: str) -> None:
        self._key = master_key
        self._game = game
        self._chain = 0
        self._seeds: list[bytes] = []
        """What is left of the chain, the next one last."""
        self._digest = digest_of([])

    def given(self, command: Input) -> None:
        """The input that the next resolution answers; further ones of the same command have the digest of nothing."""
        content = f"{command.actor}|{command.type}|{sorted(command.payload.items())}"
        self._digest = digest_of([leaf(command.id, hashlib.sha256(content.encode()).hexdigest())])

    def resolve(self, label: str, /) -> _Streams:
        if not self._seeds:
            self._seeds = self._next_chain()
        return self._opened(self._seeds.pop(), label)

    def seal(self, label: str, /) -> _Streams:
        return self._opened(sealed_key(self._key, self._game, label, self._salt(0)), label)

    def _opened(self, seed: bytes, label: str) -> _Streams:
        digest, self._digest = self._digest, digest_of([])
        return _Streams(resolution_seed(seed, self._game, label, digest))

    def _next_chain(self) -> list[bytes]:
        """Seeds 1 to 1,024 in the order in which they are popped."""
        seed = chain_top(self._key, self._game, self._chain, self._salt(self._chain))
        self._chain += 1
        seeds = [seed]
        for _ in range(CHAIN_LENGTH - 1):
            seed = step(seed)
            seeds.append(seed)
        return seeds

    def _salt(self, chain: int) -> str:
        return hashlib.sha256(f"{self._game}|{chain}".encode()).hexdigest()[:32]
