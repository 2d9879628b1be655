"""Documents that have a player's id, read for some players: a page of a game of 100,000 needs a hundred of them."""

from collections.abc import Iterable, Iterator, Sequence

from shared.documents import Documents
from shared.rules.interface import Document
from shared.views import ids
from shared.views.shapes import Head
from shared.views.versions import at_head

_OF_ONE_PLAYER = "player:"
_BEHIND_PLAYERS = "player;"
"""The first text behind all that begin with `player:`."""


class ByPlayer:
    """Reads documents by their players. Raises what the document port raises."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def listed(self, head: Head, kind: str, after: str, limit: int) -> tuple[list[str], str | None]:
        """Ids of the next players who have a public document of this kind, in code point order, and what the page after
        them begins behind; None if there is none. Raises HeadMoved."""
        prefix = ids.documents(head.generation, head.game, kind, ids.PUBLIC)
        found = self._documents.find("documents", prefix, after=f"{prefix}{after}" if after else "", limit=limit + 1)
        shown = found[:limit]
        players = [item.id.removeprefix(prefix) for item in shown if at_head(item.body, head.n) is not None]
        return players, shown[-1].id.removeprefix(prefix) if len(found) > limit else None

    def documents(
        self, head: Head, kinds: Iterable[str], audiences: Sequence[str] | None, players: Sequence[str]
    ) -> list[Document]:
        """The documents of these kinds that these players have for these audiences; None means all audiences.

        Kinds come in their order, then audiences, then players. Raises HeadMoved.
        """
        seen: list[Document] = []
        for kind in kinds:
            named = self._audiences(head, kind, players) if audiences is None else audiences
            places = {
                ids.document(head.generation, head.game, kind, audience, player): (audience, player)
                for audience in named
                for player in players
            }
            found = self._documents.get("documents", places)
            for id, (audience, player) in places.items():
                fields = at_head(found[id].body, head.n) if id in found else None
                if fields is not None:
                    seen.append(Document(kind, player, audience, fields))
        return seen

    def _audiences(self, head: Head, kind: str, players: Sequence[str]) -> list[str]:
        """All audiences of a kind, but of those that are one player only these: there may be as many as players."""
        prefix = ids.documents(head.generation, head.game, kind, None)
        return sorted({*_distinct(self._documents, prefix), *(f"{_OF_ONE_PLAYER}{player}" for player in players)})


def _distinct(documents: Documents, prefix: str) -> Iterator[str]:
    """The audiences that documents with this prefix have, one read each."""
    after = prefix
    while found := documents.find("documents", prefix, after=after, limit=1):
        audience = found[0].id.removeprefix(prefix).split("|", 1)[0]
        if audience.startswith(_OF_ONE_PLAYER):
            after = f"{prefix}{_BEHIND_PLAYERS}"
        else:
            yield audience
            after = f"{prefix}{audience}|\U0010ffff"
