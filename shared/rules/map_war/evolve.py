"""The state after one event. Nothing is decided here: every value comes from the event (MAP-93)."""

from collections.abc import Callable, Mapping
from typing import Any

from shared.rules.interface import Event
from shared.rules.map_war.state import (
    BARBARIANS,
    CHOOSING,
    DONE,
    ELIMINATED,
    ENDED,
    FIX,
    LEFT_OUT,
    OFFERED,
    PLAYER,
    PLAYING,
    RULERLESS,
    RUNNING,
    VOID,
    Construction,
    Deal,
    Nation,
    Piece,
    State,
    Stocks,
)
from shared.rules.map_war.tables import PLACE, Levels

Data = Mapping[str, Any]


def evolve(state: State, event: Event) -> State:
    """Apply an event in place and return the state. Raises KeyError for a type that the game does not have."""
    _APPLY[event.type](state, event.data)
    return state


def stocks_of(given: Data) -> Stocks:
    """Stocks as events and the canonical state have them."""
    return Stocks(given["currency"], given["resources"], given["food"], given["technology"])


def _nothing(state: State, data: Data) -> None:
    """Told for those who watch; the state learns it from other events."""


def _ledger(state: State, data: Data) -> None:
    """MAP-99: the stocks behind the entries."""
    for nation, stocks in data["stocks"].items():
        state.edit(nation).stocks = stocks_of(stocks)


def _take(state: State, zone: str, nation: str, turn: int) -> None:
    number = state.board.index[zone]
    state.owner[number] = nation
    state.acquired_turn[number] = turn


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
        _take(state, data["zone"], nation, data["turn"])
        state.home_of[index[data["zone"]]] = nation
    if data["player"] is not None:
        state.players[data["player"]] = PLAYING
    _ledger(state, data)


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


def _turn_submitted(state: State, data: Data) -> None:
    state.edit(data["nation"]).submission = {
        "seq": data["seq"],
        **data["orders"],
        "faults": list(data["faults"]),
        "items": list(data["items"]),
    }


def _items_dropped(state: State, data: Data) -> None:
    nation = state.edit(data["nation"])
    seq = 0 if nation.submission is None else nation.submission["seq"]
    nation.submission = {"seq": seq, **data["orders"], "faults": [], "items": []}


def _deal_offered(state: State, data: Data) -> None:
    state.set_deal(
        Deal(data["deal"], data["kind"], data["from"], data["to"], OFFERED, data["terms"], data["until_turn"])
    )


def _deal_accepted(state: State, data: Data) -> None:
    deal = state.deals[data["deal"]]
    state.set_deal(deal._replace(status=RUNNING, accepted_seq=data["accepted_seq"]))


def _agreement_begun(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(begun_turn=data["turn"]))


def _agreement_ending(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(ends_turn=data["ends_turn"]))


def _agreement_ended(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(status=DONE))


def _deal_done(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(status=DONE))
    for zone, nation in data["zones"].items():
        _take(state, zone, nation, data["turn"])
    _ledger(state, data)


def _deal_void(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(status=VOID))


def _nation_rulerless(state: State, data: Data) -> None:
    """MAP-68, MAP-110."""
    nation = state.edit(data["nation"])
    nation.kind = RULERLESS
    nation.ownerless_since = data["ownerless_since"]
    nation.submission = None


def _nation_rejoined(state: State, data: Data) -> None:
    nation = state.edit(data["nation"])
    nation.kind = PLAYER
    nation.ownerless_since = None
    nation.missed = 0


def _inactivity_counted(state: State, data: Data) -> None:
    for nation, missed in data["missed"].items():
        state.edit(nation).missed = missed


def _piece_moved(state: State, data: Data) -> None:
    zone = state.board.index[data["to"]]
    piece = state.pieces[data["piece"]]
    state.set_piece(piece._replace(zone=zone, aboard=data["aboard"], moved_turn=data["turn"]))


def _zone_acquired(state: State, data: Data) -> None:
    _take(state, data["zone"], data["nation"], data["turn"])
    _ledger(state, data)


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
    _ledger(state, data)


def _production(state: State, data: Data) -> None:
    nation = state.edit(data["nation"])
    nation.hungry = data["hungry"]
    nation.currency_last_turn = data["currency_produced"]
    _ledger(state, data)


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


def levels_of(levels: list[int]) -> Levels:
    """Six levels as the state has them."""
    city, industry, agriculture, commerce, defense, research = levels
    return city, industry, agriculture, commerce, defense, research


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
    _take(state, data["zone"], BARBARIANS, data["turn"])
    state.riot_count[state.board.index[data["zone"]]] = data["riot_count"]


def _nation_eliminated(state: State, data: Data) -> None:
    nation = state.edit(data["nation"])
    nation.status = ELIMINATED
    nation.eliminated_turn = data["turn"]
    nation.currency_last_turn = 0
    nation.hungry = False
    _ledger(state, data)


_APPLY: Mapping[str, Callable[[State, Data], None]] = {
    "game_created": _game_created,
    "map_zones": _nothing,
    "player_joined": _player_joined,
    "nation_founded": _nation_founded,
    "players_left_out": _players_left_out,
    "turn_opened": _turn_opened,
    "fix_opened": _fix_opened,
    "turn_closed": _turn_closed,
    "game_ended": _game_ended,
    "deadline_set": _deadline_set,
    "time_shifted": _time_shifted,
    "submission_made": _nothing,
    "turn_submitted": _turn_submitted,
    "items_dropped": _items_dropped,
    "deal_offered": _deal_offered,
    "deal_accepted": _deal_accepted,
    "agreement_begun": _agreement_begun,
    "agreement_ending": _agreement_ending,
    "agreement_ended": _agreement_ended,
    "deal_done": _deal_done,
    "deal_void": _deal_void,
    "nation_rulerless": _nation_rulerless,
    "nation_rejoined": _nation_rejoined,
    "inactivity_counted": _inactivity_counted,
    "war_declared": _nothing,
    "order_failed": _nothing,
    "piece_moved": _piece_moved,
    "zone_claimed": _zone_acquired,
    "zone_conquered": _zone_acquired,
    "construction_lost": _construction_lost,
    "construction_started": _construction_started,
    "instalment_paid": _instalment_paid,
    "production": _production,
    "hungry": _nothing,
    "points_gathered": _points_gathered,
    "piece_built": _piece_built,
    "construction_done": _construction_done,
    "pieces_handed_over": _pieces_handed_over,
    "piece_lost": _piece_lost,
    "pollution_moved": _pollution,
    "pollution_emitted": _pollution,
    "pollution_absorbed": _pollution,
    "degraded": _set_level,
    "riot": _nothing,
    "barbaria_spread": _nothing,
    "decay_started": _decay_started,
    "decayed": _nothing,
    "zone_fell": _zone_fell,
    "npc_tested": _nothing,
    "nation_eliminated": _nation_eliminated,
}
"""Event type -> what it does, for every type of the game."""
