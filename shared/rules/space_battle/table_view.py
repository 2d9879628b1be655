"""The War Room as far as a view tells it, as a state that the rules can be asked about."""

from collections.abc import Mapping
from typing import Any

from shared.rules.space_battle.config import config_of
from shared.rules.space_battle.state import RUNNING, Challenge, Craft, Mine, Player, State

View = Mapping[str, Any]
PLAIN = ("phase", "to_move", "move_no", "move_started_at", "moved_this_move", "warned", "lapsed", "quiet_moves")


def state_of(view: View) -> State:
    """The state with everything that is seen; craft and mines that are not seen are none."""
    players = {name: Player(entry["hangar"], entry["experience"]) for name, entry in view["players"].items()}
    state = State(config_of(view["config"]), players)
    state.set_challenges(*(Challenge(**entry) for entry in view.get("challenges", {}).values()))
    for name in PLAIN:
        setattr(state, name, view[name])
    state.ready, state.forfeits = dict(view["ready"]), dict(view["forfeits"])
    for name, entry in sorted(view.get("craft", {}).items()):
        kind, at = state.config.classes[entry["class"]], (entry["col"], entry["row"])
        state.craft[name] = Craft(name, entry["side"], kind, at, entry["shots_left"], entry["damage"], entry["alive"])
    for name, entry in sorted(view.get("mines", {}).items()):
        state.mines[name] = Mine(name, entry["side"], (entry["col"], entry["row"]), entry["live"])
    if state.phase == RUNNING:
        state.lay_out()
    return state
