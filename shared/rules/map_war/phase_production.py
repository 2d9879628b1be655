"""P5: yields, upkeep, food, pieces, finished constructions (MAP-21, MAP-35, MAP-51, MAP-55 to MAP-63, MAP-75).

Zones that are alike, by levels, pollution and nation, are worked out once and multiplied.
"""

from collections.abc import Mapping
from typing import NamedTuple

from shared.rules.map_war.config import Config
from shared.rules.map_war.play import Entry
from shared.rules.map_war.state import AGREEMENT, ARMY, BARBARIANS, RUNNING, SHIP, Nation, State
from shared.rules.map_war.tables import (
    AGRICULTURE,
    BASE,
    DEBT_OF_A_PERCENT,
    DEFENSE,
    DEFENSE_SUFFERS,
    INDUSTRY,
    INDUSTRY_SUFFERS,
    MOST_ARMIES,
    MOST_LOST,
    NOTHING_BUILT,
    PIECE_POINTS,
    PLACE,
    RESEARCH,
    STRUCTURES,
    Levels,
    Row,
    row_of,
)
from shared.rules.map_war.turn import Turn

STOPPED_BY_DEBT = (INDUSTRY, AGRICULTURE, DEFENSE, RESEARCH)
"""Structures that produce nothing while currency is below 0 (MAP-62)."""
_WHOLE = 100
_POLLUTED: Mapping[str, int] = {INDUSTRY: INDUSTRY_SUFFERS, DEFENSE: DEFENSE_SUFFERS}


class Kind(NamedTuple):
    """What decides what a zone yields."""

    levels: Levels
    sea: bool
    base: bool
    home: bool
    pollution: int


Sums = dict[str, list[int]]
"""Cause -> currency, resources, food, technology in cents."""


def produce(turn: Turn) -> None:
    """MAP-87: with the levels of the beginning, zones not acquired in this turn, by their owner.

    Who has no such zone left is no longer hungry and produces nothing (MAP-63, MAP-96).
    """
    kinds = _kinds(turn)
    partners = _partners(turn.state)
    for nation in list(turn.state.canonical_nations()):
        if nation.id != BARBARIANS and (nation.id in kinds or nation.hungry or nation.currency_last_turn):
            _produce(turn, nation, kinds.get(nation.id, {}), partners)


def make_pieces(turn: Turn) -> None:
    """MAP-51: points of defense, reduced like yields; then pieces, by zone."""
    gathered: dict[int, int] = {}
    working: list[int] = []
    state, place = turn.state, PLACE[DEFENSE]
    for zone, levels in enumerate(turn.levels):
        level, owner = levels[place], state.owner[zone]
        if not level or owner is None or owner == BARBARIANS or turn.fresh(zone) or turn.stands_still(owner):
            continue
        working.append(zone)
        points = row_of(state.board.sea[zone], DEFENSE, level).points
        lost = efficiency_loss(turn.stocks[owner].resources)
        gain = reduced(points, pollution_loss(DEFENSE, turn.pollution[zone]), lost)
        after = min(PIECE_POINTS, state.piece_points[zone] + gain)
        if after != state.piece_points[zone]:
            gathered[zone] = after
    turn.play.emit_by_zone("points_gathered", "points", gathered)
    for zone in working:
        if state.piece_points[zone] >= PIECE_POINTS:
            _make_piece(turn, zone, state.owner[zone])


def complete_constructions(turn: Turn) -> None:
    """MAP-32: what is paid for is complete after production."""
    state = turn.state
    for zone in sorted(state.building):
        for structure in sorted(state.building[zone]):
            begun = state.building[zone][structure]
            if begun.step == begun.steps:
                data = {"zone": state.board.ids[zone], "structure": structure, "level": begun.level}
                turn.play.emit("construction_done", data)


def reduced(amount: int, pollution: int, efficiency: int) -> int:
    """MAP-13, MAP-56: what is left of a yield, rounded down to a cent; both are per cents that are lost."""
    return amount * (_WHOLE - pollution) * (_WHOLE - efficiency) // (_WHOLE * _WHOLE)


def pollution_loss(structure: str, pollution: int) -> int:
    """MAP-55: per cent that a structure loses; "" stands for base yield and home."""
    return 0 if pollution < _POLLUTED.get(structure, 0) else min(MOST_LOST, pollution)


