"""The dice that the host hands to `decide`: each resolution on its seed and the digest of its inputs (ENG-7)."""

from bisect import insort
from typing import NamedTuple

from services.resolver.hosting.game import Chain, HostedGame
from services.resolver.hosting.secrets import Secrets
from shared.dice import CHAIN_LENGTH, Draws, Stream, digest_of, leaf, resolution_seed
from shared.events import Submitted


class Opening(NamedTuple):
    """A resolution that `decide` opened. `key` is the seed of the chain, or the sealed key if `sealed`."""

    label: str
    sealed: bool
    key: bytes
    leaves: tuple[str, ...]
    digest: str


class Streams:
    """One resolution: a stream for each scope, the same one when it is asked for again (ENG-8)."""

    __slots__ = ("_seed", "_streams")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._streams: dict[str, Stream] = {}

    def stream(self, scope: str, /) -> Draws:
        if scope not in self._streams:
            self._streams[scope] = Stream(self._seed, scope)
        return self._streams[scope]


class InterfaceBroken(RuntimeError):
    """The rules used the dice in a way that the decider interface forbids; the message says how."""


class GameDice:
    """The dice of one input; None if it is not in the digest."""

    __slots__ = ("_chain", "_game", "_index", "_input", "_opened", "_opened_any", "_secrets")

    def __init__(self, game: HostedGame, submitted: Submitted | None, secrets: Secrets) -> None:
        if game.chain is None:
            raise InterfaceBroken("a game has dice only after its creation")
        self._game = game
        self._secrets = secrets
        self._chain: Chain = game.chain
        self._index = game.next_seed
        self._input = submitted
        self._opened: list[Opening] = []
        self._opened_any = False

    def resolve(self, label: str, /) -> Streams:
        if self._index > CHAIN_LENGTH:
            self._chain = self._chain._replace(number=self._chain.number + 1)
            self._index = 1
        seed = self._secrets.seed(self._chain, self._index)
        self._index += 1
        return self._open(label, seed, sealed=False)

    def seal(self, label: str, /) -> Streams:
        if label not in self._game.sealed or any(item.sealed and item.label == label for item in self._opened):
            raise InterfaceBroken(f"there is no unused sealed resolution {label!r}")
        return self._open(label, self._secrets.sealed_key(self._chain, label), sealed=True)

    def _open(self, label: str, key: bytes, *, sealed: bool) -> Streams:
        leaves = self._take_leaves()
        digest = digest_of(leaves)
        self._opened.append(Opening(label, sealed, key, leaves, digest))
        return Streams(resolution_seed(key, self._game.id, label, digest))

    def _take_leaves(self) -> tuple[str, ...]:
        """What the next digest holds, sorted: everything for the first resolution of a command, nothing for others."""
        if self._opened_any:
            return ()
        self._opened_any = True
        leaves, own = list(self._game.leaves), self._input
        if own is not None:
            insort(leaves, leaf(own.id, own.hash()))
        return tuple(leaves)

    def close(self, label: str) -> Opening:
        """The oldest resolution that has no mark yet. Raises InterfaceBroken if it is not the one marked."""
        if not self._opened or self._opened[0].label != label:
            wanted = repr(self._opened[0].label) if self._opened else "none"
            raise InterfaceBroken(f"the mark {label!r} stands where the open resolution is {wanted}")
        return self._opened.pop(0)

    def finish(self) -> None:
        """Raises InterfaceBroken if a resolution was opened and never marked."""
        if self._opened:
            raise InterfaceBroken(f"the resolution {self._opened[0].label!r} was opened and has no mark")
