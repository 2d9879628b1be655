"""The game as far as a view tells it, as a state that the rules can be asked about."""

from collections.abc import Mapping
from typing import Any

from shared.rules.gxc.board import Board
from shared.rules.gxc.config import config_of
from shared.rules.gxc.state import ACTIVE, NOBODY, State, Team

View = Mapping[str, Any]


def state_of(view: View, player: str) -> State:
    """The state with everything that is seen of the map, the teams and this player, who must be of the viewer's team.

    A shield that is not seen is none, and nobody else is on the map.
    """
    territories, teams = view["territories"], view["teams"]
    ids = sorted(territories)
    index = {territory: number for number, territory in enumerate(ids)}
    entries = [territories[territory] for territory in ids]
    board = Board(
        ids,
        [entry["name"] for entry in entries],
        [tuple(sorted(index[neighbour] for neighbour in entry["neighbours"])) for entry in entries],
        [(entry["centroid"]["x"], entry["centroid"]["y"]) for entry in entries],
        [entry["special"] for entry in entries],
    )
    state = State(board, [Team(team, teams[team]["name"]) for team in sorted(teams)], config_of(view["config"]))
    for number, entry in enumerate(entries):
        owner = entry["owner"]
        state.owner[number] = NOBODY if owner is None else state.team_index[owner]
    for team in state.teams:
        shield = teams[team.id].get("shield")
        if shield is not None:
            team.protected = {index[territory] for territory in shield["protected"]}
    state.phase, state.turn = view["phase"], view["turn"]
    state.turn_opened_at, state.turn_deadline = view["turn_opened_at"], view["turn_deadline"]
    _add_player(state, player, view["players"][player])
    return state


def _add_player(state: State, player: str, seen: View) -> None:
    players = state.players
    number = players.add(player, state.team_index[seen["team"]])
    players.status[number] = seen["status"]
    players.energy[number] = seen["energy"]
    players.energized_turn[number] = seen["energized_turn"]
    if seen["status"] == ACTIVE:
        players.location[number] = state.board.index[seen["location"]]
        start = seen.get("turn_start_location")
        players.start[number] = NOBODY if start is None else state.board.index[start]
