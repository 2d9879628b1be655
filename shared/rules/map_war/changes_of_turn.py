"""What the events of a turn's resolution do to the state, in the order of events_of_turn.py."""

from collections.abc import Mapping

from shared.rules.map_war.changes import Change, Data, levels_of, nothing, set_stocks, take
from shared.rules.map_war.state import BARBARIANS, ELIMINATED, Construction, Piece, State
from shared.rules.map_war.tables import PLACE


def _piece_moved(state: State, data: Data) -> None:
    zone = state.board.index[data["to"]]
    piece = state.pieces[data["piece"]]
    state.set_piece(piece._replace(zone=zone, aboard=data["aboard"], moved_turn=data["turn"]))


def _zone_acquired(state: State, data: Data) -> None:
    take(state, data["zone"], data["nation"], data["turn"])
    set_stocks(state, data)


def _construction_lost(state: State, data: Data) -> None:
    zone = state.board.index[data["zone"]]
    left = {name: item for name, item in state.building[zone].items() if name != data["structure"]}
    if left:
        state.building[zone] = left
    else:
        del state.building[zone]


def _construction_started(state: State, data: Data) -> None:
    zone = state.board.index[data["zone"]]
    begun = Construction(data["level"], 0, data["steps"])
    state.building[zone] = {**state.building.get(zone, {}), data["structure"]: begun}


def _instalment_paid(state: State, data: Data) -> None:
    zone, structure = state.board.index[data["zone"]], data["structure"]
    building = state.building[zone]
    state.building[zone] = {**building, structure: building[structure]._replace(step=data["step"])}
    set_stocks(state, data)


def _production(state: State, data: Data) -> None:
    nation = state.edit(data["nation"])
    nation.hungry = data["hungry"]
    nation.currency_last_turn = data["currency_produced"]
    set_stocks(state, data)


def _points_gathered(state: State, data: Data) -> None:
    for zone, points in data["points"].items():
        state.piece_points[state.board.index[zone]] = points


def _piece_built(state: State, data: Data) -> None:
    zone = state.board.index[data["zone"]]
    state.set_piece(Piece(data["piece"], data["kind"], data["nation"], zone, None, 0))
    state.pieces_made = data["piece"]
    state.piece_points[zone] = data["points"]


def _construction_done(state: State, data: Data) -> None:
    _construction_lost(state, data)
    _set_level(state, data)


def _set_level(state: State, data: Data) -> None:
    zone = state.board.index[data["zone"]]
    levels = list(state.levels[zone])
    levels[PLACE[data["structure"]]] = data["level"]
    state.levels[zone] = levels_of(levels)


def _pieces_handed_over(state: State, data: Data) -> None:
    for number in data["pieces"]:
        state.set_piece(state.pieces[number]._replace(nation=data["nation"]))


def _piece_lost(state: State, data: Data) -> None:
    state.remove_piece(data["piece"])


def _pollution(state: State, data: Data) -> None:
    index, pollution = state.board.index, state.pollution
    for zone, units in data["pollution"].items():
        pollution[index[zone]] = units


def _decay_started(state: State, data: Data) -> None:
    state.edit(data["nation"]).decaying = True


def _zone_fell(state: State, data: Data) -> None:
    take(state, data["zone"], BARBARIANS, data["turn"])
    state.riot_count[state.board.index[data["zone"]]] = data["riot_count"]


def _nation_eliminated(state: State, data: Data) -> None:
    nation = state.edit(data["nation"])
    nation.status = ELIMINATED
    nation.eliminated_turn = data["turn"]
    nation.currency_last_turn = 0
    nation.hungry = False
    set_stocks(state, data)


CHANGES_OF_TURN: Mapping[str, Change] = {
    "order_failed": nothing,
    "piece_moved": _piece_moved,
    "zone_claimed": _zone_acquired,
    "zone_conquered": _zone_acquired,
    "construction_lost": _construction_lost,
    "construction_started": _construction_started,
    "instalment_paid": _instalment_paid,
    "production": _production,
    "hungry": nothing,
    "points_gathered": _points_gathered,
    "piece_built": _piece_built,
    "construction_done": _construction_done,
    "pieces_handed_over": _pieces_handed_over,
    "piece_lost": _piece_lost,
    "pollution_moved": _pollution,
    "pollution_emitted": _pollution,
    "pollution_absorbed": _pollution,
    "degraded": _set_level,
    "riot": nothing,
    "barbaria_spread": nothing,
    "decay_started": _decay_started,
    "decayed": nothing,
    "zone_fell": _zone_fell,
    "npc_tested": nothing,
    "nation_eliminated": _nation_eliminated,
}
