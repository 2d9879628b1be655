"""What pages and sentences show of a game: its map and its sides, and the names of what events speak of."""

from collections.abc import Sequence
from typing import Any

from services.gateway import presenting
from services.gateway.names import accounts_in
from services.gateway.reads import GAME_KIND, Audience, Reads
from services.gateway.summaries import rules_at
from services.gateway.telling import Names
from shared.shelf import Shelf
from shared.views import Head

_KEPT = 64


def surface_of(reads: Reads, head: Head, audience: Audience, more: Sequence[str] = ()) -> dict[str, Any]:
    """What the pages show: the kinds of the map and of what owns it, few documents however many play, and `more`.

    Sides that are players have the names of their accounts. Raises HeadMoved.
    """
    rules = rules_at(head)
    kinds = dict.fromkeys((GAME_KIND, *rules.pages["map"].kinds, *rules.parts.side_kinds, *more))
    view = reads.view(head, audience, tuple(kinds))
    if rules.parts.sides == rules.parts.players:
        reads.names.put_beside(view.get(rules.parts.players, {}))
    return view


class GameNames:
    """Names of places and sides, which everybody may know, kept for a few games: what they are called changes only
    with the names of accounts."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._kept: Shelf[Names] = Shelf(_KEPT)

    def of(self, head: Head, data: Any) -> Names:
        """The names that some events' data may speak of. Raises HeadMoved."""
        key = f"{head.game}|{head.generation}|{self._reads.names.revision()}"
        known = self._kept.get(key)
        if known is None:
            view = surface_of(self._reads, head, self._reads.audience(head, None))
            parts = rules_at(head).parts
            known = Names(presenting.place_names(view, parts), presenting.side_names(view, parts))
            self._kept.put(key, known)
        return Names(known.places, known.teams, self._reads.names.of(accounts_in(data)))
