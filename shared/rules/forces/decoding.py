"""From the canonical state to the working state. Every fault is a ValueError that names the path that is wrong."""

from collections.abc import Mapping
from typing import Any

from shared.rules.decoding import config_in
from shared.rules.forces.board import Board, board_of, counts_of
from shared.rules.forces.canonical_form import FORM
from shared.rules.forces.config import KEYS, config_of, fault_of
from shared.rules.forces.map_checks import fault_of_map
from shared.rules.forces.state import LOBBY, YEAR, Player, State, Submission
from shared.rules.forces.tables import MOVEMENT, NUMBER
from shared.rules.interface import Json

MAP_FIELDS = ("name", "centroid", "kind", "income", "neighbours", "start_forces")


def decode(canonical: Mapping[str, Json]) -> State:
    """The working state of a canonical one. Raises ValueError naming the path that is wrong."""
    config = config_in(canonical, FORM, KEYS, fault_of)
    state = State(_board(canonical["zones"]), config_of(config))
    _read_players(state, canonical["phase"], canonical["players"])
    for zone, id_ in enumerate(state.board.ids):
        _read_zone(state, zone, canonical["zones"][id_])
    _read_game(state, canonical)
    return state


def _board(zones: Mapping[str, Any]) -> Board:
    """The map, held against the same checks as that of a creation (FOR-84)."""
    for id_ in sorted(zones):
        if zones[id_]["id"] != id_:
            raise ValueError(f"zones.{id_}.id must be {id_}")
        if list(zones[id_]["neighbours"]) != sorted(set(zones[id_]["neighbours"])):
            raise ValueError(f"zones.{id_}.neighbours must be in ascending order without repeats")
    map_ = {id_: {name: entry[name] for name in MAP_FIELDS} for id_, entry in zones.items()}
    found = fault_of_map(map_)
    if found:
        raise ValueError(found.removeprefix("map."))
    return board_of(map_)


def _read_players(state: State, phase: str, players: Mapping[str, Any]) -> None:
    joined = [players[id_]["joined"] for id_ in players]
    if len(set(joined)) != len(joined):
        raise ValueError("players must have joined at different places; joined is different for each")
    for id_ in sorted(players, key=lambda name: players[name]["joined"]):
        if players[id_]["id"] != id_:
            raise ValueError(f"players.{id_}.id must be {id_}")
        state.players[id_] = Player(id_, players[id_]["joined"])
    by_seat = {entry["seat"]: id_ for id_, entry in players.items()}
    if set(by_seat) <= {None}:
        if phase != LOBBY:
            raise ValueError(f"players must have seats in the phase {phase}")
    elif set(by_seat) != set(range(1, len(players) + 1)):
        raise ValueError(f"players must have the seats 1 to {len(players)}, each once, or none in the lobby")
    else:
        state.seats = [state.players[by_seat[seat]] for seat in range(1, len(players) + 1)]
    for seat, player in enumerate(state.seats, 1):
        player.seat = seat
    for id_, player in state.players.items():
        _read_player(state, player, players[id_])


def _read_player(state: State, player: Player, entry: Mapping[str, Any]) -> None:
    place = f"players.{player.id}"
    player.status = entry["status"]
    player.eliminated_year = entry["eliminated_year"]
    player.credits = entry["credits"]
    player.last_income = entry["last_income"]
    if entry["capital"] is not None:
        capital = _known(state, entry["capital"], f"{place}.capital")
        if not state.board.land[capital]:
            raise ValueError(f"{place}.capital must be a land zone")
        player.capital = capital
    if entry["submission"] is not None:
        player.submission = _submission(state, f"{place}.submission", entry["submission"])


def _submission(state: State, place: str, given: Mapping[str, Any]) -> Submission:
    for number, item in enumerate(given["purchases"]):
        _known(state, item["zone"], f"{place}.purchases.{number}.zone")
    for number, item in enumerate(given["moves"]):
        for id_ in (item["from"], *item["path"]):
            _known(state, id_, f"{place}.moves.{number}")
        if not 1 <= len(item["path"]) <= MOVEMENT[NUMBER[item["type"]]]:
            raise ValueError(f"{place}.moves.{number}.path must have 1 to {MOVEMENT[NUMBER[item['type']]]} zones")
    return Submission(tuple(given["purchases"]), tuple(given["moves"]), given["seq"])


def _known(state: State, zone: str, place: str) -> int:
    if zone not in state.board.index:
        raise ValueError(f"{place} names {zone!r}, which must be a zone of the game")
    return state.board.index[zone]


def _seat(state: State, seat: int, place: str) -> int:
    if seat > len(state.seats):
        raise ValueError(f"{place} must be a seat of the game; it has {len(state.seats)}")
    return seat


def _read_zone(state: State, zone: int, entry: Mapping[str, Any]) -> None:
    place, land = f"zones.{entry['id']}", state.board.land[zone]
    if not land and (entry["owner"] is not None or entry["factory"] or entry["forces"]):
        raise ValueError(f"{place} is water: it has no owner, no factory and no forces")
    if entry["owner"] is not None:
        state.set_owner(zone, _seat(state, entry["owner"], f"{place}.owner"))
    state.factory[zone] = entry["factory"]
    state.picked[zone] = entry["picked"]
    for key, given in entry["forces"].items():
        if not key.isdecimal() or key != str(int(key)) or not 1 <= int(key) <= len(state.seats):
            raise ValueError(f"{place}.forces has the key {key!r}; keys must be seats of the game")
        counts = counts_of(given)
        if not any(counts):
            raise ValueError(f"{place}.forces.{key} must hold at least one Force, or be left out")
        state.set_forces(zone, int(key), counts)


def _read_game(state: State, canonical: Mapping[str, Any]) -> None:
    state.phase = canonical["phase"]
    state.year = canonical["year"]
    if state.phase == YEAR and state.year is None:
        raise ValueError("year must be a number in the phase year")
    state.opened_at = canonical["opened_at"]
    if state.phase != LOBBY and state.opened_at is None:
        raise ValueError(f"opened_at must be a time in the phase {state.phase}")
    state.deadline = canonical["deadline"]
    state.pick_index = canonical["pick_index"]
    state.condition = canonical["condition"]
    state.winner = [_seat(state, seat, "winner") for seat in canonical["winner"]]
    state.ranking = [list(rank) for rank in canonical["ranking"]]
    ranked = [seat for rank in state.ranking for seat in rank]
    if ranked and sorted(ranked) != list(range(1, len(state.seats) + 1)):
        raise ValueError("ranking must be empty or hold every seat once")
