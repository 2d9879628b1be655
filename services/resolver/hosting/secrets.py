"""Where seeds, sealed keys, salts and nonces come from: the master key while a game runs, the journal in a replay."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from services.resolver.hosting.game import Chain
from shared.config import read_key
from shared.dice import CHAIN_LENGTH, chain_top, sealed_key, step
from shared.events import CERTIFIED, JournalEvent
from shared.host_events import CHAIN_STARTED, CREATED


class ForeignKey(LookupError):
    """A game's chain comes from another master key than the one at hand; a new chain must be started (reason `key`)."""


class NotRecorded(LookupError):
    """A replay asked for a secret that the recorded journal does not hold; the message names it."""


class Secrets(Protocol):
    """What judging needs of the secrets. Raises ForeignKey or NotRecorded where it cannot give one."""

    @property
    def key_id(self) -> str:
        """Public name of the master key; it tells nothing about it."""
        ...

    def new_salt(self, game: str, number: int) -> str:
        """Salt of chain `number` of a game: 128 random bits as hex."""
        ...

    def new_nonce(self, game: str, k: int) -> str:
        """Nonce of certificate k of a game: 128 random bits as hex."""
        ...

    def seed(self, chain: Chain, index: int) -> bytes:
        """seed[index] of a chain; index 0 is its public commitment."""
        ...

    def sealed_key(self, chain: Chain, label: str) -> bytes:
        """Key of a sealed resolution."""
        ...

    def sealed_commitment(self, chain: Chain, label: str) -> str:
        """Hex SHA-256 of the key of a sealed resolution."""
        ...


STRIDE = 16
_SEED_BYTES = 32
_CHAINS_KEPT = 8_192
"""More than games are in memory: of 2,000 that closed together each asked for 1,000 hashes, a fifth of its close."""


def _down(seed: bytes, steps: int) -> bytes:
    for _ in range(steps):
        seed = step(seed)
    return seed


class MasterKey:
    """The secrets of a running host, derived from its master key (ENG-7)."""

    __slots__ = ("_key", "_milestones", "key_id")

    def __init__(self, path: Path) -> None:
        """Read the key file: 64 hex digits, mode 600. Raises shared.config.ConfigError."""
        self._key = read_key(path)
        self.key_id = hmac.new(self._key, b"key id", hashlib.sha256).hexdigest()[:16]
        self._milestones = lru_cache(maxsize=_CHAINS_KEPT)(self._derive_milestones)

    def _derive_milestones(self, chain: Chain) -> bytes:
        """Every STRIDE-th seed of a chain from seed[0] on, one behind the other: without them a seed costs up to 1,024
        hashes."""
        seeds = [chain_top(self._key, chain.game, chain.number, chain.salt)]
        for _ in range(CHAIN_LENGTH // STRIDE):
            seeds.append(_down(seeds[-1], STRIDE))
        return b"".join(reversed(seeds))

    def new_salt(self, game: str, number: int) -> str:
        return secrets.token_hex(16)

    def new_nonce(self, game: str, k: int) -> str:
        return secrets.token_hex(16)

    def seed(self, chain: Chain, index: int) -> bytes:
        self._check(chain)
        if not 0 <= index <= CHAIN_LENGTH:
            raise ValueError(f"a chain has seeds 0 to {CHAIN_LENGTH}, not {index}")
        place = -(-index // STRIDE) * _SEED_BYTES
        return _down(self._milestones(chain)[place : place + _SEED_BYTES], -index % STRIDE)

    def sealed_key(self, chain: Chain, label: str) -> bytes:
        self._check(chain)
        return sealed_key(self._key, chain.game, label, chain.salt)

    def sealed_commitment(self, chain: Chain, label: str) -> str:
        return hashlib.sha256(self.sealed_key(chain, label)).hexdigest()

    def _check(self, chain: Chain) -> None:
        if chain.key_id != self.key_id:
            raise ForeignKey(
                f"chain {chain.number} of game {chain.game} comes from master key {chain.key_id}, "
                f"and this host holds {self.key_id}; start a new chain"
            )


class RecordedSecrets:
    """The secrets that a journal holds: every revealed seed, the salts, nonces and the keys of sealed resolutions."""

    __slots__ = ("_commitments", "_keys", "_nonces", "_salts", "_seeds", "key_id")

    def __init__(self, journal: Iterable[JournalEvent]) -> None:
        self.key_id = ""
        self._salts: dict[int, str] = {}
        self._seeds: dict[tuple[int, int], bytes] = {}
        self._nonces: dict[int, str] = {}
        self._keys: dict[str, bytes] = {}
        self._commitments: dict[tuple[str, str], str] = {}
        number, index = 0, 0
        for event in journal:
            data = event.data
            if event.type in (CREATED, CHAIN_STARTED):
                self.key_id = self.key_id or data["key_id"]
                number, index = data["chain"], 0
                self._salts[number] = data["salt"]
                self._seeds[number, 0] = bytes.fromhex(data["seed0"])
                for label, commitment in data["sealed"].items():
                    self._commitments[data["salt"], label] = commitment
            elif event.type == CERTIFIED:
                self._nonces[data["k"]] = data["nonce"]
                if data["seed"] is None:
                    self._keys[data["label"]] = bytes.fromhex(data["sealed_key"])
                else:
                    index += 1
                    self._seeds[number, index] = bytes.fromhex(data["seed"])

    def new_salt(self, game: str, number: int) -> str:
        if number not in self._salts:
            raise NotRecorded(f"the journal starts no chain {number}")
        return self._salts[number]

    def new_nonce(self, game: str, k: int) -> str:
        if k not in self._nonces:
            raise NotRecorded(f"the journal holds no certificate {k}")
        return self._nonces[k]

    def seed(self, chain: Chain, index: int) -> bytes:
        if (chain.number, index) not in self._seeds:
            raise NotRecorded(f"the journal reveals no seed {index} of {CHAIN_LENGTH} of chain {chain.number}")
        return self._seeds[chain.number, index]

    def sealed_key(self, chain: Chain, label: str) -> bytes:
        if label not in self._keys:
            raise NotRecorded(f"the journal holds no key of the sealed resolution {label}")
        return self._keys[label]

    def sealed_commitment(self, chain: Chain, label: str) -> str:
        if (chain.salt, label) not in self._commitments:
            raise NotRecorded(
                f"the journal commits no sealed resolution {label} under the salt of chain {chain.number}"
            )
        return self._commitments[chain.salt, label]
