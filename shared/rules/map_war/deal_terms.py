"""What a deal moves: amounts, zones and prices of each side (MAP-76 to MAP-78)."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from shared.rules.interface import Json, Refusal
from shared.rules.map_war.board import Board
from shared.rules.map_war.config import BUYER, Config
from shared.rules.map_war.costs import PriceRow, total
from shared.rules.map_war.state import AGREEMENT, EXCHANGE, SALE, Deal, State
from shared.rules.map_war.tables import PLACE, STRUCTURES, Levels, Price, row_of

GOODS_OF_AGREEMENT = ("food", "currency", "resources")
GOODS_OF_SALE = ("food", "resources")
Fault = tuple[str, Refusal]
"""Place in the payload of an offer, and what is wrong there."""
TERMS = ("good", "give", "get", "amount", "zone")
"""Fields of a deal that say what is traded."""
TURNS_OF_A_ZONE = 3
"""Turns whose yields a zone is worth (MAP-78)."""
_UNIT = 100
"""Cents of one unit: amounts are cents of a good."""


class Moved(NamedTuple):
    """What one side gives, in cents, and the zones that go with it."""

    currency: int = 0
    resources: int = 0
    food: int = 0
    zones: tuple[str, ...] = ()


def deal_form(deal: Deal) -> dict[str, Json]:
    """A deal as events have it."""
    return {"deal": deal.id, "kind": deal.kind, "from": deal.giver, "to": deal.taker, "terms": deal.terms}


def sides_of(kind: str) -> tuple[str, str]:
    """The names of the two sides of a deal (MAP-18)."""
    return ("a", "b") if kind == AGREEMENT else ("from", "to")


def deal_of(entry: Mapping[str, Any]) -> Deal:
    """A deal as the canonical state and views have it; what of its terms is not there belongs to another kind.

    Only operators' views have `accepted_seq`.
    """
    giver, taker = sides_of(entry["kind"])
    return Deal(
        entry["id"],
        entry["kind"],
        entry[giver],
        entry[taker],
        entry["status"],
        {name: entry[name] for name in TERMS if name in entry},
        entry["until_turn"],
        entry.get("accepted_seq"),
        entry["begun_turn"],
        entry["ends_turn"],
    )


def zones_given(deal: Deal) -> list[str]:
    """Zones that a deal moves, in the order of its terms."""
    terms = deal.terms
    bundles = (terms.get("give", {}), terms.get("get", {}))
    named = [zone for bundle in bundles for zone in bundle.get("zones", ())]
    return [*named, terms["zone"]] if "zone" in terms else named


def gives(state: State, deal: Deal) -> tuple[Moved, Moved]:
    """What `from` gives and what `to` gives, when the deal is carried out now; an agreement moves nothing.

    With `sale_payer` `bank` the buyer gives nothing, and the seller is paid by nobody (`paid_by_bank`).
    """
    terms = deal.terms
    if deal.kind == AGREEMENT:
        return Moved(), Moved()
    if deal.kind == SALE:
        sold = Moved(zones=(terms["zone"],)) if "zone" in terms else Moved(**{terms["good"]: terms["amount"]})
        paid = price_of(state, deal) if state.config.sale_payer == BUYER else 0
        return sold, Moved(currency=paid)
    return _bundle(terms["give"]), _bundle(terms["get"])


def paid_by_bank(state: State, deal: Deal) -> int:
    """What the seller gets from nowhere (MAP-78)."""
    return price_of(state, deal) if deal.kind == SALE and state.config.sale_payer != BUYER else 0


def price_of(state: State, deal: Deal) -> int:
    """MAP-78: the fixed price of a sale, rounded down to a cent."""
    terms, config = deal.terms, state.config
    if "zone" in terms:
        zone = state.board.index[terms["zone"]]
        rows = rows_of_zone(config, state.board, zone, state.levels[zone])
    else:
        rows = rows_of_good(config, terms["good"], terms["amount"])
    return total(rows).currency


def rows_of_good(config: Config, good: str, amount: int) -> list[PriceRow]:
    """The price of so many cents of food or resources."""
    upper, lower = config.sale_food if good == "food" else config.sale_resource
    value = amount * config.unit_value // _UNIT
    paid = amount * config.unit_value * upper // (lower * _UNIT)
    return [PriceRow(f"{good}, value", "MAP-78", Price(value, 0)), _share(f"{upper}/{lower}", paid - value)]


def rows_of_zone(config: Config, board: Board, zone: int, levels: Levels) -> list[PriceRow]:
    """MAP-78, MAP-113: a share of what the tables say that a zone yields in three turns."""
    rows = []
    for structure in STRUCTURES:
        level = levels[PLACE[structure]]
        if level:
            row = row_of(board.sea[zone], structure, level)
            yields = (row.currency + row.resources + row.food) * TURNS_OF_A_ZONE
            rows.append(PriceRow(f"{structure} {level}, {TURNS_OF_A_ZONE} turns", "MAP-78", Price(yields, 0)))
    upper, lower = config.sale_zone
    value = total(rows).currency
    return [*rows, _share(f"{upper}/{lower}", value * upper // lower - value)]


def _share(share: str, change: int) -> PriceRow:
    return PriceRow(f"sold at {share} of the value", "MAP-78", Price(change, 0))


def faults_of_terms(state: State, deal: Deal, *, taking: bool) -> Iterator[Fault]:
    """MAP-79: zones belong to the sides that give them, and stocks cover the deal by itself.

    An offer is held against what its side has; an acceptance against both.
    """
    given, taken = gives(state, deal)
    sides = (("give", deal.giver, given), ("get", deal.taker, taken))
    for side, nation, moved in sides:
        for number, zone in enumerate(moved.zones):
            if state.owner[state.board.index[zone]] != nation:
                place = f"{side}.zones.{number}" if deal.kind == EXCHANGE else "zone"
                yield place, Refusal("not_own_zone", "MAP-79", f"{zone} must belong to {nation}")
    for lacking_of in (_lacking_currency, _lacking_goods):
        for side, nation, moved in sides if taking else sides[:1]:
            for good, refusal in lacking_of(state, nation, moved):
                yield f"{side}.{good}" if deal.kind == EXCHANGE else "amount", refusal


def lacks(state: State, nation: str, moved: Moved) -> bool:
    """Whether a side lacks something that it gives; who gives nothing of a good needs none."""
    found = (*_lacking_currency(state, nation, moved), *_lacking_goods(state, nation, moved))
    return bool(found)


def _lacking_currency(state: State, nation: str, moved: Moved) -> Iterator[Fault]:
    if moved.currency and moved.currency > state.nations[nation].stocks.currency:
        told = f"{nation} must have {moved.currency} cents of currency"
        yield "currency", Refusal("insufficient_currency", "MAP-79", told)


def _lacking_goods(state: State, nation: str, moved: Moved) -> Iterator[Fault]:
    stocks = state.nations[nation].stocks
    for good, amount, stock in (
        ("resources", moved.resources, stocks.resources),
        ("food", moved.food, stocks.food),
    ):
        if amount and amount > stock:
            yield good, Refusal("insufficient_goods", "MAP-79", f"{nation} must have {amount} cents of {good}")


def _bundle(given: Mapping[str, Any]) -> Moved:
    return Moved(given["currency"], given["resources"], given["food"], tuple(given["zones"]))