def efficiency_loss(resources: int) -> int:
    """MAP-61: per cent lost by a debt of resources, in cents."""
    return min(_WHOLE, max(0, -resources) // DEBT_OF_A_PERCENT)


def _kinds(turn: Turn) -> dict[str, dict[Kind, int]]:
    """Nation -> kind of zone -> how many of them produce."""
    state, counted = turn.state, dict[str, dict[Kind, int]]()
    sea, building, number = state.board.sea, state.building, turn.number
    for zone, owner in enumerate(state.owner):
        if owner is None or state.acquired_turn[zone] == number:
            continue
        levels = turn.levels[zone]
        base = levels == NOTHING_BUILT and zone not in building
        kind = Kind(levels, sea[zone], base, state.home_of[zone] == owner, turn.pollution[zone])
        kinds = counted.setdefault(owner, {})
        kinds[kind] = kinds.get(kind, 0) + 1
    return counted


def _produce(turn: Turn, nation: Nation, kinds: Mapping[Kind, int], partners: Mapping[str, Mapping[str, None]]) -> None:
    config, stocks = turn.state.config, nation.stocks
    lost, still = efficiency_loss(turn.stocks[nation.id].resources), turn.stands_still(nation.id)
    yields: Sums = {}
    upkeep: Sums = {}
    for kind, count in kinds.items():
        _add(yields, upkeep, config, kind, count, lost, still)
    entries = [Entry(nation.id, cause, *yields[cause]) for cause in sorted(yields)]
    currency, resources, food = (sum(change[good] for change in yields.values()) for good in range(3))
    bonus = _bonus(config, nation.id, partners, currency, resources, food)
    entries.append(bonus)
    entries += [Entry(nation.id, f"upkeep of {cause}", *upkeep[cause]) for cause in sorted(upkeep)]
    demand = -sum(change[2] for change in upkeep.values())
    supply = stocks.food + food + bonus.change.food
    hungry = supply < demand
    if hungry:
        entries.append(Entry(nation.id, "hunger", food=demand - supply))  # MAP-63: food is no debt
    data = {
        "nation": nation.id,
        "efficiency_loss": lost,
        "hungry": hungry,
        "currency_produced": currency + bonus.change.currency,
    }
    turn.play.emit_with_ledger("production", data, entries)
    if hungry:
        turn.play.emit("hungry", {"nation": nation.id, "supply": supply, "demand": demand})


def _add(yields: Sums, upkeep: Sums, config: Config, kind: Kind, count: int, lost: int, still: bool) -> None:
    """Add what `count` zones of a kind yield and eat; resources are of industry and home alone (MAP-35, MAP-60)."""
    if kind.base:
        _book(yields, "base", config, BASE, pollution_loss("", kind.pollution), lost, count)
        _eat(upkeep, "base", BASE, count)
    if kind.home:
        bonus = Row(0, 0, resources=config.home_resource_bonus)
        _book(yields, "home", config, bonus, pollution_loss("", kind.pollution), lost, count)
    for structure, level in zip(STRUCTURES, kind.levels, strict=True):
        if level:
            row = row_of(kind.sea, structure, level)
            if not (still and structure in STOPPED_BY_DEBT):
                _book(yields, structure, config, row, pollution_loss(structure, kind.pollution), lost, count)
            _eat(upkeep, structure, row, count)


def _book(yields: Sums, cause: str, config: Config, row: Row, pollution: int, lost: int, count: int) -> None:
    of_technology = pollution if config.pollution_affects_tech else 0
    sums = yields.setdefault(cause, [0, 0, 0, 0])
    sums[0] += count * reduced(row.currency, pollution, lost)
    sums[1] += count * reduced(row.resources, pollution, lost)
    sums[2] += count * reduced(row.food, pollution, lost)
    sums[3] += count * reduced(row.technology, of_technology, lost)


def _eat(upkeep: Sums, cause: str, row: Row, count: int) -> None:
    """MAP-55: upkeep is never reduced."""
    if row.eats or row.uses:
        sums = upkeep.setdefault(cause, [0, 0, 0, 0])
        sums[1] -= count * row.uses
        sums[2] -= count * row.eats


def _partners(state: State) -> dict[str, dict[str, None]]:
    """Nation -> goods on which it has an agreement; several on one good do not add up (MAP-75)."""
    goods: dict[str, dict[str, None]] = {}
    for deal in state.live():
        if deal.kind == AGREEMENT and deal.status == RUNNING:
            for nation in (deal.giver, deal.taker):
                goods.setdefault(nation, {})[deal.terms["good"]] = None
    return goods


def _bonus(
    config: Config,
    nation: str,
    partners: Mapping[str, Mapping[str, None]],
    currency: int,
    resources: int,
    food: int,
) -> Entry:
    """MAP-75: on the own production of a good."""
    goods = partners.get(nation, {})
    return Entry(
        nation,
        "agreements",
        min(config.trade_currency_cap, currency * config.trade_currency_pct // _WHOLE) if "currency" in goods else 0,
        min(config.trade_resource_cap, resources * config.trade_resource_pct // _WHOLE) if "resources" in goods else 0,
        food * config.trade_food_pct // _WHOLE if "food" in goods else 0,
    )


def _make_piece(turn: Turn, zone: int, owner: str | None) -> None:
    """An army waits where four stand already; ships are unlimited."""
    state = turn.state
    kind = SHIP if state.board.sea[zone] else ARMY
    if kind == ARMY and len(state.armies_in(zone)) >= MOST_ARMIES:
        return
    data = {
        "piece": state.pieces_made + 1,
        "kind": kind,
        "nation": owner,
        "zone": state.board.ids[zone],
        "points": state.piece_points[zone] - PIECE_POINTS,
    }
    turn.play.emit("piece_built", data)
