"""The game as far as a view tells it, as a state that the rules can be asked about."""

from collections.abc import Mapping
from typing import Any

from shared.rules.forces.board import board_of, counts_of
from shared.rules.forces.config import config_of
from shared.rules.forces.state import Player, State

View = Mapping[str, Any]


def state_of(view: View) -> State:
    """The state with everything that is seen, from the start of the game on.

    Credits and capitals that are not seen are 0 and none; submissions are none.
    """
    state = State(board_of(view["zones"]), config_of(view["config"]))
    state.phase, state.year = view["phase"], view["year"]
    for entry in sorted(view["players"].values(), key=_seat):
        player = Player(entry["id"], entry["joined"])
        player.seat, player.status = entry["seat"], entry["status"]
        player.credits, player.last_income = entry.get("credits", 0), entry.get("last_income", 0)
        capital = entry.get("capital")
        player.capital = None if capital is None else state.board.index[capital]
        state.players[player.id] = player
        state.seats.append(player)
    for zone, id_ in enumerate(state.board.ids):
        entry = view["zones"][id_]
        if entry["owner"] is not None:
            state.set_owner(zone, entry["owner"])
        state.factory[zone], state.picked[zone] = entry["factory"], entry["picked"]
        for seat, forces in entry["forces"].items():
            state.set_forces(zone, int(seat), counts_of(forces))
    return state


def _seat(entry: View) -> int:
    seat: int = entry["seat"]
    return seat
