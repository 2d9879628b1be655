"""Deals: offered, accepted, ended by commands, and carried out by the resolution (MAP-74 to MAP-79, MAP-113)."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.interface import OPERATORS, Decision, Dice, Input, Json, Refusal
from shared.rules.map_war.close import close_what_is_complete
from shared.rules.map_war.deal_terms import GOODS_OF_AGREEMENT, GOODS_OF_SALE, Fault, deal_form, faults_of_terms
from shared.rules.map_war.events import to_players
from shared.rules.map_war.owners import void
from shared.rules.map_war.play import Play
from shared.rules.map_war.state import ACTIVE, AGREEMENT, OFFERED, PLAYER, RUNNING, Deal, State

_BUNDLE = ("currency", "food", "resources")


def offer(state: State, command: Input, dice: Dice) -> Decision:
    """An offer; stocks are held against it now, and again when it is accepted (MAP-113)."""
    nation, deal = command.actor, deal_offered(state, command.actor, command.payload)
    for _, refusal in faults_of_offer(state, deal):
        return refusal
    play = Play(state)
    data = {**deal_form(deal), "until_turn": deal.until_turn}
    play.emit("deal_offered", data, to_players(nation, deal.taker))
    close_what_is_complete(play, command.at, dice)
    return play.events


def deal_offered(state: State, nation: str, payload: Mapping[str, Any]) -> Deal:
    """The deal of an offer of the right form, with the number that it would have."""
    kind, until_turn = payload["kind"], payload.get("until_turn")
    return Deal(len(state.deals) + 1, kind, nation, payload["to"], OFFERED, _terms(payload), until_turn)


def faults_of_offer(state: State, deal: Deal) -> Iterator[Fault]:
    """All that speaks against an offer, with the place in its payload, in the order in which it is judged (MAP-79)."""
    other = state.nations[deal.taker]
    if other.id == deal.giver or other.kind != PLAYER or other.status != ACTIVE:
        yield "to", Refusal("not_a_trader", "MAP-79", "a deal is offered to another player nation")
    wrong = [*_bad_good(deal), *_bad_amounts(deal, state.turn)]
    yield from wrong
    if not wrong:
        yield from faults_of_terms(state, deal, taking=False)


def accept(state: State, command: Input, dice: Dice) -> Decision:
    """It is carried out by the resolution of this turn; an agreement counts from this turn on (MAP-76, MAP-113).

    Its place in the order of acceptances (MAP-83) is for operators: others' commands could be counted from it (MAP-98).
    """
    deal = _open_deal(state, command)
    if deal is None or deal.taker != command.actor or deal.status != OFFERED:
        return Refusal("no_offer", "MAP-79", "an open offer to the own nation can be accepted")
    for _, refusal in faults_of_terms(state, deal, taking=True):
        return refusal
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


def _bad_good(deal: Deal) -> Iterator[Fault]:
    known = GOODS_OF_AGREEMENT if deal.kind == AGREEMENT else GOODS_OF_SALE
    if "good" in deal.terms and deal.terms["good"] not in known:
        yield "good", Refusal("bad_good", "MAP-79", f"the good of this deal must be one of {', '.join(known)}")


def _bad_amounts(deal: Deal, turn: int) -> Iterator[Fault]:
    terms = deal.terms
    if deal.until_turn is not None and deal.until_turn < turn:
        yield "until_turn", Refusal("bad_amount", "MAP-113", f"until_turn must be {turn} or later")
    if terms.get("amount", 1) < 1:
        yield "amount", Refusal("bad_amount", "MAP-79", "the amount of a sale must be at least 1 cent")
    if "give" not in terms:
        return
    for side in ("give", "get"):
        for name in _BUNDLE:
            if terms[side][name] < 0:
                yield f"{side}.{name}", Refusal("bad_amount", "MAP-79", "amounts of an exchange must be 0 or more")
    yield from _nothing_or_twice(terms)


def _nothing_or_twice(terms: Mapping[str, Any]) -> Iterator[Fault]:
    refusal = Refusal("bad_amount", "MAP-79", "an exchange moves something, and each zone once")
    named: set[str] = set()
    for side in ("give", "get"):
        for number, zone in enumerate(terms[side]["zones"]):
            if zone in named:
                yield f"{side}.zones.{number}", refusal
            named.add(zone)
    if not named and not any(terms[side][name] for side in ("give", "get") for name in _BUNDLE):
        yield "", refusal
