"""Judging one input: the common checks in the order of ENG-5, then the command's own (MAP, section 14)."""

from collections.abc import Callable, Mapping

from shared.rules.checks import GAME_OVER, deadline_passed, unknown_type, wrong_period, wrong_role
from shared.rules.interface import Command, Decision, Dice, Input, Refusal
from shared.rules.map_war import deals, departures, entering, operators, sizes
from shared.rules.map_war.close import close_fix, close_turn
from shared.rules.map_war.commands import COMMANDS
from shared.rules.map_war.items import faults_of_moves
from shared.rules.map_war.naming import unknown_ids
from shared.rules.map_war.state import ELIMINATED, ENDED, FIX, LEFT_OUT, ORDERS, RULERLESS, START, State
from shared.rules.map_war.submissions import submit_turn
from shared.rules.shapes import fault

Handler = Callable[[State, Input, Dice], Decision]
_TIMES = ("set_deadline", "shift_time")
_IN_TURN_1 = ("choose_start", "close_turn", *_TIMES)
_IN_ORDERS = (
    "submit_turn",
    "offer",
    "accept",
    "decline",
    "end_agreement",
    "abandon",
    "rejoin",
    "close_turn",
    *_TIMES,
)
_IN_FIX = ("submit_turn", "close_fix", *_TIMES)


def decide(state: State, command: Input, dice: Dice) -> Decision:
    """The events of an input, or why it is refused; the state stays as it is."""
    return refusal_of(state, command) or _HANDLERS[command.type](state, command, dice)


def refusal_of(state: State, command: Input) -> Refusal | None:
    """What the common checks say of an input; advice asks them of a draft."""
    row = COMMANDS.get(command.type)
    if row is None:
        return unknown_type(COMMANDS)
    return (
        _malformed(row, command)
        or _game_over(state)
        or _not_authorised(state, row, command)
        or _unknown_id(state, command)
        or _wrong_phase(state, command)
        or wrong_period(command, "turn", state.turn)
        or _out_of_power(state, command)
        or deadline_passed(command, state.deadline, f"turn {state.turn}")
    )


def _malformed(row: Command, command: Input) -> Refusal | None:
    payload = command.payload
    found = fault(row.payload, payload)
    if found is None:
        match command.type:
            case "choose_start":
                found = entering.fault_of_color(payload["color"])
            case "submit_turn":
                found = next((told for _, told in faults_of_moves(payload)), None) or sizes.fault_of_orders(payload)
            case "offer":
                found = deals.fault_of_offer(payload) or sizes.fault_of_deal(payload)
    return None if found is None else Refusal("malformed", "ENG-5", found)


def _game_over(state: State) -> Refusal | None:
    return GAME_OVER if state.phase == ENDED else None


def _not_authorised(state: State, row: Command, command: Input) -> Refusal | None:
    if refusal := wrong_role(row, command):
        return refusal
    if command.role != "player":
        return None
    if command.type == "join":
        nation = state.nations.get(command.actor)
        if nation is not None and nation.player is None:
            return Refusal("not_authorised", "MAP-105", "a player's nation has her id, and this one is taken")
        return None
    if state.players.get(command.actor, LEFT_OUT) == LEFT_OUT:
        return Refusal("not_authorised", "MAP-106", "only those who take part in the game may play")
    if command.type != "choose_start" and state.phase in (ORDERS, FIX) and command.actor not in state.nations:
        return Refusal("not_authorised", "MAP-106", "only who has chosen a start may play")
    return None


def _unknown_id(state: State, command: Input) -> Refusal | None:
    """The first of naming.unknown_ids."""
    for _, refusal in unknown_ids(state, command.type, command.payload):
        return refusal
    return None


def _wrong_phase(state: State, command: Input) -> Refusal | None:
    """MAP-106, MAP-108."""
    type_ = command.type
    if state.opened_at is None:
        if type_ in ("start_game", "join"):
            return None
        return Refusal("wrong_phase", "MAP-106", "the game has not started; it takes start_game and join")
    if type_ == "start_game":
        return Refusal("wrong_phase", "MAP-106", "start_game is possible once")
    if type_ == "join":
        return _closed_to(state) if state.phase == FIX else None
    if type_ == "choose_start" and state.phase == ORDERS:
        if state.config.late_join and command.actor not in state.nations:
            return None
        return Refusal("wrong_phase", "MAP-34", "start zones are chosen in turn 1")
    if type_ == "submit_turn" and state.phase == FIX and not state.nations[command.actor].faulty:
        return Refusal("wrong_phase", "MAP-108", "in the correction only nations with a faulty submission submit")
    possible = {START: _IN_TURN_1, ORDERS: _IN_ORDERS, FIX: _IN_FIX}[state.phase]
    return None if type_ in possible else _closed_to(state)


def _closed_to(state: State) -> Refusal:
    possible = {START: _IN_TURN_1, ORDERS: _IN_ORDERS, FIX: _IN_FIX}[state.phase]
    return Refusal("wrong_phase", "MAP, section 3", f"the phase {state.phase} takes {', '.join(possible)}")


def _out_of_power(state: State, command: Input) -> Refusal | None:
    """MAP-91, MAP-110: eliminated, or rulerless, whose player can come back."""
    nation = state.nations.get(command.actor) if command.role == "player" else None
    if nation is None:
        return None
    if nation.status == ELIMINATED:
        return Refusal("eliminated", "MAP-91", "commands are for nations with a zone; yours is out of the game")
    if nation.kind == RULERLESS and command.type not in ("rejoin", "join"):
        return Refusal("not_active", "MAP-110", "your nation is rulerless; rejoin comes first")
    return None


_HANDLERS: Mapping[str, Handler] = {
    "start_game": entering.start_game,
    "join": entering.join,
    "choose_start": entering.choose_start,
    "submit_turn": submit_turn,
    "offer": deals.offer,
    "accept": deals.accept,
    "decline": deals.decline,
    "end_agreement": deals.end_agreement,
    "abandon": departures.abandon,
    "rejoin": departures.rejoin,
    "close_turn": close_turn,
    "close_fix": close_fix,
    "set_deadline": operators.set_deadline,
    "shift_time": operators.shift_time,
}
"""Commands by type (MAP, section 14)."""
