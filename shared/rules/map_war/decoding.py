"""From the canonical state to the working state. Every fault is a ValueError that names the path that is wrong."""

from collections.abc import Mapping
from typing import Any

from shared.rules.decoding import config_in
from shared.rules.interface import Json
from shared.rules.map_war.board import Board
from shared.rules.map_war.canonical_form import FORM
from shared.rules.map_war.changes import levels_of, stocks_of
from shared.rules.map_war.config import KEYS, config_of, fault_of
from shared.rules.map_war.deal_terms import deal_of, sides_of, zones_given
from shared.rules.map_war.map_checks import fault_of_map
from shared.rules.map_war.naming import pieces_of_orders, zones_of_orders
from shared.rules.map_war.state import (
    AGREEMENT,
    ARMY,
    BARBARIANS,
    EXCHANGE,
    SALE,
    Construction,
    Deal,
    Nation,
    Piece,
    State,
)
from shared.rules.map_war.tables import MOST_ABOARD, MOST_ARMIES, STRUCTURES, highest_level

_MAP_FIELDS = ("kind", "neighbours", "city_max", "name", "centroid")


def decode(canonical: Mapping[str, Json]) -> State:
    """The working state of a canonical one. Raises ValueError naming the path that is wrong."""
    config = config_in(canonical, FORM, KEYS, fault_of)
    state = State(_board(canonical["zones"]), config_of(config))
    for name in ("phase", "turn", "opened_at", "deadline", "winner", "began_with", "pieces_made"):
        setattr(state, name, canonical[name])
    state.ranking = list(canonical["ranking"])
    state.players = {id_: entry["status"] for id_, entry in canonical["players"].items()}
    for id_ in sorted(canonical["nations"]):
        state.nations[id_] = _nation(state, id_, canonical["nations"][id_])
    if BARBARIANS not in state.nations:
        raise ValueError(f"nations.{BARBARIANS} is missing")
    for name in ("winner", *(f"ranking.{number}" for number in range(len(state.ranking)))):
        value = state.winner if name == "winner" else state.ranking[int(name.removeprefix("ranking."))]
        _known_nation(state, value, name)
    for zone, id_ in enumerate(state.board.ids):
        _read_zone(state, zone, id_, canonical["zones"][id_])
    _read_pieces(state, canonical["pieces"])
    _check_orders(state)
    _read_deals(state, canonical["deals"])
    return state


def _board(zones: Mapping[str, Any]) -> Board:
    """The map, in the form of a creation and held against the same checks (MAP-19)."""
    map_: dict[str, Any] = {}
    for id_ in sorted(zones):
        entry = zones[id_]
        if entry["id"] != id_:
            raise ValueError(f"zones.{id_}.id must be {id_}")
        if list(entry["neighbours"]) != sorted(entry["neighbours"]):
            raise ValueError(f"zones.{id_}.neighbours must be in ascending order")
        map_[id_] = {name: entry[name] for name in _MAP_FIELDS}
    found = fault_of_map(map_)
    if found:
        raise ValueError(found.removeprefix("map."))
    return Board(map_)


def _nation(state: State, id_: str, entry: Mapping[str, Any]) -> Nation:
    place = f"nations.{id_}"
    if entry["id"] != id_:
        raise ValueError(f"{place}.id must be {id_}")
    if entry["player"] not in (None, id_):
        raise ValueError(f"{place}.player must be null or {id_}")
    if entry["food"] < 0 or entry["technology"] < 0:
        raise ValueError(f"{place}: food and technology must be 0 or more (MAP-99)")
    nation = Nation(id_, entry["kind"], entry["player"], entry["name"], entry["color"], entry["founded_turn"])
    nation.stocks = stocks_of(entry)
    for name in ("hungry", "ownerless_since", "decaying", "missed", "status", "eliminated_turn", "currency_last_turn"):
        setattr(nation, name, entry[name])
    given = entry["submission"]
    if given is not None:
        for _, zone in zones_of_orders(given):
            _known_zone(state, zone, f"{place}.submission")
        nation.submission = dict(given)
    return nation


