"""Judging one input: the common checks in the order of ENG-5, then the command's own (section 4 of the rules)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from shared.rules.checks import GAME_OVER, deadline_passed, unknown_type, wrong_period, wrong_role
from shared.rules.exgenhoca import choices, operators, passing, policies, setup
from shared.rules.exgenhoca.attack import attack
from shared.rules.exgenhoca.commands import COMMANDS
from shared.rules.exgenhoca.round_close import close_round
from shared.rules.exgenhoca.state import ELIMINATED, ENDED, LOBBY, RUNNING, State
from shared.rules.interface import Command, Decision, Dice, Input, Refusal
from shared.rules.shapes import fault

Handler = Callable[[State, Input, Dice], Decision]


def decide(state: State, command: Input, dice: Dice) -> Decision:
    """The events of an input, or why it is refused; the state stays as it is."""
    row = COMMANDS.get(command.type)
    if row is None:
        return unknown_type(COMMANDS)
    refusal = (
        _malformed(state, row, command)
        or _game_over(state)
        or _not_authorised(state, row, command)
        or _unknown_id(state, command)
        or _wrong_phase(state, command)
        or wrong_period(command, "round", state.round)
        or _eliminated(state, command)
        or _deadline_passed(state, command)
    )
    return refusal or _HANDLERS[command.type](state, command, dice)


def _malformed(state: State, row: Command, command: Input) -> Refusal | None:
    payload = command.payload
    if len(payload) == 1 and command.type == "attack":  # the usual attack, whose form is seen at a glance
        target = payload.get("target")
        if type(target) is str and target in state.board.index:
            return None
    found = fault(row.payload, payload)
    if found is None and command.type == "attack":
        use = payload.get("use", {})
        if use.get("global") and use.get("repeat"):
            found = "payload.use must not hold global together with repeat (EXG-27)"
    if found is None and command.type == "resolve_swap":
        found = _fault_of_swap(payload)
    return None if found is None else Refusal("malformed", "ENG-5", found)


def _fault_of_swap(payload: Mapping[str, Any]) -> str | None:
    named = ("give" in payload, "take" in payload)
    if payload.get("decline"):
        return "payload must hold give and take, or decline alone" if any(named) else None
    return None if all(named) else "payload must hold give and take, or decline: true"


def _game_over(state: State) -> Refusal | None:
    return GAME_OVER if state.phase == ENDED else None


def _not_authorised(state: State, row: Command, command: Input) -> Refusal | None:
    if refusal := wrong_role(row, command):
        return refusal
    if command.role == "player" and command.actor not in state.index:
        return Refusal("not_authorised", "ENG-5", "only those who have a seat in the game may play")
    return None


def _unknown_id(state: State, command: Input) -> Refusal | None:
    index = state.board.index
    for name in _territories_in(command.payload):
        if name not in index:
            return Refusal("unknown_id", "ENG-5", f"there is no territory {name} on the map of this game")
    return None


def _territories_in(payload: Mapping[str, Any]) -> Iterator[str]:
    """Every territory that a command names; entries of a policy that are no strings are a bad policy (EXG-47)."""
    for name in ("target", "territory", "give", "take"):
        if name in payload:
            yield payload[name]
    for name in ("defence_plus5", "sa_give"):
        listed = payload.get(name)
        if isinstance(listed, list | tuple):
            yield from (item for item in listed if isinstance(item, str))


def _wrong_phase(state: State, command: Input) -> Refusal | None:
    if (state.phase == LOBBY) == (command.type == "start_game"):
        return None
    if state.phase == LOBBY:
        return Refusal("wrong_phase", "EXG-13", "the game is in the lobby, which takes start_game")
    return Refusal("wrong_phase", "EXG-13", "start_game is possible in the lobby; this game has started")


def _eliminated(state: State, command: Input) -> Refusal | None:
    """EXG-16."""
    if command.role == "player" and state.players[state.index[command.actor] - 1].status == ELIMINATED:
        return Refusal("eliminated", "EXG-16", "commands are for active players; you are out of the game")
    return None


def _deadline_passed(state: State, command: Input) -> Refusal | None:
    return deadline_passed(command, state.round_deadline, f"round {state.round}") if state.phase == RUNNING else None


_HANDLERS: Mapping[str, Handler] = {
    "start_game": setup.start_game,
    "attack": attack,
    "set_policy": policies.set_policy,
    "resolve_swap": choices.resolve_swap,
    "resolve_loss": choices.resolve_loss,
    "pass_round": passing.pass_round,
    "resign": passing.resign,
    "close_round": close_round,
    "set_deadline": operators.set_deadline,
    "shift_time": operators.shift_time,
}
