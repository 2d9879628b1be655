"""When the battle starts: proposals in turn, agreement, or a time set by an operator (SPB-23, SPB-106)."""

from shared.rules.interface import Decision, Dice, Event, Input, Refusal
from shared.rules.space_battle.state import Challenge, State


def propose_time(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-106: proposals alternate; a time must lie ahead."""
    challenge, time = state.challenges[command.payload["challenge"]], command.payload["time"]
    if refusal := _own_proposal(challenge, command.actor) or _not_ahead(time, command.at):
        return refusal
    data = {
        "challenge": challenge.id,
        "proposed_time": time,
        "proposed_by": command.actor,
        "to": challenge.other(command.actor),
    }
    return [Event("time_proposed", data)]


def agree_time(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-23, SPB-106: to the other's proposal, repeated; the battle of this War Room is the first so agreed."""
    challenge, time = state.challenges[command.payload["challenge"]], command.payload["time"]
    if refusal := _already_in_battle(state) or _own_proposal(challenge, command.actor):
        return refusal
    if time != challenge.proposed_time:
        return Refusal("bad_time", "SPB-106", f"time must be {challenge.proposed_time}, which was proposed")
    if refusal := _not_ahead(time, command.at):
        return refusal
    return [_agreed(challenge, time, command.actor)]


def request_staff_time(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-23; a second request changes nothing (SPB-106)."""
    challenge = state.challenges[command.payload["challenge"]]
    if challenge.staff_requested:
        return []
    return [Event("staff_time_requested", {"challenge": challenge.id, "by": command.actor})]


def set_time(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-23: an operator's time is final."""
    challenge, time = state.challenges[command.payload["challenge"]], command.payload["time"]
    if refusal := _already_in_battle(state):
        return refusal
    if not challenge.staff_requested:
        return Refusal("not_requested", "SPB-23", "an operator sets a time when one of the two has asked for it")
    if refusal := _not_ahead(time, command.at):
        return refusal
    return [_agreed(challenge, time, None)]


def _agreed(challenge: Challenge, time: int, by: str | None) -> Event:
    data = {"challenge": challenge.id, "start_time": time, "by": by, "players": [*challenge.players]}
    return Event("time_agreed", data)


def _already_in_battle(state: State) -> Refusal | None:
    """SPB-102: first of their own checks."""
    if state.battle is None:
        return None
    return Refusal("already_in_battle", "SPB-102", f"the battle of this War Room is that of challenge {state.battle}")


def _own_proposal(challenge: Challenge, player: str) -> Refusal | None:
    if challenge.proposed_by != player:
        return None
    return Refusal("own_proposal", "SPB-23", f"the last proposal is yours; {challenge.other(player)} answers it")


def _not_ahead(time: int, at: int) -> Refusal | None:
    if time > at:
        return None
    return Refusal("bad_time", "SPB-22", f"time must be after {at}")
