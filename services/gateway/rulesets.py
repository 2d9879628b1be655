"""By which rules games are played, as this process knows from a moment ago."""

import time

from services.gateway.summaries import unknown_game
from shared.commands import Ruleset
from shared.views import Views

RULESET_SECONDS = 1.0
_KINDS_KEPT = 50_000


class Rulesets:
    """The rules of games, with their version or without."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self._kinds: dict[str, str] = {}
        self._rulesets: dict[str, tuple[float, Ruleset]] = {}

    def of(self, game: str) -> Ruleset:
        """The rules and version a game is played by; a release may change the version. Raises `unknown_game`.

        Kept for RULESET_SECONDS: every write asks, and the resolver judges by the version of that moment anyway.
        """
        if kept := self.at_hand(game):
            return kept
        now = time.monotonic()
        head = self._views.head(game)
        if head is None:
            raise unknown_game(game)
        if len(self._rulesets) >= _KINDS_KEPT:
            self._rulesets.clear()
        found = Ruleset(head.kind, head.rules)
        self._rulesets[game] = (now + RULESET_SECONDS, found)
        return found

    def at_hand(self, game: str) -> Ruleset | None:
        """What `of` has kept; None if the views must be asked."""
        until, kept = self._rulesets.get(game, (0.0, None))
        return kept if time.monotonic() < until else None

    def kind_of(self, game: str) -> str:
        """Which rules a game is played by; never changes, so it is kept. Raises Problem `unknown_game`."""
        if kept := self._kinds.get(game):
            return kept
        head = self._views.head(game)
        if head is None:
            raise unknown_game(game)
        if len(self._kinds) >= _KINDS_KEPT:
            self._kinds.clear()
        self._kinds[game] = head.kind
        return head.kind
