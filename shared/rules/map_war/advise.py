"""Answers to questions, from what the viewer sees and with the checks of `decide` (MAP-38, MAP-78, MAP-107).

`submit_turn`: the faults of the draft `payload`, each with place, code, rule and what would be right. `quote`: a price
with the rows that make it (quotes.py). `deal`: what speaks against the offer `payload`, and its price if it is a sale.
All may name a `player` whom the viewer may ask for; without it the viewer is meant.
"""

from collections.abc import Mapping
from typing import Any

from shared.rules.advice import NoDice, fault_of_question, faults_told, subject_of
from shared.rules.interface import Input, Json, Refusal
from shared.rules.map_war.deal_terms import price_of
from shared.rules.map_war.decide import decide, refusal_of
from shared.rules.map_war.items import faults_of, orders_of
from shared.rules.map_war.quotes import QUESTION, prices_of, quote
from shared.rules.map_war.state import Deal, State
from shared.rules.map_war.table_view import View, state_of
from shared.rules.shapes import Anything, Id, Object

_DRAFT = Object({"payload": Anything(), "player": Id()}, frozenset({"payload", "player"}))
QUESTIONS: Mapping[str, Object] = {
    "submit_turn": _DRAFT,
    "quote": Object({**QUESTION.fields, "player": Id()}, QUESTION.optional | {"player"}),
    "deal": _DRAFT,
}
"""Type of a question -> its fields."""


def advise(view: View, question: Mapping[str, Json]) -> dict[str, Json] | Refusal:
    """Answer a question. Refuses `malformed`, `not_authorised`, and what speaks against a quote."""
    if found := fault_of_question(QUESTIONS, question):
        return found
    player = subject_of(view, question)
    if isinstance(player, Refusal):
        return player
    nation = view.get("nations", {}).get(player, {})
    if nation.get("player") is None or player != view.get("you", {}).get("player", player):
        return Refusal("not_authorised", "MAP-97", "advice is for the viewer herself, who must have a nation")
    state = state_of(view)
    match question["type"]:
        case "submit_turn":
            return _submission(state, player, question.get("payload", {}))
        case "quote":
            asked = {name: value for name, value in question.items() if name not in ("type", "player")}
            return quote(prices_of(state), player, asked)
    return _deal(state, player, question.get("payload", {}))


def _submission(state: State, nation: str, payload: Any) -> dict[str, Json]:
    """What would be stored with such a submission (MAP-80), or why it would be refused as a whole."""
    refusal = refusal_of(state, _draft(state, nation, "submit_turn", payload))
    if refusal is not None:
        return {"faults": faults_told([("turn" if refusal.code == "wrong_turn" else "", refusal)])}
    return {"faults": faults_told(faults_of(state, nation, orders_of(payload)))}


def _draft(state: State, nation: str, type_: str, payload: Any) -> Input:
    """The command as it would be given at the opening of the turn, when no deadline has passed."""
    return Input("draft", "", nation, "player", type_, payload, "", state.opened_at or 0, 1)


def _deal(state: State, nation: str, payload: Any) -> dict[str, Json]:
    """The judgement of `decide` on such an offer, without making it."""
    judged = decide(state, _draft(state, nation, "offer", payload), NoDice())
    if isinstance(judged, Refusal):
        return {"faults": faults_told([("", judged)]), "price": None}
    offered = next(event for event in judged if event.type == "deal_offered").data
    deal = Deal(offered["deal"], offered["kind"], nation, offered["to"], "offered", offered["terms"])
    return {"faults": [], "price": price_of(state, deal) if deal.kind == "sale" else None}
