"""Answers to questions, from what the viewer sees and with the checks of `decide` (MAP-38, MAP-78, MAP-107).

`submit_turn`: the faults of the draft `payload`, each with place, code, rule and what would be right. `quote`: a price
with the rows that make it (quotes.py). `deal`: what speaks against the offer `payload`, and its price if it is a sale.
"""

from collections.abc import Mapping
from typing import Any

from shared.rules.advice import NoDice, fault_of_question, faults_told
from shared.rules.interface import Input, Json, Refusal
from shared.rules.map_war.commands import COMMANDS
from shared.rules.map_war.deal_terms import price_of
from shared.rules.map_war.decide import decide, missing_from
from shared.rules.map_war.items import fault_of_moves, faults_of, orders_of
from shared.rules.map_war.quotes import QUESTION, prices_of, quote
from shared.rules.map_war.state import Deal, State
from shared.rules.map_war.table_view import View, state_of
from shared.rules.shapes import Anything, Object, fault

QUESTIONS: Mapping[str, Object] = {
    "submit_turn": Object({"payload": Anything()}),
    "quote": QUESTION,
    "deal": Object({"payload": Anything()}),
}
"""Type of a question -> its fields."""


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
            asked = {name: value for name, value in question.items() if name != "type"}
            return quote(prices_of(state), nation, asked)
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
