"""Submitting the orders of a turn (MAP-80, MAP-81)."""

from collections.abc import Mapping

from shared.rules.interface import OPERATORS, Decision, Dice, Input, Json
from shared.rules.map_war.close import close_what_is_complete
from shared.rules.map_war.events import to_readers
from shared.rules.map_war.items import faults_of, orders_of
from shared.rules.map_war.play import Play
from shared.rules.map_war.state import State


def submit_turn(state: State, command: Input, dice: Dice) -> Decision:
    """MAP-80, MAP-81: it replaces the earlier one and keeps its faults; the turn may be complete by it.

    Its number in the order of judgements (MAP-47) is for operators: from two of them others' could be counted (MAP-98).
    """
    nation, orders = command.actor, orders_of(command.payload)
    faults = faults_of(state, nation, orders)
    play = Play(state)
    if state.nations[nation].submission is None:  # how often she changes it is nobody's business (MAP-98)
        play.emit("submission_made", {"nation": nation, "turn": state.turn})
    data: Mapping[str, Json] = {
        "nation": nation,
        "turn": state.turn,
        "orders": orders,
        "faults": [refusal.code for _, refusal in faults],
        "items": [place for place, _ in faults],
    }
    play.emit("turn_submitted", data, to_readers(nation, state.config.open_submissions))
    play.emit("submission_numbered", {"nation": nation, "seq": command.seq}, OPERATORS)
    close_what_is_complete(play, command.at, dice)
    return play.events
