"""Deals: offered, accepted, ended by commands, and carried out by the resolution (MAP-74 to MAP-79, MAP-113)."""

from collections.abc import Mapping
from typing import Any

from shared.rules.interface import OPERATORS, Decision, Dice, Input, Json, Refusal
from shared.rules.map_war.close import close_what_is_complete
from shared.rules.map_war.deal_terms import GOODS_OF_AGREEMENT, GOODS_OF_SALE, deal_form, fault_of_terms
from shared.rules.map_war.events import to_players
from shared.rules.map_war.owners import void
from shared.rules.map_war.play import Play
from shared.rules.map_war.state import ACTIVE, AGREEMENT, EXCHANGE, OFFERED, PLAYER, RUNNING, Deal, State

_BUNDLE = ("currency", "food", "resources")


def offer(state: State, command: Input, dice: Dice) -> Decision:
    """An offer; stocks are held against it now, and again when it is accepted (MAP-113)."""
    payload, nation = command.payload, command.actor
    other = state.nations[payload["to"]]
    if other.id == nation or other.kind != PLAYER or other.status != ACTIVE:
        return Refusal("not_a_trader", "MAP-79", "a deal is offered to another player nation")
    terms = _terms(payload)
    found = _bad_good(payload["kind"], terms) or _bad_amount(terms, payload.get("until_turn"), state.turn)
    deal = Deal(len(state.deals) + 1, payload["kind"], nation, other.id, OFFERED, terms, payload.get("until_turn"))
    found = found or fault_of_terms(state, deal, taking=False)
    if found is not None:
        return found
    play = Play(state)
    data = {**deal_form(deal), "until_turn": deal.until_turn}
    play.emit("deal_offered", data, to_players(nation, other.id))
    close_what_is_complete(play, command.at, dice)
    return play.events


def accept(state: State, command: Input, dice: Dice) -> Decision:
    """It is carried out by the resolution of this turn; an agreement counts from this turn on (MAP-76, MAP-113).

    Its place in the order of acceptances (MAP-83) is for operators: others' commands could be counted from it (MAP-98).
    """
    deal = _open_deal(state, command)
    if deal is None or deal.taker != command.actor or deal.status != OFFERED:
        return Refusal("no_offer", "MAP-79", "an open offer to the own nation can be accepted")
    found = fault_of_terms(state, deal, taking=True)
    if found is not None:
        return found
    play = Play(state)
    play.emit("deal_accepted", {"deal": deal.id}, to_players(deal.giver, deal.taker))
    play.emit("acceptance_numbered", {"deal": deal.id, "accepted_seq": command.seq}, OPERATORS)
    close_what_is_complete(play, command.at, dice)
    return play.events


def decline(state: State, command: Input, dice: Dice) -> Decision:
    """By the side that was asked, or by the one that offered, who withdraws it (MAP-113)."""
    deal = _open_deal(state, command)
    if deal is None or deal.status != OFFERED:
        return Refusal("no_offer", "MAP-79", "an open offer of or to the own nation can be declined")
    play = Play(state)
    void(play, deal, "declined" if deal.taker == command.actor else "withdrawn")
    close_what_is_complete(play, command.at, dice)
    return play.events


def end_agreement(state: State, command: Input, dice: Dice) -> Decision:
    """MAP-74: with effect from the next turn."""
    deal = _open_deal(state, command)
    if deal is None or deal.kind != AGREEMENT or deal.status != RUNNING or deal.ends_turn is not None:
        return Refusal("no_offer", "MAP-79", "an agreement of the own nation that has no end yet can be ended")
    play = Play(state)
    data = {"deal": deal.id, "by": command.actor, "ends_turn": state.turn}
    play.emit("agreement_ending", data, to_players(deal.giver, deal.taker))
    close_what_is_complete(play, command.at, dice)
    return play.events


def fault_of_offer(payload: Mapping[str, Any]) -> str | None:
    """Which fields an offer has follows from its kind."""
    kind = payload["kind"]
    named = {name for name in ("good", "give", "get", "amount", "zone") if name in payload}
    match kind:
        case "agreement":
            return None if named == {"good"} else "payload of an agreement must have good, and nothing else to trade"
        case "exchange":
            return None if named <= {"give", "get"} else "payload of an exchange must have give and get alone"
    return None if named in ({"good", "amount"}, {"zone"}) else "payload of a sale must have good and amount, or zone"


def _open_deal(state: State, command: Input) -> Deal | None:
    """A deal of the own nation that is offered or active; whether others have one of that number does not show."""
    deal = state.deals.get(command.payload["deal"])
    if deal is None or deal.id not in state.live_deals or command.actor not in (deal.giver, deal.taker):
        return None
    return deal


def _terms(payload: Mapping[str, Any]) -> dict[str, Json]:
    """What is traded, with the zeros."""
    match payload["kind"]:
        case "agreement":
            return {"good": payload["good"]}
        case "exchange":
            return {side: _bundle(payload.get(side, {})) for side in ("give", "get")}
    if "zone" in payload:
        return {"zone": payload["zone"]}
    return {"good": payload["good"], "amount": payload["amount"]}


def _bundle(given: Mapping[str, Any]) -> dict[str, Json]:
    return {**{name: given.get(name, 0) for name in _BUNDLE}, "zones": list(given.get("zones", ()))}


def _bad_good(kind: str, terms: Mapping[str, Any]) -> Refusal | None:
    known = GOODS_OF_AGREEMENT if kind == AGREEMENT else GOODS_OF_SALE
    if kind == EXCHANGE or "zone" in terms or terms["good"] in known:
        return None
    return Refusal("bad_good", "MAP-79", f"the good of this deal must be one of {', '.join(known)}")


def _bad_amount(terms: Mapping[str, Any], until_turn: int | None, turn: int) -> Refusal | None:
    if until_turn is not None and until_turn < turn:
        return Refusal("bad_amount", "MAP-113", f"until_turn must be {turn} or later")
    if terms.get("amount", 1) < 1:
        return Refusal("bad_amount", "MAP-79", "the amount of a sale must be at least 1 cent")
    if "give" not in terms:
        return None
    bundles = (terms["give"], terms["get"])
    if any(bundle[name] < 0 for bundle in bundles for name in _BUNDLE):
        return Refusal("bad_amount", "MAP-79", "amounts of an exchange must be 0 or more")
    zones = [zone for bundle in bundles for zone in bundle["zones"]]
    if len(set(zones)) != len(zones) or not (zones or any(bundle[name] for bundle in bundles for name in _BUNDLE)):
        return Refusal("bad_amount", "MAP-79", "an exchange moves something, and each zone once")
    return None
