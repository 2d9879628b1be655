"""Answers to questions, from what the viewer sees and with the checks of `decide` (MAP-38, MAP-78, MAP-107).

`submit_turn`: the faults of the draft `payload`, each with place, code, rule and what would be right. `quote`: what a
claim, a conquest or the next level of a structure costs one's own nation, with the rows that make the price; of a sale
its fixed price; without an order the price list. `deal`: what speaks against the offer `payload`, and its price if it
is a sale.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.rules.advice import NoDice, fault_of_question, faults_told
from shared.rules.interface import Input, Json, Refusal
from shared.rules.map_war.commands import COMMANDS
from shared.rules.map_war.costs import PriceRow, adjacent, claim_rows, conquest_rows, territory, total
from shared.rules.map_war.deal_terms import price_of, price_of_good, value_of_zone
from shared.rules.map_war.decide import decide, missing_from
from shared.rules.map_war.event_shapes import ID, NUMBER, STRUCTURE
from shared.rules.map_war.items import fault_of_build, fault_of_moves, faults_of, first_cost, orders_of
from shared.rules.map_war.state import Deal, State
from shared.rules.map_war.support import support_of
from shared.rules.map_war.table_view import View, state_of
from shared.rules.map_war.tables import CONQUEST, PLACE, STANDARD, Price, instalment, row_of
from shared.rules.shapes import Anything, Array, Choice, Object, fault

GOOD = Choice(("food", "resources"))
QUESTIONS: Mapping[str, Object] = {
    "submit_turn": Object({"payload": Anything()}),
    "quote": Object(
        {
            "order": Choice(("claim", "conquest", "build", "sale")),
            "zone": ID,
            "support": Array(NUMBER, 200),
            "structure": STRUCTURE,
            "good": GOOD,
            "amount": NUMBER,
        },
        frozenset({"order", "zone", "support", "structure", "good", "amount"}),
    ),
    "deal": Object({"payload": Anything()}),
}
"""Type of a question -> its fields."""
_FIELDS: Mapping[str, Sequence[frozenset[str]]] = {
    "claim": (frozenset({"zone"}),),
    "conquest": (frozenset({"zone"}), frozenset({"zone", "support"})),
    "build": (frozenset({"zone", "structure"}),),
    "sale": (frozenset({"zone"}), frozenset({"good", "amount"})),
}
"""Order of a quote -> the fields that it may have."""


def advise(view: View, question: Mapping[str, Json]) -> dict[str, Json] | Refusal:
    """Answer a question of a player who rules a nation; others are told why not."""
    if found := fault_of_question(QUESTIONS, question):
        return found
    nation = view.get("you", {}).get("nation")
    if nation is None:
        return Refusal("not_authorised", "ENG-5", "advice is for players who have a nation in this game")
    state = state_of(view)
    match question["type"]:
        case "submit_turn":
            return _submission(state, nation, question["payload"])
        case "quote":
            return _quote(state, nation, question)
    return _deal(state, nation, question["payload"])


def _submission(state: State, nation: str, payload: Any) -> dict[str, Json]:
    """What would be stored with such a submission (MAP-80), or why it would be refused as a whole."""
    found = fault(COMMANDS["submit_turn"].payload, payload) or fault_of_moves(payload)
    if found is not None:
        return {"faults": faults_told([("", Refusal("malformed", "ENG-5", found))])}
    missing = missing_from(state, "submit_turn", payload)
    if missing is not None:
        return {"faults": faults_told([("", missing)])}
    return {"faults": faults_told(faults_of(state, nation, orders_of(payload)))}


def _quote(state: State, nation: str, question: Mapping[str, Any]) -> dict[str, Json] | Refusal:
    order = question.get("order")
    if order is None:
        return _price_list(state)
    if frozenset(question) - {"type", "order"} not in _FIELDS[order]:
        legal = " or ".join(", ".join(sorted(fields)) for fields in _FIELDS[order])
        return Refusal("malformed", "ENG-5", f"a quote of a {order} has the fields {legal}")
    if "good" in question:
        price = price_of_good(state.config, question["good"], question["amount"])
        return {"price": price, "rule": "MAP-78"}
    if question["zone"] not in state.board.index:
        return Refusal("unknown_id", "ENG-5", f"there is no zone {question['zone']} on the map of this game")
    zone = state.board.index[question["zone"]]
    match order:
        case "claim":
            near = adjacent(state.board, territory(state), nation, zone)
            return _priced(claim_rows(state.config, state.board, zone, near))
        case "conquest":
            return _quote_of_conquest(state, nation, zone, question.get("support", ()))
        case "build":
            return _quote_of_build(state, nation, zone, question["structure"])
    upper, lower = state.config.sale_zone
    value = value_of_zone(state.board, zone, state.levels[zone])
    return {"value": value, "price": value * upper // lower, "rule": "MAP-78"}


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


def _quote_of_conquest(state: State, nation: str, zone: int, support: Sequence[int]) -> dict[str, Json] | Refusal:
    if state.owner[zone] in (None, nation):
        return Refusal("not_foreign", "MAP-46", f"{state.board.ids[zone]} must belong to another nation")
    found = support_of(state, nation, zone, support, ())
    if isinstance(found, Refusal):
        return found
    near = adjacent(state.board, territory(state), nation, zone)
    return _priced(conquest_rows(state.config, state.levels[zone], near, found.armies, len(found.ships)))


def _quote_of_build(state: State, nation: str, zone: int, structure: str) -> dict[str, Json] | Refusal:
    """All instalments of the next level, and what is due at once."""
    found = fault_of_build(state, nation, zone, structure, named_before=False)
    if found is not None:
        return found
    row = row_of(state.board.sea[zone], structure, state.levels[zone][PLACE[structure]] + 1)
    first = first_cost(state, zone, structure)
    rows = [PriceRow(f"{structure}, first instalment", "MAP-31", first)]
    for step in range(2, row.turns + 1):
        later = Price(instalment(row.cost, step, row.turns), 0)
        rows.append(PriceRow(f"{structure}, instalment {step}", "MAP-31", later))
    return {**_priced(rows), "first": first._asdict(), "turns": row.turns}


def _deal(state: State, nation: str, payload: Any) -> dict[str, Json]:
    """The judgement of `decide` on such an offer, without making it."""
    if not isinstance(payload, Mapping):
        return {
            "faults": faults_told([("", Refusal("malformed", "ENG-5", "payload must be an object"))]),
            "price": None,
        }
    at = state.opened_at or 0
    command = Input("draft", "", nation, "player", "offer", payload, "", at, 1)
    judged = decide(state, command, NoDice())
    if isinstance(judged, Refusal):
        return {"faults": faults_told([("", judged)]), "price": None}
    offered = next(event for event in judged if event.type == "deal_offered").data
    deal = Deal(offered["deal"], offered["kind"], nation, offered["to"], "offered", offered["terms"])
    return {"faults": [], "price": price_of(state, deal) if deal.kind == "sale" else None}


def _priced(rows: Sequence[PriceRow]) -> dict[str, Json]:
    """A price with the rows that make it; amounts in cents, what is taken off is negative."""
    return {
        "cost": total(rows)._asdict(),
        "rows": [{"what": row.what, "rule": row.rule, **row.price._asdict()} for row in rows],
    }
