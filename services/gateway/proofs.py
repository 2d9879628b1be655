"""What a game proves: its certificates, and what led to each resolution and came of it."""

from collections.abc import Iterator
from typing import Any

from services.gateway.certificates import Certificates
from services.gateway.names import accounts_in
from services.gateway.reads import Audience, Known, Reads, Seen
from services.gateway.summaries import rules_at
from services.gateway.tokens import Identity
from shared.errors import Problem
from shared.events import JournalEvent, split_type
from shared.export import write_export
from shared.rules.interface import PUBLIC, Period
from shared.shelf import Shelf
from shared.views import Certificate, FeedEntry, Head
from shared.views.ids import certificate_id
from shared.views.leaves import KIND as LEAVES_KIND

MOST_ENTRIES = 1000
_BESIDE = 100
"""Events of the host that may stand among the outcomes of a resolution: its leaves are 3,000 an event."""

_OPENINGS_KEPT = 10_000


class Proofs:
    """Reads certificates and reports; all of it is public."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._views = reads.views
        self.certificates = Certificates(reads.views)
        self._openings: Shelf[int] = Shelf(_OPENINGS_KEPT)

    def turn(self, game: str, n: int, identity: Identity | None, after: int, limit: int, known: Known) -> Seen:
        """One turn, round or year: certificates and rulings of its resolutions, and a page of its report; with the
        first page the leaves of its resolutions, one after the other.

        The report is what everybody may know of what led to the resolutions, from the opening on, and came of them.
        Raises Problem `not_found` if no resolution of this number is certified.
        """

        def body(head: Head, audience: Audience) -> Any:
            period = rules_at(head).period
            if period is None:
                raise Problem("not_found", f"{head.kind} is not played in turns; /certificates lists its resolutions")
            found = self.certificates.of_period(head, period, n)
            if not found:
                raise Problem("not_found", f"{period.name} {n} of {game} is not certified (yet)")
            begun = max(after, self._opening(head, period, found[0].k))
            entries = self._views.report(head, found[-1].k, begun, limit, found[0].k)
            report = [{"type": entry.type, "at": entry.at, "data": entry.data} for entry in entries]
            rulings = self._rulings(head, f"{period.name}:{n}")
            listed = [_shown(item) | {"ruling": rulings.get(item.fields["label"])} for item in found]
            return {
                "n": n,
                "period": period.name,
                "certificate": _shown(found[-1]),
                "certificates": listed,
                "leaves": [leaf for item in found for leaf in self._leaves(head, item.k)] if after == 0 else [],
                "ruling": listed[-1]["ruling"],
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

    def listed(self, game: str, after: int, limit: int, known: Known) -> Seen:
        """A page of a game's certificates; all are public."""

        def body(head: Head, audience: Audience) -> Any:
            found = self._views.certificates(head, after, limit + 1)
            listed = [_shown(item) for item in found[:limit]]
            return {"certificates": listed, "next": found[limit - 1].k if len(found) > limit else None}

        return self._reads.tagged(game, None, known, body)

    def last_outcomes(self, head: Head, k: int, most: int) -> tuple[list[FeedEntry], bool]:
        """The first `most` public outcomes of resolution k itself, and whether there is more. Raises HeadMoved."""
        entries = self._views.outcomes(head, k, most + _BESIDE)
        outcomes = [entry for entry in entries if split_type(entry.type).game == head.kind]
        return outcomes[:most], len(outcomes) > most or len(entries) == most + _BESIDE

    def _opening(self, head: Head, period: Period, k: int) -> int:
        """How many public entries stand before the opening of the period whose first resolution is number k: creation
        and lobby before the first resolution of all, otherwise nothing that is not the report's. Raises HeadMoved."""
        if k > 1 or period.opening is None:
            return 0
        name = f"{head.generation}|{head.game}"
        kept = self._openings.get(name)
        if kept is None:
            kept = self._found_opening(head, period.opening)
            self._openings.put(name, kept)
        return kept

    def _found_opening(self, head: Head, event: str) -> int:
        seen = 0
        while entries := self._views.report(head, 1, seen, MOST_ENTRIES):
            for entry in entries:
                if split_type(entry.type)[:2] == (head.kind, event):
                    return entry.after[PUBLIC[0]] - 1
            seen = entries[-1].after[PUBLIC[0]]
        return 0

    def _leaves(self, head: Head, k: int) -> list[str]:
        """The sorted leaves of resolution k. Raises HeadMoved."""
        parts = self._views.page(head, LEAVES_KIND, PUBLIC[0], beginning=f"{certificate_id(k)}-")
        return [leaf for part in parts for leaf in part.fields["leaves"]]

    def _rulings(self, head: Head, beginning: str) -> dict[str, str]:
        """Label -> ruling, of labels that begin like this. Raises HeadMoved."""
        found = self._views.page(head, "ruling", PUBLIC[0], beginning=beginning)
        return {item.id: str(item.fields["ruling"]) for item in found}


def _shown(certificate: Certificate) -> dict[str, Any]:
    return {"k": certificate.k, **certificate.fields}