def _read_zone(state: State, zone: int, id_: str, entry: Mapping[str, Any]) -> None:
    board, place = state.board, f"zones.{id_}"
    state.owner[zone] = _known_nation(state, entry["owner"], f"{place}.owner")
    state.home_of[zone] = _known_nation(state, entry["home_of"], f"{place}.home_of")
    for structure in STRUCTURES:
        most = highest_level(board.sea[zone], board.city_max[zone], structure)
        if entry["levels"][structure] > most:
            raise ValueError(f"{place}.levels.{structure} must be at most {most} (MAP-24)")
    state.levels[zone] = levels_of([entry["levels"][structure] for structure in STRUCTURES])
    building: dict[str, Construction] = {}
    for structure in sorted(entry["building"]):
        given = entry["building"][structure]
        if structure not in STRUCTURES or given["level"] != entry["levels"][structure] + 1:
            raise ValueError(f"{place}.building.{structure} must be the next level of a structure")
        if given["level"] > highest_level(board.sea[zone], board.city_max[zone], structure):
            raise ValueError(f"{place}.building.{structure} may not be built there (MAP-24)")
        if given["step"] > given["steps"]:
            raise ValueError(f"{place}.building.{structure}.step must be at most steps")
        building[structure] = Construction(given["level"], given["step"], given["steps"])
    if building:
        state.building[zone] = building
    state.pollution[zone] = entry["pollution"]
    state.acquired_turn[zone] = entry["acquired_turn"]
    state.riot_count[zone] = entry["riot_count"]
    state.piece_points[zone] = entry["piece_points"]


def _read_pieces(state: State, pieces: Mapping[str, Any]) -> None:
    for number in sorted(int(name) if name.isdecimal() else 0 for name in pieces):
        entry, place = pieces.get(str(number)), f"pieces.{number}"
        if entry is None or entry["id"] != number or number > state.pieces_made:
            raise ValueError(f"{place} must be a piece of that id, at most pieces_made")
        zone = _known_zone(state, entry["zone"], f"{place}.zone")
        nation = _known_nation(state, entry["nation"], f"{place}.nation") or ""
        aboard = entry["aboard"]
        if aboard is None:
            if state.board.sea[zone] == (entry["kind"] == ARMY):
                raise ValueError(f"{place}.zone must be {'land' if entry['kind'] == ARMY else 'sea'}")
        else:
            ship = pieces.get(str(aboard))
            if entry["kind"] != ARMY or ship is None or ship["kind"] == ARMY or ship["zone"] != entry["zone"]:
                raise ValueError(f"{place}.aboard must be null, or a ship in the same zone that carries an army")
        state.set_piece(Piece(number, entry["kind"], nation, zone, aboard, entry["moved_turn"]))
    for zone, armies in state.stations.on_land.items():
        if len(armies) > MOST_ARMIES:
            raise ValueError(f"pieces: {state.board.ids[zone]} must hold at most {MOST_ARMIES} armies (MAP-52)")
    for number, armies in state.stations.aboard.items():
        if len(armies) > MOST_ABOARD:
            raise ValueError(f"pieces: ship {number} must carry at most {MOST_ABOARD} armies (MAP-52)")


def _check_orders(state: State) -> None:
    for nation in state.canonical_nations():
        for _, number in pieces_of_orders(nation.submission or {}):
            if number > state.pieces_made:  # orders may name one that was lost since
                raise ValueError(f"nations.{nation.id}.submission names piece {number}, which must be one of the game")


def _read_deals(state: State, deals: Mapping[str, Any]) -> None:
    for number in range(1, len(deals) + 1):
        entry = deals.get(str(number))
        if entry is None or entry["id"] != number:
            raise ValueError(f"deals must be numbered 1 to {len(deals)}")
        place = f"deals.{number}"
        for side in sides_of(entry["kind"]):
            if side not in entry:
                raise ValueError(f"{place}.{side} is missing")
            _known_nation(state, entry[side], f"{place}.{side}")
        deal = deal_of(entry)
        _check_terms(state, deal, place)
        state.set_deal(deal)


def _check_terms(state: State, deal: Deal, place: str) -> None:
    known = {AGREEMENT: ({"good"},), EXCHANGE: ({"give", "get"},), SALE: ({"good", "amount"}, {"zone"})}
    if set(deal.terms) not in known[deal.kind]:
        raise ValueError(f"{place} must have the terms of its kind")
    for side in ("give", "get"):
        if side in deal.terms and set(deal.terms[side]) != {"currency", "food", "resources", "zones"}:
            raise ValueError(f"{place}.{side} must have currency, food, resources and zones")
    for zone in zones_given(deal):
        _known_zone(state, zone, place)


def _known_nation(state: State, id_: str | None, place: str) -> str | None:
    if id_ is not None and id_ not in state.nations:
        raise ValueError(f"{place} names {id_!r}, which must be a nation of the game")
    return id_


def _known_zone(state: State, id_: str, place: str) -> int:
    if id_ not in state.board.index:
        raise ValueError(f"{place} names {id_!r}, which must be a zone of the game")
    return state.board.index[id_]
