"""A state read from a view, to ask it with the checks that `decide` uses: what is hidden there is empty here."""

from collections.abc import Mapping
from typing import Any

from shared.rules.map_war.board import Board
from shared.rules.map_war.changes import levels_of, stocks_of
from shared.rules.map_war.config import config_of
from shared.rules.map_war.deal_terms import deal_of
from shared.rules.map_war.state import Construction, Nation, Piece, State
from shared.rules.map_war.tables import STRUCTURES

View = Mapping[str, Any]


def state_of(view: View) -> State:
    """The state as far as the viewer sees it; the `seq` of submissions is left out, players where the view has none."""
    state = State(Board(view["zones"]), config_of(view["config"]))
    for name in ("phase", "turn", "opened_at", "deadline", "winner"):
        setattr(state, name, view[name])
    state.players = {id_: entry["status"] for id_, entry in view.get("players", {}).items()}
    for id_, entry in view["nations"].items():
        state.nations[id_] = _nation(entry)
    for zone, id_ in enumerate(state.board.ids):
        _read_zone(state, zone, view["zones"][id_])
    for entry in view.get("pieces", {}).values():
        place = state.board.index[entry["zone"]]
        state.set_piece(Piece(entry["id"], entry["kind"], entry["nation"], place, entry["aboard"], entry["moved_turn"]))
    for entry in view.get("deals", {}).values():
        state.set_deal(deal_of(entry))
    return state


def _nation(entry: Mapping[str, Any]) -> Nation:
    nation = Nation(entry["id"], entry["kind"], entry["player"], entry["name"], entry["color"], entry["founded_turn"])
    nation.stocks = stocks_of(entry)
    for name in ("hungry", "ownerless_since", "decaying", "missed", "status", "eliminated_turn", "currency_last_turn"):
        setattr(nation, name, entry[name])
    nation.submission = entry.get("submission")
    return nation


def _read_zone(state: State, zone: int, entry: Mapping[str, Any]) -> None:
    state.owner[zone] = entry["owner"]
    state.levels[zone] = levels_of([entry["levels"][structure] for structure in STRUCTURES])
    if entry["building"]:
        state.building[zone] = {
            structure: Construction(begun["level"], begun["step"], begun["steps"])
            for structure, begun in entry["building"].items()
        }
    state.pollution[zone] = entry["pollution"]
    state.acquired_turn[zone] = entry["acquired_turn"]
    state.home_of[zone] = entry["home_of"]
    state.riot_count[zone] = entry["riot_count"]
    state.piece_points[zone] = entry["piece_points"]
