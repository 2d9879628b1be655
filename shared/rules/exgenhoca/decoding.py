"""From the canonical state to the working state. Every fault is a ValueError that names the path that is wrong."""

from collections.abc import Mapping
from typing import Any

from shared.rules.decoding import config_in
from shared.rules.exgenhoca.board import Board, board_of
from shared.rules.exgenhoca.canonical_form import FORM
from shared.rules.exgenhoca.config import KEYS, config_of, fault_of
from shared.rules.exgenhoca.forms import inventory_of, penalties_of, policy_of
from shared.rules.exgenhoca.map_checks import fault_of_map
from shared.rules.exgenhoca.state import ENDED, RUNNING, Player, State, objective_of
from shared.rules.interface import Json


def decode(canonical: Mapping[str, Json]) -> State:
    """The working state of a canonical one. Raises ValueError naming the path that is wrong."""
    config = config_in(canonical, FORM, KEYS, fault_of)
    board = _board(canonical)
    players = canonical["players"]
    state = State(board, _seating(players), config_of(config))
    for territory, id_ in enumerate(board.ids):
        entry = canonical["territories"][id_]
        if entry["owner"] is not None:
            _seat(entry["owner"], state, f"territories.{id_}.owner")
            state.set_owner(territory, entry["owner"])
        state.token[territory] = entry["token"]
    for player in state.players:
        _read_player(state, player, players[player.id])
    _read_game(state, canonical)
    return state


def _board(canonical: Mapping[str, Any]) -> Board:
    """The map, rebuilt in the form of a creation and held against the same checks (EXG-59)."""
    territories: dict[str, Any] = {}
    continents: dict[str, Any] = {id_: {**entry, "territories": []} for id_, entry in canonical["continents"].items()}
    for id_ in sorted(canonical["territories"]):
        entry = canonical["territories"][id_]
        if entry["id"] != id_:
            raise ValueError(f"territories.{id_}.id must be {id_}")
        if entry["continent"] not in continents:
            raise ValueError(f"territories.{id_}.continent must be a continent of the game")
        continents[entry["continent"]]["territories"].append(id_)
        territories[id_] = {name: entry[name] for name in ("name", "label", "neighbours", "centroid")}
        if list(entry["neighbours"]) != sorted(set(entry["neighbours"])):
            raise ValueError(f"territories.{id_}.neighbours must be in ascending order without repeats")
    map_ = {"territories": territories, "continents": continents}
    found = fault_of_map(map_, 0)
    if found:
        raise ValueError(found.removeprefix("map."))
    return board_of(map_)


def _seating(players: Mapping[str, Any]) -> list[str]:
    by_seat = {entry["seat"]: id_ for id_, entry in players.items()}
    if sorted(by_seat) != list(range(1, len(players) + 1)) or not players:
        raise ValueError(f"players must have the seats 1 to {len(players)}, each once")
    for id_ in sorted(players):
        if players[id_]["id"] != id_:
            raise ValueError(f"players.{id_}.id must be {id_}")
    return [by_seat[seat] for seat in sorted(by_seat)]


def _seat(seat: int | None, state: State, place: str) -> int | None:
    if seat is not None and seat > len(state.players):
        raise ValueError(f"{place} must be a seat of the game, 1 to {len(state.players)}")
    return seat


def _read_player(state: State, player: Player, entry: Mapping[str, Any]) -> None:
    board, place = state.board, f"players.{player.id}"
    at = entry["eliminated_at"]
    player.status = entry["status"]
    player.eliminated_at = None if at is None else (at["round"], at["order"])
    player.eliminated_by = _seat(entry["eliminated_by"], state, f"{place}.eliminated_by")
    if entry["objective"] is not None:
        for item in entry["objective"]["continents"]:
            if item not in board.continent_index:
                raise ValueError(f"{place}.objective.continents names {item!r}, which must be a continent of the game")
        _seat(entry["objective"]["eliminate"], state, f"{place}.objective.eliminate")
        player.objective = objective_of(board, entry["objective"])
    for name in (
        "attacks_left",
        "global_attacks",
        "attacks_made",
        "repeat_used",
        "idle_row",
        "idle_total",
        "passed",
        "counts_idle",
        "pending",
        "conquests",
    ):
        setattr(player, name, entry[name])
    player.cooldown = {_known(board, item, f"{place}.cooldown"): last for item, last in entry["cooldown"].items()}
    attacked = [_known(board, item, f"{place}.attacked_this_round") for item in entry["attacked_this_round"]]
    if attacked != sorted(set(attacked)):
        raise ValueError(f"{place}.attacked_this_round must be in ascending order without repeats")
    player.attacked_this_round = set(attacked)
    player.inventory = inventory_of(entry["inventory"])
    player.penalties = penalties_of(entry["penalties"])
    plus5 = entry["policy"]["defence_plus5"]
    for item in (*(() if isinstance(plus5, str) else plus5), *entry["policy"]["sa_give"]):
        _known(board, item, f"{place}.policy")
    player.policy = policy_of(board, entry["policy"])


def _known(board: Board, territory: str, place: str) -> int:
    if territory not in board.index:
        raise ValueError(f"{place} names {territory!r}, which must be a territory of the game")
    return board.index[territory]


def _read_game(state: State, canonical: Mapping[str, Any]) -> None:
    state.phase = canonical["phase"]
    state.round = canonical["round"]
    state.round_opened_at = canonical["round_opened_at"]
    state.round_deadline = canonical["round_deadline"]
    state.attack_count = canonical["attack_count"]
    state.winner = _seat(canonical["winner"], state, "winner")
    state.end_reason = canonical["end_reason"]
    state.ranking = list(canonical["ranking"])
    if state.ranking and sorted(state.ranking) != list(range(1, len(state.players) + 1)):
        raise ValueError("ranking must be empty or hold every seat once")
    if state.phase in (RUNNING, ENDED) and state.round_opened_at is None:
        raise ValueError(f"round_opened_at must be a time in the phase {state.phase}")
    for seat in canonical["points"]:
        if not seat.isdecimal() or not 1 <= int(seat) <= len(state.players) or seat != str(int(seat)):
            raise ValueError(f"points has the key {seat!r}; keys must be seats of the game")
    state.points = {int(seat): points for seat, points in sorted(canonical["points"].items(), key=_by_seat)}


def _by_seat(entry: tuple[str, int]) -> int:
    return int(entry[0])
