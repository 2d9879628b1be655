"""What a game proves: its certificates, and what led to each resolution and came of it."""

from collections.abc import Iterator
from typing import Any

from services.gateway.names import accounts_in
from services.gateway.reads import Audience, Known, Reads, Seen
from services.gateway.tokens import Identity
from shared.errors import Problem
from shared.events import JournalEvent, split_type
from shared.export import write_export
from shared.rules.interface import PUBLIC
from shared.views import Certificate, FeedEntry, Head
from shared.views.reader import CERTIFICATE, certificate_id

MOST_ENTRIES = 1000
_CERTIFICATES_A_READ = 1000


class Proofs:
    """Reads certificates and reports; all of it is public."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._views = reads.views

    def turn(self, game: str, n: int, identity: Identity | None, after: int, limit: int, known: Known) -> Seen:
        """One turn (or round): certificate, leaves and ruling of its resolution, and a page of its report.

        The report is what everybody may know of what led to the resolution and came of it. Raises Problem
        `not_found` if no resolution of this number is certified.
        """

        def body(head: Head, audience: Audience) -> Any:
            found = self._certificate_of(head, n)
            if found is None:
                raise Problem("not_found", f"turn {n} of {game} is not certified (yet)")
            entries = self._views.report(head, found.k, after, limit)
            report = [{"type": entry.type, "at": entry.at, "data": entry.data} for entry in entries]
            return {
                "n": n,
                "certificate": {"k": found.k, **found.fields},
                "leaves": self._leaves(head, found.k),
                "ruling": self._ruling(head, found.fields["label"]),
                "report": report,
                "names": self._reads.names.of(accounts_in(report)),
                "next": entries[-1].after[PUBLIC[0]] if len(entries) == limit else None,
            }

        return self._reads.tagged(game, identity, known, body, named=True)

    def chronicle(self, game: str) -> Iterator[bytes]:
        """The lines of a public export of a game as it stands now (`warledger export --public` writes the same).

        Raises Problem `unknown_game` before the first line.
        """
        public = PUBLIC[0]
        count = self._reads.at_head(game, lambda head: self._views.counters(head, PUBLIC)[public].feed)
        return write_export(game, "chronicle", self._public_events(game, count))

    def _public_events(self, game: str, count: int) -> Iterator[JournalEvent]:
        """The first `count` entries of the public feed, which are the chronicle: entries are added, never changed."""
        public = PUBLIC[0]
        seen = 0

        def next_page(head: Head) -> list[FeedEntry]:
            return self._views.feed(head, PUBLIC, {public: seen}, min(MOST_ENTRIES, count - seen))

        while seen < count:
            for entry in self._reads.at_head(game, next_page):
                seen = entry.after[public]
                yield JournalEvent(seen, entry.type, entry.data, PUBLIC)

    def certificates(self, game: str, after: int, limit: int, known: Known) -> Seen:
        """A page of a game's certificates; all are public."""

        def body(head: Head, audience: Audience) -> Any:
            found = self._views.certificates(head, after, limit + 1)
            listed = [{"k": item.k, **item.fields} for item in found[:limit]]
            return {"certificates": listed, "next": found[limit - 1].k if len(found) > limit else None}

        return self._reads.tagged(game, None, known, body)

    def newest_certificate(self, head: Head) -> Certificate | None:
        """The last certificate, found without reading all: they are numbered without gaps. Raises HeadMoved."""
        low, high = 0, 1
        while self._certificate(head, high) is not None:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._certificate(head, middle) is not None else (low, middle)
        return self._certificate(head, low) if low else None

    def last_report(self, head: Head, k: int, most: int) -> tuple[list[FeedEntry], int]:
        """The first `most` public outcomes of resolution k itself, and how many more there are. Raises HeadMoved."""
        entries: list[FeedEntry] = []
        after = 0
        while page := self._views.report(head, k, after, MOST_ENTRIES):
            entries += page
            after = page[-1].after[PUBLIC[0]]
        outcomes = [
            entry for entry in entries if entry.at == entries[-1].at and split_type(entry.type).game == head.kind
        ]
        return outcomes[:most], max(0, len(outcomes) - most)

    def _certificate(self, head: Head, k: int) -> Certificate | None:
        found = self._views.one(head, CERTIFICATE, certificate_id(k), PUBLIC[0])
        return None if found is None else Certificate(k, found.fields)

    def _certificate_of(self, head: Head, n: int) -> Certificate | None:
        """The certificate of turn or round n: number n itself in games of one resolution a turn. Raises HeadMoved."""
        ending = f":{n}"
        near = self._certificate(head, n)
        if near is not None and near.fields["label"].endswith(ending):
            return near
        return next((item for item in self._certificates(head) if item.fields["label"].endswith(ending)), None)

    def _certificates(self, head: Head) -> Iterator[Certificate]:
        """All certificates, read in pages. Raises HeadMoved."""
        after = 0
        while found := self._views.certificates(head, after, _CERTIFICATES_A_READ):
            yield from found
            after = found[-1].k

    def _leaves(self, head: Head, k: int) -> list[str]:
        """The sorted leaves of resolution k. Raises HeadMoved."""
        leaves: list[str] = []
        for part in self._views.page(head, "leaves", PUBLIC[0], f"{certificate_id(k)}-"):
            if part.fields["k"] != k:
                break
            leaves += part.fields["leaves"]
        return leaves

    def _ruling(self, head: Head, label: str) -> str | None:
        found = self._views.one(head, "ruling", label, PUBLIC[0])
        return None if found is None else str(found.fields["ruling"])
