"""What events of creation, start, periods and operators do to the state."""

from collections.abc import Mapping

from shared.rules.map_war.changes import Change, Data, nothing, set_stocks, take
from shared.rules.map_war.state import CHOOSING, ENDED, FIX, LEFT_OUT, PLAYING, Nation, State


def _game_created(state: State, data: Data) -> None:
    state.players = dict.fromkeys(data["players"], CHOOSING)


def _player_joined(state: State, data: Data) -> None:
    state.players[data["player"]] = CHOOSING


def _nation_founded(state: State, data: Data) -> None:
    """MAP-34: the start zone is its home (MAP-35)."""
    nation, index = data["nation"], state.board.index
    if data["left"] is not None:
        left = index[data["left"]]
        state.owner[left] = state.home_of[left] = state.acquired_turn[left] = None
    state.nations[nation] = Nation(nation, data["kind"], data["player"], data["name"], data["color"], data["turn"])
    if state.shared is not None:
        state.shared.discard(nation)
    if data["zone"] is not None:
        take(state, data["zone"], nation, data["turn"])
        state.home_of[index[data["zone"]]] = nation
    if data["player"] is not None:
        state.players[data["player"]] = PLAYING
    set_stocks(state, data)


def _players_left_out(state: State, data: Data) -> None:
    for player in data["players"]:
        state.players[player] = LEFT_OUT


def _turn_opened(state: State, data: Data) -> None:
    state.turn = data["turn"]
    state.phase = data["phase"]
    state.opened_at = data["opened_at"]
    state.deadline = data["deadline"]
    state.began_with = data["began_with"]


def _fix_opened(state: State, data: Data) -> None:
    state.phase = FIX
    state.deadline = data["deadline"]


def _turn_closed(state: State, data: Data) -> None:
    for nation in state.nations.values():
        if nation.submission is not None:
            state.edit(nation.id).submission = None


def _game_ended(state: State, data: Data) -> None:
    state.phase = ENDED
    state.deadline = None
    state.winner = data["winner"]
    state.ranking = list(data["ranking"])


def _deadline_set(state: State, data: Data) -> None:
    state.deadline = data["deadline"]


def _time_shifted(state: State, data: Data) -> None:
    state.opened_at = data["opened_at"]
    state.deadline = data["deadline"]


CHANGES_OF_SETUP: Mapping[str, Change] = {
    "game_created": _game_created,
    "map_zones": nothing,
    "player_joined": _player_joined,
    "nation_founded": _nation_founded,
    "players_left_out": _players_left_out,
    "turn_opened": _turn_opened,
    "fix_opened": _fix_opened,
    "turn_closed": _turn_closed,
    "game_ended": _game_ended,
    "deadline_set": _deadline_set,
    "time_shifted": _time_shifted,
}
