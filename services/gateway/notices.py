"""Notices as their receiver reads them: what happened to her, newest first, each with a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.gateway.reads import Audience, Known, Reads, Seen
from services.gateway.streaming_ids import event_id, read_event_id
from services.gateway.summaries import rules_at
from services.gateway.surface import GameNames
from services.gateway.telling import told
from services.gateway.tokens import Identity
from shared.errors import Problem
from shared.host_notices import HOST_NOTICES
from shared.rules.notices import notices_of, sentences_by_code
from shared.views import FeedEntry, Head

ON_A_PAGE = 5
"""Notices on the HTML page of a game."""
_HOST_SENTENCES = sentences_by_code(HOST_NOTICES)


class Notices:
    """Reads notices. Operators and the public have none: they are for those whom something concerns."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._names = GameNames(reads)

    def page(self, game: str, identity: Identity, after: str, limit: int, known: Known) -> Seen:
        """A page of a viewer's notices, the newest first. Raises Problem `unknown_game`, `malformed`."""
        before = _place(after)

        def body(head: Head, audience: Audience) -> Any:
            found = self._reads.views.newest(head, audience.notices, before, limit + 1)
            more = len(found) > limit
            return {
                "notices": self.readable(head, found[:limit]),
                "next": event_id(found[limit - 1].after) if more else None,
            }

        return self._reads.tagged(game, identity, known, body, named=True, noticed=True)

    def lines(self, head: Head, audience: Audience) -> list[str]:
        """The newest notices in words, for a page. Raises HeadMoved."""
        if not audience.notices:
            return []
        found = self._reads.views.newest(head, audience.notices, None, ON_A_PAGE)
        return [str(item["text"]) for item in self.readable(head, found)]

    def readable(self, head: Head, entries: Sequence[FeedEntry]) -> list[dict[str, Any]]:
        """Notices in the form in which they are read; no sentence for one whose code its game has no more.

        Raises HeadMoved.
        """
        if not entries:
            return []
        sentences = {**_HOST_SENTENCES, **sentences_by_code(notices_of(rules_at(head)))}
        names = self._names.of(head, [entry.data for entry in entries])
        return [
            {
                "id": entry.notice,
                "at": entry.at,
                "code": entry.type,
                "text": told(sentences.get(entry.type, ()), entry.data, names) or entry.type,
                "data": entry.data,
            }
            for entry in entries
        ]


def _place(after: str) -> Mapping[str, int] | None:
    if not after:
        return None
    counts = read_event_id(after)
    if counts is None:
        raise Problem("malformed", "after must be the `next` of the page before")
    return counts
