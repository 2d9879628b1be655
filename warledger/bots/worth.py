"""What a territory is worth to a player: for her objective, for her continents and borders, and against others."""

from collections.abc import Mapping
from typing import Any

from warledger.bots.reading import Position

_RIVAL, _RIVALS_LAST = 60, 200
"""A territory of the player whom the objective names, and her last ones."""
_NEAR_RIVAL = 12
_NAMED_CONTINENT, _LAST_OF_CONTINENT = 40, 60
_SPREAD = 30
_ANY = 15
"""For an objective that counts territories."""
_COMPLETES = 25
"""An advantage gained (EXG-36), or one that another player loses."""
_SHARE = 10
_LEADER = 3
"""For each territory that its owner has more than the player."""
_BORDER = 2
"""For each neighbour that somebody else holds."""


class Worth:
    """Values of territories in one position; only differences mean something."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._objective: Mapping[str, Any] = position.own["objective"]
        self._own = position.held(position.seat)
        self._total = position.total(position.seat)

    def gain(self, name: str) -> int:
        """What taking a territory is worth, at least 1."""
        place = self._position.places[name]
        return max(1, self._for_objective(name, place, 1) + self._for_board(place, 1) + self._against(place))

    def loss(self, name: str) -> int:
        """What an own territory is worth to keep."""
        place = self._position.places[name]
        return self._for_objective(name, place, 0) + self._for_board(place, 0)

    def _for_objective(self, name: str, place: Mapping[str, Any], more: int) -> int:
        """`more` is 1 for a territory that is to be gained, 0 for one that is held."""
        wanted, continent = self._objective, place["continent"]
        value = 0
        if continent in wanted["continents"]:
            value += self._of_continent(continent, more, _NAMED_CONTINENT, _LAST_OF_CONTINENT)
        elif wanted["extra_continents"]:
            value += self._of_continent(continent, more, _NAMED_CONTINENT // 2, _LAST_OF_CONTINENT)
        if wanted["min_total"]:
            value += _ANY
        spread = wanted["spread"]
        if spread is not None and self._own[continent] + more <= spread["each"]:
            value += _SPREAD
        if wanted["eliminate"] is not None:
            value += self._of_rival(name, place, wanted["eliminate"])
        return value

    def _of_continent(self, continent: str, more: int, share: int, last: int) -> int:
        """More, the more of it is held; most for the last one."""
        size, held = self._position.sizes[continent], self._own[continent] + more
        return share * held // size + (last if held == size else 0) + _ANY

    def _of_rival(self, name: str, place: Mapping[str, Any], rival: int) -> int:
        if place["owner"] == rival:
            return _RIVAL + _RIVALS_LAST // max(1, self._position.total(rival))
        near: int = sum(self._position.places[item]["owner"] == rival for item in place["neighbours"])
        return _NEAR_RIVAL * min(2, near)

    def _for_board(self, place: Mapping[str, Any], more: int) -> int:
        """Whole continents give advantages; few foreign neighbours give safety."""
        continent = place["continent"]
        foreign: int = sum(self._position.places[item]["owner"] != self._position.seat for item in place["neighbours"])
        return self._of_continent(continent, more, _SHARE, _COMPLETES) - _BORDER * foreign

    def _against(self, place: Mapping[str, Any]) -> int:
        """What it costs its owner, if that is another player: a continent, and the lead."""
        owner = place["owner"]
        if owner is None:
            return 0
        broken = _COMPLETES if self._position.holds(owner, place["continent"]) else 0
        return broken + _LEADER * max(0, self._position.total(owner) - self._total)
