"""The game as far as a view tells it, as a state that the rules can be asked about."""

from collections.abc import Mapping
from typing import Any

from shared.rules.exgenhoca.board import Board, Continent, Place
from shared.rules.exgenhoca.config import config_of
from shared.rules.exgenhoca.forms import inventory_of, penalties_of
from shared.rules.exgenhoca.state import Player, State

View = Mapping[str, Any]
PUBLIC_FIELDS = ("status", "attacks_left", "global_attacks", "attacks_made", "repeat_used", "passed", "pending")


def state_of(view: View) -> State:
    """The state with everything that is seen; items and penalties that are not seen are none, policies are unset."""
    places = {
        id_: Place(entry["name"], entry["label"], None, entry["continent"], entry["neighbours"])
        for id_, entry in view["territories"].items()
    }
    continents = {id_: Continent(entry["name"], entry["label"]) for id_, entry in view["continents"].items()}
    seated = sorted(view["players"].values(), key=_by_seat)
    state = State(Board(places, continents), [entry["id"] for entry in seated], config_of(view["config"]))
    for territory, id_ in enumerate(state.board.ids):
        owner = view["territories"][id_]["owner"]
        if owner is not None:
            state.set_owner(territory, owner)
    for player, entry in zip(state.players, seated, strict=True):
        _read(state.board, player, entry)
    state.phase, state.round = view["phase"], view["round"]
    return state


def _by_seat(entry: View) -> int:
    seat: int = entry["seat"]
    return seat


def _read(board: Board, player: Player, entry: View) -> None:
    for name in PUBLIC_FIELDS:
        setattr(player, name, entry[name])
    player.cooldown = {board.index[territory]: last for territory, last in entry["cooldown"].items()}
    player.attacked_this_round = {board.index[territory] for territory in entry["attacked_this_round"]}
    if "inventory" in entry:
        player.inventory = inventory_of(entry["inventory"])
        player.penalties = penalties_of(entry["penalties"])
