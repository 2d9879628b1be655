"""Running hashes over what was written since the last certificate (docs/proof.md).

A running hash begins with 32 zero bytes; each line makes it SHA-256(hash so far, line, line feed), raw bytes. It has
constant size whatever the turn brings, so a snapshot in the middle of a turn of a hundred thousand orders stays small.
"""

import hashlib

from shared.canonical import canonical
from shared.events import JournalEvent

START = bytes(32)
_AT_ONCE = 16_384
_PUBLIC = b'["public"]'


class Tally:
    """The running hashes of journal and chronicle since the last certificate.

    Events wait unhashed until somebody asks: folding a season drops nearly all of them at the next certificate. So the
    data of an event must not be changed once it was emitted or read.
    """

    __slots__ = ("_chronicle", "_journal", "_waiting")

    def __init__(self, journal: bytes = START, chronicle: bytes = START) -> None:
        self._journal = journal
        self._chronicle = chronicle
        self._waiting: list[tuple[JournalEvent, int, bytes | None]] = []

    def add(self, event: JournalEvent, public_n: int, data: bytes | None = None) -> None:
        """Take in one event; `public_n` is its number in the chronicle, 0 if it is not public.

        `data` is the canonical JSON of the event's data where the caller has it already.
        """
        self._waiting.append((event, public_n, data))
        if len(self._waiting) >= _AT_ONCE:
            self._settle()

    def hashes(self) -> tuple[bytes, bytes]:
        """The running hashes of journal and chronicle."""
        self._settle()
        return self._journal, self._chronicle

    def reset(self) -> None:
        """Begin anew, behind a certificate."""
        self._journal = self._chronicle = START
        self._waiting.clear()

    def _settle(self) -> None:
        sha256 = hashlib.sha256
        journal, chronicle = self._journal, self._chronicle
        for event, public_n, data in self._waiting:
            if data is None:
                data = canonical(event.data)
            journal = sha256(journal + _line(data, event.n, canonical(event.to), event.type) + b"\n").digest()
            if public_n:
                chronicle = sha256(chronicle + _line(data, public_n, _PUBLIC, event.type) + b"\n").digest()
        self._journal, self._chronicle = journal, chronicle
        self._waiting.clear()


def _line(data: bytes, n: int, to: bytes, type: str) -> bytes:
    """Same bytes as JournalEvent.line(), with the data serialised once for journal and chronicle."""
    return b'{"data":%b,"n":%d,"to":%b,"type":"%b"}' % (data, n, to, type.encode())
