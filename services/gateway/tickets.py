"""Tickets: how the main instance sends the holder of a token on to the streams instance.

Clients drop the Authorization header when a redirect leads to another host or port, and a browser's EventSource sends
none at all. A ticket stands in the address instead; it opens one game's stream within a minute and is good for nothing
else.
"""

import base64
import hashlib
import hmac

from services.gateway.tokens import Identity, Tokens
from shared.clock import Clock
from shared.errors import Problem

LIFE_MS = 60_000


class Tickets:
    """Issues and takes tickets, signed with the key of calls between services."""

    def __init__(self, key: bytes, tokens: Tokens, clock: Clock) -> None:
        self._key = key
        self._tokens = tokens
        self._clock = clock

    def issue(self, game: str, identity: Identity) -> str:
        """A ticket for a stream of this game."""
        token = base64.urlsafe_b64encode(identity.token.encode()).decode().rstrip("=")
        said = f"{self._clock.now() + LIFE_MS}.{token}"
        return f"{said}.{self._mac(game, said)}"

    def take(self, game: str, ticket: str) -> Identity:
        """Whose ticket this is. Raises Problem `unauthenticated`, `token_expired`."""
        said, _, mac = ticket.rpartition(".")
        if not hmac.compare_digest(mac.encode(), self._mac(game, said).encode()):
            raise Problem("unauthenticated", "the ticket is not for this stream; ask the main address again")
        until, _, token = said.partition(".")
        if self._clock.now() > int(until):
            raise Problem("token_expired", "the ticket has expired; ask the main address again")
        holder = self._tokens.holder(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode())
        if holder is None:
            raise Problem("unauthenticated", "the token behind the ticket was revoked")
        return holder

    def _mac(self, game: str, said: str) -> str:
        return hmac.new(self._key, f"ticket|{game}|{said}".encode(), hashlib.sha256).hexdigest()
