"""Signatures on records and on calls between services: HMAC-SHA-256 with named keys."""

import functools
import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs with one key. `key_id` is the name of the service that may write with it: orders, polls, economy, ticks."""

    key_id: str
    key: bytes

    def sign(self, value: bytes, at: int | None = None) -> str:
        """ "<key id>:<hex>" over the value and, where the adapter sets the time itself (SQLite), over `at`."""
        return f"{self.key_id}:{_mac(self.key, value, at)}"

    def stamp(self, at: int) -> Callable[[bytes], str]:
        """`sign` for many values of one `at`."""
        return _stamp(self.key_id, self.key, at)


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys whose signatures are believed, by key id."""

    keys: Mapping[str, bytes]

    def verify(self, signature: str, value: bytes, at: int | None = None) -> str | None:
        """The key id if the signature holds, else None."""
        key_id, _, mac = signature.partition(":")
        key = self.keys.get(key_id)
        if key is None or not hmac.compare_digest(mac.encode("utf-8", "surrogatepass"), _mac(key, value, at).encode()):
            return None
        return key_id

    def stamp(self, key_id: str, at: int) -> Callable[[bytes], str] | None:
        """The signatures that this key makes at that time, to compare many records with; None for an unknown key."""
        key = self.keys.get(key_id)
        return None if key is None else _stamp(key_id, key, at)


UNPROVED = "?"


class Claims(Keyring):
    """A keyring that also tells whose name stands on a signature that does not hold: `?orders` instead of None.

    For reports alone: nobody proved who wrote such a record.
    """

    def verify(self, signature: str, value: bytes, at: int | None = None) -> str | None:
        return super().verify(signature, value, at) or UNPROVED + signature.partition(":")[0]


def _stamp(key_id: str, key: bytes, at: int) -> Callable[[bytes], str]:
    keyed, outer = _pads(key)
    inner = keyed.copy()
    inner.update(b"%d|" % at)
    prefix = f"{key_id}:"
    copy_inner, copy_outer = inner.copy, outer.copy

    def sign(value: bytes) -> str:
        first = copy_inner()
        first.update(value)
        second = copy_outer()
        second.update(first.digest())
        return prefix + second.hexdigest()

    return sign


def _mac(key: bytes, value: bytes, at: int | None) -> str:
    """Hex HMAC-SHA-256 (RFC 2104). The two padded keys are hashed once per key, which halves its time."""
    inner, outer = _pads(key)
    first = inner.copy()
    first.update(value if at is None else b"%d|%b" % (at, value))
    second = outer.copy()
    second.update(first.digest())
    return second.hexdigest()


@functools.lru_cache(maxsize=64)
def _pads(key: bytes) -> "tuple[hashlib._Hash, hashlib._Hash]":
    block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    return hashlib.sha256(bytes(b ^ 0x36 for b in block)), hashlib.sha256(bytes(b ^ 0x5C for b in block))
