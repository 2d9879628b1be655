"""What the phases of a resolution share: the play, the dice, and what is frozen at its beginning (MAP-82)."""

from collections.abc import Mapping
from typing import Any

from shared.rules.interface import Json, Resolution
from shared.rules.map_war.costs import Territory, territory
from shared.rules.map_war.play import Play
from shared.rules.map_war.state import State, Stocks
from shared.rules.map_war.tables import Levels


class Turn:
    """One resolution. Columns of the beginning are never written; `play.state` is what the phases have made of it."""

    __slots__ = ("dice", "held", "levels", "number", "play", "pollution", "started", "stocks")

    def __init__(self, play: Play, dice: Resolution) -> None:
        state = play.state
        self.play = play
        self.dice = dice
        self.number = state.turn
        self.held: Territory = territory(state)
        self.levels: list[Levels] = state.levels.copy()
        self.pollution = state.pollution.copy()
        self.stocks: Mapping[str, Stocks] = {id_: nation.stocks for id_, nation in state.nations.items()}
        self.started: set[tuple[int, str]] = set()
        """Constructions that began in this turn."""

    @property
    def state(self) -> State:
        return self.play.state

    def submissions(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Nations with their submissions, in the order in which these were made (MAP-47)."""
        given = [(item.id, item.submission) for item in self.state.nations.values() if item.submission is not None]
        return sorted(given, key=_by_seq)

    def fresh(self, zone: int) -> bool:
        """Whether a zone was acquired in this turn (MAP-49)."""
        return self.state.acquired_turn[zone] == self.number

    def stands_still(self, nation: str) -> bool:
        """MAP-62: in debt of currency at the start of the turn."""
        return self.stocks[nation].currency < 0

    def fail(self, nation: str, item: str, code: str) -> None:
        """An order that cannot be carried out costs nothing (MAP-47, MAP-48)."""
        self.play.emit("order_failed", {"nation": nation, "item": item, "code": code})


class Draw:
    """A test with a per cent, and what an event records of it (ENG-6, ENG-10)."""

    __slots__ = ("happened", "pct", "r", "scope")

    def __init__(self, dice: Resolution, scope: str, pct: int) -> None:
        self.scope = scope
        self.pct = pct
        self.r = dice.stream(scope).int(100) if 0 < pct < 100 else None
        self.happened = pct >= 100 if self.r is None else self.r < pct

    @property
    def draws(self) -> int:
        return 0 if self.r is None else 1

    def form(self) -> dict[str, Json]:
        """As events have it."""
        scope = None if self.r is None else self.scope
        return {"scope": scope, "draws": self.draws, "r": self.r, "pct": self.pct, "happened": self.happened}


def _by_seq(entry: tuple[str, Mapping[str, Any]]) -> int:
    seq: int = entry[1]["seq"]
    return seq
