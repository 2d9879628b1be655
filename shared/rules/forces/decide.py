"""Judging one input: the common checks in the order of ENG-5, then the command's own (section 5 of the rules)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from shared.rules.checks import GAME_OVER, deadline_passed, unknown_type, wrong_role
from shared.rules.forces import capitals, closing, departures, lobby, operators, picking, submission
from shared.rules.forces.commands import COMMANDS
from shared.rules.forces.state import CAPITALS, ELIMINATED, ENDED, LOBBY, OPEN_PHASES, PICKING, YEAR, State
from shared.rules.interface import Command, Decision, Dice, Input, Refusal
from shared.rules.shapes import fault

Handler = Callable[[State, Input, Dice], Decision]

PHASES_OF: Mapping[str, tuple[str, ...]] = {
    "join": (LOBBY,),
    "start_game": (LOBBY,),
    "pick_zone": (PICKING,),
    "choose_capital": (CAPITALS,),
    "submit_turn": (YEAR,),
    "resign": (LOBBY, *OPEN_PHASES),
    "close_phase": OPEN_PHASES,
    "remove_player": OPEN_PHASES,
    "set_deadline": OPEN_PHASES,
    "shift_time": OPEN_PHASES,
}
"""Command -> phases in which it is possible (section 4, FOR-102)."""


def decide(state: State, command: Input, dice: Dice) -> Decision:
    """The events of an input, or why it is refused; the state stays as it is."""
    row = COMMANDS.get(command.type)
    sound = command.type == "submit_turn" and submission.is_sound(state, command)
    if row is None:
        return unknown_type(COMMANDS)
    refusal = (
        (None if sound else _malformed(row, command))
        or _game_over(state)
        or _not_authorised(state, row, command)
        or (None if sound else _unknown_id(state, command))
        or _wrong_phase(state, command)
        or _wrong_year(state, command)
        or _eliminated(state, command)
        or deadline_passed(command, state.deadline, f"the phase {state.phase}")
    )
    if refusal is not None:
        return refusal
    return submission.store(state, command, dice) if sound else _HANDLERS[command.type](state, command, dice)


def _malformed(row: Command, command: Input) -> Refusal | None:
    payload = command.payload
    found = fault(row.payload, payload)
    if found is None and command.type == "close_phase":
        found = _fault_of_closing(payload)
    if found is None and command.type == "submit_turn":
        found = submission.fault_of_size(payload)
    return None if found is None else Refusal("malformed", "ENG-5", found)


def _fault_of_closing(payload: Mapping[str, Any]) -> str | None:
    """Section 20: a year belongs to the phase `year`, and to it alone."""
    if (payload["phase"] == YEAR) == ("year" in payload):
        return None
    if payload["phase"] == YEAR:
        return "payload.year is missing; the phase year has one"
    return f"payload must not hold year with the phase {payload['phase']}"


def _game_over(state: State) -> Refusal | None:
    return GAME_OVER if state.phase == ENDED else None


def _not_authorised(state: State, row: Command, command: Input) -> Refusal | None:
    if refusal := wrong_role(row, command):
        return refusal
    if command.role == "player" and command.type != "join" and command.actor not in state.players:
        return Refusal("not_authorised", "ENG-5", "somebody who is not in the game may only join")
    return None


def _unknown_id(state: State, command: Input) -> Refusal | None:
    index = state.board.index
    for zone in _zones_in(command.payload):
        if zone not in index:
            return Refusal("unknown_id", "ENG-5", f"there is no zone {zone} on the map of this game")
    seat = command.payload.get("seat")
    if seat is not None and state.seats and seat > len(state.seats):
        return Refusal("unknown_id", "FOR-108", f"seats of this game are 1 to {len(state.seats)}")
    return None


def _zones_in(payload: Mapping[str, Any]) -> Iterator[str]:
    """Every zone that a command names, in the order in which it names them."""
    if "zone" in payload:
        yield payload["zone"]
    for item in payload.get("purchases", ()):
        yield item["zone"]
    for item in payload.get("moves", ()):
        yield item["from"]
        yield from item["path"]


def _wrong_phase(state: State, command: Input) -> Refusal | None:
    phases = PHASES_OF[command.type]
    if state.phase not in phases:
        return Refusal(
            "wrong_phase",
            "FOR-15",
            f"{command.type} is possible in the phase {' or '.join(phases)}; the game is in {state.phase}",
        )
    named = command.payload.get("phase", state.phase)
    if named != state.phase:  # FOR-105: before the year
        return Refusal("wrong_phase", "FOR-105", f"the open phase is {state.phase}")
    return None


def _wrong_year(state: State, command: Input) -> Refusal | None:
    """FOR-105."""
    named = command.payload.get("year")
    if named is None or named == state.year:
        return None
    legal = "no year is open yet" if state.year is None else f"the open year is {state.year}"
    return Refusal("wrong_turn", "FOR-105", legal)


def _eliminated(state: State, command: Input) -> Refusal | None:
    """FOR-20."""
    if command.role == "player" and command.type != "join" and state.players[command.actor].status == ELIMINATED:
        return Refusal("eliminated", "FOR-20", "commands are for active players; you are out of the game")
    return None


_HANDLERS: Mapping[str, Handler] = {
    "join": lobby.join,
    "start_game": lobby.start_game,
    "pick_zone": picking.pick_zone,
    "choose_capital": capitals.choose_capital,
    "submit_turn": submission.submit_turn,
    "resign": departures.resign,
    "close_phase": closing.close_phase,
    "remove_player": departures.remove_player,
    "set_deadline": operators.set_deadline,
    "shift_time": operators.shift_time,
}
