"""Prices of orders and sales, with the rows that make each (MAP-22, MAP-23, MAP-29, MAP-31, MAP-37 to MAP-42, MAP-78).

`claim` and `conquest`: what a zone costs one's own nation now. `build`: the instalments of the next level of a
structure. `sale`: the fixed price of food, resources or a zone. Without an order the price list.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shared.rules.interface import Json, Refusal
from shared.rules.map_war.costs import PriceRow, Territory, adjacent, claim_rows, conquest_rows, territory, total
from shared.rules.map_war.deal_terms import rows_of_good, rows_of_zone
from shared.rules.map_war.event_shapes import ID, NUMBER, STRUCTURE
from shared.rules.map_war.items import fault_of_build, fault_of_claim, fault_of_conquest, first_cost
from shared.rules.map_war.state import State
from shared.rules.map_war.support import support_of
from shared.rules.map_war.table_view import View, state_of
from shared.rules.map_war.tables import CONQUEST, PLACE, STANDARD, Price, instalment, row_of
from shared.rules.pricing import Pricing
from shared.rules.shapes import Array, Choice, Integer, Object

MOST_SUPPORT = 200
QUESTION = Object(
    {
        "order": Choice(("claim", "conquest", "build", "sale")),
        "zone": ID,
        "support": Array(NUMBER, MOST_SUPPORT),
        "structure": STRUCTURE,
        "good": Choice(("food", "resources")),
        "amount": Integer(1, 10**12),
    },
    frozenset({"order", "zone", "support", "structure", "good", "amount"}),
)
_FIELDS: Mapping[str, Sequence[frozenset[str]]] = {
    "claim": (frozenset({"zone"}),),
    "conquest": (frozenset({"zone"}), frozenset({"zone", "support"})),
    "build": (frozenset({"zone", "structure"}),),
    "sale": (frozenset({"zone"}), frozenset({"good", "amount"})),
}
"""Order of a quote -> the fields that it may have."""


class Prices(NamedTuple):
    """What prices are made of; `held` is read once for all questions."""

    state: State
    held: Territory


def prices_of(state: State) -> Prices:
    """What the prices of a state are made of."""
    return Prices(state, territory(state))


def quote(prices: Prices, nation: str, question: Mapping[str, Any]) -> dict[str, Json] | Refusal:
    """What something costs a nation now. Amounts are cents; what is taken off is negative."""
    state = prices.state
    if nation not in state.nations:
        return Refusal("not_authorised", "ENG-5", "prices are told to players who have a nation in this game")
    order = question.get("order")
    fields = frozenset(question) - {"order"}
    if order is None:
        return _price_list(state) if not fields else Refusal("malformed", "ENG-5", "a quote of something has an order")
    if fields not in _FIELDS[order]:
        legal = ", or ".join(" and ".join(sorted(some)) for some in _FIELDS[order])
        return Refusal("malformed", "ENG-5", f"a quote of a {order} has the fields {legal}")
    if "good" in question:
        return _sold(rows_of_good(state.config, question["good"], question["amount"]))
    if question["zone"] not in state.board.index:
        return Refusal("unknown_id", "ENG-5", f"there is no zone {question['zone']} on the map of this game")
    zone = state.board.index[question["zone"]]
    match order:
        case "claim":
            return _claim(prices, nation, zone)
        case "conquest":
            return _conquest(prices, nation, zone, question.get("support", ()))
        case "build":
            return _build(state, nation, zone, question["structure"])
    return _sold(rows_of_zone(state.config, state.board, zone, state.levels[zone]))


def _price_list(state: State) -> dict[str, Json]:
    """What claims cost beside the own territory, and the parts of a conquest by structure and level (MAP-38)."""
    config = state.config
    return {
        "claims": {"land": dict(config.land_claim_cost), "sea": dict(config.sea_claim_cost)},
        "conquest": {
            "zone": STANDARD._asdict(),
            **{structure: [price._asdict() for price in prices] for structure, prices in CONQUEST.items()},
        },
    }


def _claim(prices: Prices, nation: str, zone: int) -> dict[str, Json] | Refusal:
    state = prices.state
    if refusal := fault_of_claim(state, zone, named_before=False):
        return refusal
    near = adjacent(state.board, prices.held, nation, zone)
    return _priced(claim_rows(state.config, state.board, zone, near))


def _conquest(prices: Prices, nation: str, zone: int, support: Sequence[int]) -> dict[str, Json] | Refusal:
    state = prices.state
    if refusal := fault_of_conquest(state, nation, zone):
        return refusal
    found = support_of(state, nation, zone, support, ())
    if isinstance(found, Refusal):
        return found
    near = adjacent(state.board, prices.held, nation, zone)
    return _priced(conquest_rows(state.config, state.levels[zone], near, found.armies, len(found.ships)))


def _build(state: State, nation: str, zone: int, structure: str) -> dict[str, Json] | Refusal:
    """All instalments of the next level, and what is due at once."""
    found = fault_of_build(state, nation, zone, structure, named_before=False)
    if found is not None:
        return found
    row = row_of(state.board.sea[zone], structure, state.levels[zone][PLACE[structure]] + 1)
    first = first_cost(state, zone, structure)
    rows = [PriceRow(f"{structure}, first instalment", "MAP-31", Price(first.currency, 0))]
    for step in range(2, row.turns + 1):
        later = Price(instalment(row.cost, step, row.turns), 0)
        rows.append(PriceRow(f"{structure}, instalment {step}", "MAP-31", later))
    if first.resources:
        rows.append(PriceRow(f"{structure}, resources at once", "MAP-29", Price(0, first.resources)))
    return {**_priced(rows), "first": first._asdict(), "turns": row.turns}


def _priced(rows: Sequence[PriceRow]) -> dict[str, Json]:
    return {"cost": total(rows)._asdict(), "rows": _told(rows)}


def _sold(rows: Sequence[PriceRow]) -> dict[str, Json]:
    """The price of a sale, in currency alone."""
    return {"price": total(rows).currency, "rows": _told(rows)}


def _told(rows: Sequence[PriceRow]) -> list[Json]:
    return [{"what": row.what, "rule": row.rule, **row.price._asdict()} for row in rows]


def _read(view: View) -> Prices:
    return prices_of(state_of(view))


PRICING = Pricing(("game", "zone", "nation", "piece"), QUESTION, _read, quote)
"""All that a price depends on is public (MAP-97)."""
