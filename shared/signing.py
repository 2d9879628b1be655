"""Signatures on records and on calls between services: HMAC-SHA-256 with named keys."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs with one key. `key_id` is the name of the service that may write with it: orders, polls, economy, ticks."""

    key_id: str
    key: bytes

    def sign(self, value: bytes, at: int | None = None) -> str:
        """ "<key id>:<hex>" over the value and, where the adapter sets the time itself (SQLite), over `at`."""
        return f"{self.key_id}:{_mac(self.key, value, at)}"


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys whose signatures are believed, by key id."""

    keys: Mapping[str, bytes]

    def verify(self, signature: str, value: bytes, at: int | None = None) -> str | None:
        """The key id if the signature holds, else None."""
        key_id, _, mac = signature.partition(":")
        key = self.keys.get(key_id)
        if key is None or not hmac.compare_digest(mac, _mac(key, value, at)):
            return None
        return key_id


def _mac(key: bytes, value: bytes, at: int | None) -> str:
    prefix = b"" if at is None else f"{at}|".encode()
    return hmac.new(key, prefix + value, hashlib.sha256).hexdigest()
