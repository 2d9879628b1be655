"""Limits on attempts per address and per account, shared by all processes through the accounts store.

An attempt is counted before the work it pays for, so that many at once cannot slip through; one that turns out to be
honest is given back. Windows are fixed: a limit of n in w seconds lets at most n pass in each window.
"""

import ipaddress
import threading
from dataclasses import dataclass

from shared.canonical import sha256_hex
from shared.clock import Clock
from shared.documents import Document, Documents
from shared.errors import Problem

COLLECTION = "limits"
_TRIES = 50


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` attempts in each window of `seconds`. `name` is an id, part of the document's path."""

    name: str
    most: int
    seconds: int


def network_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if parsed.version == 6:
        mapped = parsed.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


class Attempts:
    """Counts attempts. Keys are stored hashed: the store holds neither addresses nor names that were tried."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents = documents
        self._clock = clock
        self._swept: dict[str, int] = {}
        self._counting = threading.Lock()
        """Threads of this process take turns; only other processes can come in between."""

    def take(self, limit: Limit, key: str) -> None:
        """Count one attempt. Raises Problem `too_many_requests` with the seconds to wait, if there were too many."""
        now = self._clock.now()
        window = now // (limit.seconds * 1000)
        self._sweep(limit, window)
        if not self._add(self._id(limit, window, key), 1, limit.most):
            wait = (window + 1) * limit.seconds - now // 1000
            raise Problem(
                "too_many_requests",
                f"at most {limit.most} attempts in {limit.seconds} seconds; try again in {wait} seconds",
                headers={"Retry-After": str(max(1, wait))},
            )

    def give_back(self, limit: Limit, key: str) -> None:
        """Take back one attempt of the present window."""
        window = self._clock.now() // (limit.seconds * 1000)
        self._add(self._id(limit, window, key), -1, limit.most)

    def _add(self, id: str, change: int, most: int) -> bool:
        with self._counting:
            return self._add_in_turn(id, change, most)

    def _add_in_turn(self, id: str, change: int, most: int) -> bool:
        for _ in range(_TRIES):
            stored = self._documents.get(COLLECTION, [id]).get(id)
            count = int(stored.body["count"]) if stored else 0
            if change > 0 and count >= most:
                return False
            body = {"count": max(0, count + change)}
            if stored is None:
                if self._documents.insert(COLLECTION, Document(id, 1, body)):
                    return True
            elif self._documents.replace(COLLECTION, Document(id, stored.position + 1, body), stored.position):
                return True
        return False

    def _sweep(self, limit: Limit, window: int) -> None:
        """Forget the window before the last, once a window and process."""
        if self._swept.get(limit.name) != window:
            self._swept[limit.name] = window
            found = self._documents.find(COLLECTION, f"{limit.name}|", limit=10_000)
            self._documents.delete(COLLECTION, [old.id for old in found if int(old.id.split("|")[1]) < window])

    @staticmethod
    def _id(limit: Limit, window: int, key: str) -> str:
        return f"{limit.name}|{window}|{sha256_hex(key.encode())[:32]}"
