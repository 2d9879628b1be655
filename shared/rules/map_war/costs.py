"""Prices of claims and conquests, with the rows that make them (MAP-22, MAP-23, MAP-37 to MAP-42)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shared.rules.map_war.board import Board
from shared.rules.map_war.config import ADDITIVE, Config
from shared.rules.map_war.state import State
from shared.rules.map_war.tables import CONQUEST, DEFENSE, PLACE, STANDARD, STRUCTURES, Levels, Price

Territory = Sequence[str | None]
"""Zone -> who owned it at the start of the turn."""
_ARMY, _SHIP = Price(30, 40), Price(70, 70)
"""Per cent that an army and a ship take off (MAP-41)."""


class PriceRow(NamedTuple):
    """One part of a price: what it is, its rule, and the amount in cents, negative for what is taken off."""

    what: str
    rule: str
    price: Price


def territory(state: State) -> Territory:
    """At the start of the turn a zone that somebody new chose in it belonged to nobody (MAP-37, MAP-106)."""
    pairs = zip(state.owner, state.acquired_turn, strict=True)
    return [None if acquired == state.turn else owner for owner, acquired in pairs]


def adjacent(board: Board, held: Territory, nation: str, zone: int) -> bool:
    """Whether a zone touches what the nation held at the start of the turn, whatever became of that since (MAP-37)."""
    return any(held[other] == nation for other in board.neighbours[zone])


def claim_rows(config: Config, board: Board, zone: int, near: bool) -> list[PriceRow]:
    """The price of an ownerless zone."""
    sea = board.sea[zone]
    cost: Mapping[str, int] = config.sea_claim_cost if sea else config.land_claim_cost
    row = PriceRow("sea zone" if sea else "land zone", "MAP-23" if sea else "MAP-22", Price(**cost))
    return [row, *_distance(config, row.price, near)]


def conquest_rows(config: Config, levels: Levels, near: bool, armies: int, ships: int) -> list[PriceRow]:
    """The price of a zone of another nation with these supporters."""
    rows = [PriceRow("zone", "MAP-38", STANDARD)]
    for structure in STRUCTURES:
        level = levels[PLACE[structure]]
        if level and structure != DEFENSE:
            rows.append(PriceRow(f"{structure} {level}", "MAP-38", CONQUEST[structure][level - 1]))
    defense, factor = levels[PLACE[DEFENSE]], config.defense_multiplier
    if defense:
        if factor > 1:
            others = total(rows)
            more = Price(others.currency * (factor - 1), others.resources * (factor - 1))
            rows.append(PriceRow(f"defense: {factor} times the rows above", "MAP-39", more))
        rows.append(PriceRow(f"defense {defense}", "MAP-38", CONQUEST[DEFENSE][defense - 1]))
    rows += _distance(config, total(rows), near)
    full = total(rows)
    paid = reduced(config, full, armies, ships)
    if paid != full:
        off = Price(paid.currency - full.currency, paid.resources - full.resources)
        rows.append(PriceRow(f"support of {armies} armies and {ships} ships", "MAP-42", off))
    return rows


def reduced(config: Config, cost: Price, armies: int, ships: int) -> Price:
    """MAP-41, MAP-42: what is left of a price, rounded up to a cent."""
    if config.reduction_mode == ADDITIVE:
        currency = max(0, 100 - armies * _ARMY.currency - ships * _SHIP.currency)
        resources = max(0, 100 - armies * _ARMY.resources - ships * _SHIP.resources)
        return Price(_up(cost.currency * currency, 100), _up(cost.resources * resources, 100))
    unit = 10 ** (armies + ships)
    return Price(_up(cost.currency * 7**armies * 3**ships, unit), _up(cost.resources * 6**armies * 3**ships, unit))


def total(rows: Iterable[PriceRow]) -> Price:
    """The sum of rows."""
    currency = resources = 0
    for row in rows:
        currency += row.price.currency
        resources += row.price.resources
    return Price(currency, resources)


def _distance(config: Config, cost: Price, near: bool) -> list[PriceRow]:
    factor = config.non_adjacent_factor
    if near or factor == 1:
        return []
    more = Price(cost.currency * (factor - 1), cost.resources * (factor - 1))
    return [PriceRow(f"not adjacent: {factor} times the price", "MAP-37", more)]


def _up(amount: int, by: int) -> int:
    return -(-amount // by)
