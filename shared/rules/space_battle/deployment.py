"""Deployment in secret, and being ready (section 6 of the rules)."""

from collections.abc import Mapping
from typing import Any

from shared.rules.interface import Decision, Dice, Event, Input, Json, Refusal
from shared.rules.space_battle.deployment_checks import BASE_ID, faults_of
from shared.rules.space_battle.events import to_player
from shared.rules.space_battle.play import Play
from shared.rules.space_battle.starting import begin
from shared.rules.space_battle.state import State
from shared.rules.space_battle.tables import base_of


def deploy(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-25: the last deployment counts, for its player's eyes alone (SPB-30)."""
    side = state.side_of(command.actor) or ""
    for fault in faults_of(state, side, command.payload):
        return fault.refusal
    data = {"side": side, "craft": _craft(state, side, command.payload), "mines": _mines(side, command.payload)}
    return [Event("deployed", data, to_player(command.actor))]


def ready(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-31, SPB-104: the second `ready` of the grace starts the battle at once."""
    side = state.side_of(command.actor) or ""
    if state.ready[side]:
        return Refusal("already_ready", "SPB-107", "you are ready; wait for the start")
    if f"{side}:{BASE_ID}" not in state.craft:
        return Refusal("not_deployed", "SPB-25", "deploy before you are ready")
    play = Play(state, dice)
    play.emit("side_ready", {"side": side})
    start = state.fought.start_time if state.fought else None
    if all(play.state.ready.values()) and start is not None and command.at > start:
        begin(play, command.at)
    return play.events


def _craft(state: State, side: str, payload: Mapping[str, Any]) -> dict[str, Json]:
    """SPB-71: the base, and the others by the ids that their player chose, each with the side before it."""
    base = base_of(state.config.classes)
    named = [(BASE_ID, base, payload["base"]), *((item["id"], item["class"], item["at"]) for item in payload["craft"])]
    return {
        f"{side}:{name}": {
            "class": kind,
            "col": at[0],
            "row": at[1],
            "shots_left": state.config.classes[kind].shots,
        }
        for name, kind, at in named
    }


def _mines(side: str, payload: Mapping[str, Any]) -> dict[str, Json]:
    """SPB-71, SPB-101: `C:m1`, `C:m2` in list order."""
    mines = payload.get("mines", ())
    return {f"{side}:m{number}": {"col": at[0], "row": at[1]} for number, at in enumerate(mines, 1)}
