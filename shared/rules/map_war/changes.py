"""What the changes of several event types have in common; every value comes from the event (MAP-93)."""

from collections.abc import Callable, Mapping
from typing import Any

from shared.rules.map_war.state import State, Stocks
from shared.rules.map_war.tables import Levels

Data = Mapping[str, Any]
Change = Callable[[State, Data], None]
"""What an event of one type does to a state, in place."""


def stocks_of(given: Data) -> Stocks:
    """Stocks as events and the canonical state have them."""
    return Stocks(given["currency"], given["resources"], given["food"], given["technology"])


def levels_of(levels: list[int]) -> Levels:
    """Six levels as the state has them."""
    city, industry, agriculture, commerce, defense, research = levels
    return city, industry, agriculture, commerce, defense, research


def nothing(state: State, data: Data) -> None:
    """Told for those who watch; the state learns it from other events."""


def set_stocks(state: State, data: Data) -> None:
    """MAP-99: the stocks behind the entries."""
    for nation, stocks in data["stocks"].items():
        state.edit(nation).stocks = stocks_of(stocks)


def take(state: State, zone: str, nation: str, turn: int) -> None:
    number = state.board.index[zone]
    state.owner[number] = nation
    state.acquired_turn[number] = turn
