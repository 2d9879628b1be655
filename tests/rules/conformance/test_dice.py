"""Where a game draws from: scopes that its registration names (ENG-8, ENG-10)."""

import re
from typing import Any

from shared.rules.interface import Decision, Dice, Input, Registration, Resolution, Rules
from tests.rules.conformance.marks import games, seeds
from tests.rules.conformance.play import replay
from tests.rules.conformance.test_laws import Proxy


class Noted:
    """Dice that note which scopes were asked for."""

    def __init__(self, dice: Dice, scopes: set[str]) -> None:
        self._dice = dice
        self._scopes = scopes

    def resolve(self, label: str, /) -> Resolution:
        return _NotedResolution(self._dice.resolve(label), self._scopes)

    def seal(self, label: str, /) -> Resolution:
        return _NotedResolution(self._dice.seal(label), self._scopes)


class _NotedResolution:
    def __init__(self, resolution: Resolution, scopes: set[str]) -> None:
        self._resolution = resolution
        self._scopes = scopes

    def stream(self, scope: str, /) -> Any:
        self._scopes.add(scope)
        return self._resolution.stream(scope)


class NotesScopes(Proxy):
    """Keeps the scopes from which was drawn."""

    def __init__(self, rules: Rules[Any]) -> None:
        super().__init__(rules)
        self.scopes: set[str] = set()

    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        return self.rules.decide(state, command, Noted(dice, self.scopes))


@games
@seeds
def test_a_game_draws_from_scopes_that_it_lists(registered: Registration[Any], seed: int) -> None:
    """Those asked for, and those that events name; null where nothing could be drawn."""
    proxy = NotesScopes(registered.load())
    events = [event for judged in replay(proxy, registered, seed).journal for event in judged.events]
    told = {event.data["scope"] for event in events if "draws" in event.data} - {None}
    strange = sorted(scope for scope in proxy.scopes | told if not re.fullmatch(registered.scopes, scope))
    assert strange == [], f"`scopes` of the registration of {registered.game} does not match them"
