"""Standing policies: what a player has decided for when others attack her (section 9 of the rules)."""

from collections.abc import Mapping
from typing import Any

from shared.rules.exgenhoca.events import to_player
from shared.rules.exgenhoca.forms import policy_form
from shared.rules.exgenhoca.state import NEXT, OFF, Policy, State
from shared.rules.interface import Decision, Dice, Event, Input, Refusal

MOST_REROLLS = 1_000


def set_policy(state: State, command: Input, dice: Dice) -> Decision:
    """EXG-47: the fields that are given change; `unknown_id` is judged before. So an attack never waits (EXG-48)."""
    payload, seat = command.payload, state.index[command.actor]
    if found := _fault(payload):
        return Refusal("bad_policy", "EXG-47", found)
    player, index = state.players[seat - 1], state.board.index
    plus5, rerolls, gives = player.policy
    if "defence_plus5" in payload:
        given = payload["defence_plus5"]
        plus5 = given if isinstance(given, str) else tuple(index[item] for item in given)
    if "defence_rerolls" in payload:
        rerolls = payload["defence_rerolls"]
    if "sa_give" in payload:
        gives = tuple(index[item] for item in payload["sa_give"])
    return [policy_event(state, seat, Policy(plus5, rerolls, gives))]


def policy_event(state: State, seat: int, policy: Policy) -> Event:
    """The event that brings a policy about, for the player alone (EXG-67)."""
    id_ = state.players[seat - 1].id
    return Event("policy_set", {"seat": seat, "policy": policy_form(state.board, policy)}, to_player(id_))


def _fault(payload: Mapping[str, Any]) -> str | None:
    if "defence_plus5" in payload:
        given = payload["defence_plus5"]
        if given not in (OFF, NEXT) and not _is_list_of_territories(given):
            return "defence_plus5 must be off, next, or a list of territories, each named once"
    if "defence_rerolls" in payload:
        given = payload["defence_rerolls"]
        if type(given) is not int or not 0 <= given <= MOST_REROLLS:
            return f"defence_rerolls must be an integer from 0 to {MOST_REROLLS}"
    if "sa_give" in payload and not _is_list_of_territories(payload["sa_give"]):
        return "sa_give must be a list of territories in order of preference, each named once"
    return None


def _is_list_of_territories(given: Any) -> bool:
    if not isinstance(given, list | tuple) or not all(isinstance(item, str) for item in given):
        return False
    return len(set(given)) == len(given)
