"""The messages of a game as one viewer may read them, and their removal by a moderator."""

from typing import Any

from services.gateway.reads import Audience, Known, Reads, Seen
from services.gateway.spoken import Spoken
from services.gateway.tokens import Identity
from shared.clock import Clock
from shared.errors import Problem
from shared.messages import Messages
from shared.views import Head

MESSAGE = "message"
"""Kind of the documents that list messages (services/resolver/projector/talk.py)."""
_ALL = ""
"""Audience under which operators read every message."""


class Conversations:
    """Reads and removes messages. One is readable by whoever may see the event that speaks of it."""

    def __init__(self, reads: Reads, messages: Messages, clock: Clock) -> None:
        self._reads = reads
        self._messages = messages
        self._spoken = Spoken(messages)
        self._clock = clock

    def page(
        self, game: str, identity: Identity | None, channel: str | None, after: str, limit: int, known: Known
    ) -> Seen:
        """A page of messages in the order of time, of one channel or of all that the viewer may read.

        Raises Problem `not_found` for a channel that she has not.
        """

        def body(head: Head, audience: Audience) -> Any:
            found: dict[str, dict[str, Any]] = {}
            for chosen in self._channels(audience, channel):
                for item in self._reads.views.page(head, MESSAGE, chosen, after, limit + 1):
                    found[item.id] = dict(item.fields)
            places = sorted(found)
            return {
                "messages": self._told(game, [found[place] for place in places[:limit]]),
                "next": places[limit - 1] if len(places) > limit else None,
            }

        return self._reads.tagged(game, identity, known, body, named=True, spoken=True)

    def remove(self, game: str, message: str) -> None:
        """Remove the texts of a message; the log and every hash stay. Raises Problem `unknown_game`, `not_found`."""
        self._reads.rulesets.kind_of(game)
        judged = self._reads.views.judgement(game, message)
        if judged is None or not self._messages.remove(judged.actor, game, message, self._clock.now()):
            raise Problem("not_found", "no text is kept of a message of this id; GET its game's messages for the ids")

    def forget(self, author: str) -> None:
        """Remove the texts of everything that somebody wrote."""
        self._messages.remove_all_of(author, self._clock.now())

    def _channels(self, audience: Audience, wanted: str | None) -> tuple[str, ...]:
        operates = audience.viewer.role == "operator"
        own = (_ALL,) if operates else audience.viewer.audiences
        if wanted is None:
            return own
        if wanted == _ALL or not (operates or wanted in own):
            raise Problem("not_found", f"your channels are {', '.join(filter(None, own)) or 'those of any message'}")
        return (wanted,)

    def _told(self, game: str, listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
        names = self._reads.names.of(dict.fromkeys(item["author"] for item in listed))
        return [
            {
                "id": item["message"],
                "at": item["at"],
                "type": item["type"],
                "channel": item["channel"],
                "author": item["author"],
                "name": names.get(item["author"]),
                "hash": item["hash"],
                **shown,
            }
            for item, shown in zip(listed, self._spoken.of(game, listed), strict=True)
        ]
