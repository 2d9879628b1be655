"""Answers to questions, from what the viewer sees and with the checks of `decide` (MAP-38, MAP-78, MAP-107).

`submit_turn`: the faults of the draft `payload`, each with place, code, rule and what would be right. `quote`: a price
with the rows that make it (quotes.py). `deal`: what speaks against the offer `payload`, and its price if it is a sale.
All may name a `player` whom the viewer may ask for; without it the viewer is meant.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from shared.rules.advice import MOST_TOLD, fault_of_question, faults_of_form, faults_told, subject_of
from shared.rules.interface import Input, Json, Refusal
from shared.rules.map_war.commands import COMMANDS
from shared.rules.map_war.deal_terms import price_of
from shared.rules.map_war.deals import deal_offered, faults_of_offer
from shared.rules.map_war.decide import refusal_of
from shared.rules.map_war.event_shapes import ITEMS
from shared.rules.map_war.items import Fault, faults_of, faults_of_moves, orders_of
from shared.rules.map_war.naming import unknown_ids
from shared.rules.map_war.quotes import QUESTION, prices_of, quote
from shared.rules.map_war.state import SALE, State
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
    """What would be stored with such a submission (MAP-80), or why it would be refused as a whole.

    Where some items have no right form or name what is not there, the others are judged as if they stood alone.
    """
    refusal = refusal_of(state, _draft(state, nation, "submit_turn", payload))
    if refusal is None:
        return {"faults": faults_told(faults_of(state, nation, orders_of(payload)))}
    unfit = _unfit(state, payload)
    if refusal.code not in ("malformed", "unknown_id") or not unfit:
        return {"faults": faults_told([_of_the_whole(refusal)])}
    if isinstance(payload, Mapping):
        sound = Sound(payload, unfit)
        unfit += sound.placed(faults_of(state, nation, orders_of(sound.payload)))
    return {"faults": faults_told(unfit)}


def _unfit(state: State, payload: Any) -> list[Fault]:
    """Every `malformed` and `unknown_id` of a draft at its place, that of the judgement first."""
    found = faults_of_form(COMMANDS["submit_turn"].payload, payload)
    if isinstance(payload, Mapping):
        sound = Sound(payload, found)
        moves = ((place, Refusal("malformed", "ENG-5", told)) for place, told in faults_of_moves(sound.payload))
        found += sound.placed(moves)
        sound = Sound(payload, found)
        found += sound.placed(islice(unknown_ids(state, "submit_turn", sound.payload), MOST_TOLD))
    return found


class Sound:
    """The items of a draft that are in no fault, and the numbers that they have in it."""

    def __init__(self, payload: Mapping[str, Any], faults: Sequence[Fault]) -> None:
        wrong = {".".join(place.split(".")[:2]) for place, _ in faults}
        self.payload: dict[str, Any] = {}
        self._numbers: dict[str, list[int]] = {}
        for name in ITEMS:
            listed = payload.get(name, ()) if name not in wrong else ()
            self._numbers[name] = [number for number in range(len(listed)) if f"{name}.{number}" not in wrong]
            self.payload[name] = [listed[number] for number in self._numbers[name]]

    def placed(self, faults: Iterable[Fault]) -> list[Fault]:
        """The faults of these items at their places in the draft."""
        return [(self._place(*place.split(".", 2)), refusal) for place, refusal in faults]

    def _place(self, name: str, number: str, *rest: str) -> str:
        return ".".join((name, str(self._numbers[name][int(number)]), *rest))


def _of_the_whole(refusal: Refusal) -> Fault:
    return "turn" if refusal.code == "wrong_turn" else "", refusal


def _draft(state: State, nation: str, type_: str, payload: Any) -> Input:
    """The command as it would be given at the opening of the turn, when no deadline has passed."""
    return Input("draft", "", nation, "player", type_, payload, "", state.opened_at or 0, 1)


def _deal(state: State, nation: str, payload: Any) -> dict[str, Json]:
    """The judgement of `decide` on such an offer, without making it."""
    refusal = refusal_of(state, _draft(state, nation, "offer", payload))
    if refusal is not None:
        found = faults_of_form(COMMANDS["offer"].payload, payload)
        if refusal.code == "unknown_id":
            found = list(islice(unknown_ids(state, "offer", payload), MOST_TOLD))
        return {"faults": faults_told(found or [_of_the_whole(refusal)]), "price": None}
    deal = deal_offered(state, nation, payload)
    faults = list(faults_of_offer(state, deal))
    return {"faults": faults_told(faults), "price": price_of(state, deal) if deal.kind == SALE and not faults else None}
