"""Challenges: issued, accepted, refused, taken back (section 5 of the rules)."""

from shared.rules.interface import Decision, Dice, Event, Input, Refusal
from shared.rules.space_battle.state import State
from shared.rules.space_battle.tables import base_of


def issue_challenge(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-21, in its order: both need the fleet, nobody fights two battles, a pair has one open challenge."""
    challenger, challenged, fleet = command.actor, command.payload["challenged"], state.config.challenge_fleet
    if challenger == challenged:
        return Refusal("self_challenge", "SPB-21", "challenge another player")
    legal = f"must own a base and at least {fleet} other craft"
    if not _has_fleet(state, challenger):
        return Refusal("fleet_too_small", "SPB-21", f"you {legal}")
    if not _has_fleet(state, challenged):
        return Refusal("opponent_fleet_too_small", "SPB-21", f"{challenged} {legal}")
    battle = state.fought
    if battle is not None and {challenger, challenged} & {*battle.players}:
        return Refusal(
            "already_in_battle", "SPB-102", "challenge somebody who is not in the battle, or wait for its end"
        )
    if state.challenges.between(challenger, challenged) is not None:
        return Refusal("duplicate_challenge", "SPB-21", f"one challenge between you and {challenged} may be open")
    data = {
        "challenge": len(state.challenges) + 1,
        "challenger": challenger,
        "challenged": challenged,
        "expires_at": command.at + state.config.expires_ms,
    }
    return [Event("challenge_issued", data)]


def accept_challenge(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-22: the challenged names the number of craft on each side, and a first time."""
    challenge = state.challenges[command.payload["challenge"]]
    number, time = command.payload["number"], command.payload["time"]
    most = min(state.config.most_craft, *(other_craft(state, player) for player in challenge.players))
    if not 1 <= number <= most:
        return Refusal("bad_number", "SPB-22", f"number must be an integer from 1 to {most}")
    if time <= command.at:
        return Refusal("bad_time", "SPB-22", f"time must be after {command.at}")
    data = {
        "challenge": challenge.id,
        "challenger": challenge.challenger,
        "number": number,
        "proposed_time": time,
        "proposed_by": command.actor,
    }
    return [Event("challenge_accepted", data)]


def refuse_challenge(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-22."""
    return [_ended(state, command, "challenge_refused")]


def withdraw(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-24: until a time is agreed."""
    return [_ended(state, command, "challenge_withdrawn")]


def other_craft(state: State, player: str) -> int:
    """Craft that somebody owns besides bases (SPB-106)."""
    base = base_of(state.config.classes)
    return sum(count for name, count in state.players[player].hangar.items() if name != base)


def _has_fleet(state: State, player: str) -> bool:
    base = base_of(state.config.classes)
    return state.players[player].hangar[base] >= 1 and other_craft(state, player) >= state.config.challenge_fleet


def _ended(state: State, command: Input, type_: str) -> Event:
    challenge = state.challenges[command.payload["challenge"]]
    data = {"challenge": challenge.id, "challenger": challenge.challenger, "challenged": challenge.challenged}
    return Event(type_, data)
