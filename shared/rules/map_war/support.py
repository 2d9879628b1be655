"""Who may support a conquest, and where armies and ships may go (MAP-43, MAP-52 to MAP-54)."""

from collections.abc import Container, Sequence
from typing import NamedTuple

from shared.rules.interface import Refusal
from shared.rules.map_war.state import ARMY, SHIP, Piece, State
from shared.rules.map_war.tables import MOST_ABOARD, MOST_ARMIES


class Support(NamedTuple):
    """The pieces of a conquest, by id; armies aboard are those that a ship brings."""

    land: list[Piece]
    ships: list[Piece]
    aboard: list[Piece]

    @property
    def armies(self) -> int:
        return len(self.land) + len(self.aboard)


def support_of(state: State, nation: str, target: int, named: Sequence[int], busy: Container[int]) -> Support | Refusal:
    """The supporters of a conquest, or `bad_support`. `busy` pieces move in this turn or support another conquest."""
    if len(set(named)) != len(named):
        return _bad("each supporting piece is named once")
    pieces = [state.pieces.get(number) for number in named]
    support = Support([], [], [])
    for number, piece in zip(named, pieces, strict=True):
        if piece is None or piece.nation != nation or number in busy or piece.moved_turn == state.turn:
            return _bad(f"piece {number} must be of the own nation and neither move nor support another conquest")
        if piece.kind == SHIP:
            support.ships.append(piece)
        elif piece.aboard is None:
            support.land.append(piece)
        elif piece.aboard not in named:
            return _bad(f"army {number} is aboard ship {piece.aboard}, which must be named")
    for piece in support.land:
        if state.owner[piece.zone] != nation or target not in state.board.neighbours[piece.zone]:
            return _bad(f"army {piece.id} must stand in an own land zone beside the target")
        if state.board.sea[target]:
            return _bad(f"army {piece.id} can support at sea only aboard a ship that is named")
    for ship in support.ships:
        if ship.zone != target and target not in state.board.neighbours[ship.zone]:
            return _bad(f"ship {ship.id} must be in the target or in a sea zone beside it")
        for army in state.aboard_of(ship.id):
            if army.id not in busy and army.moved_turn != state.turn:
                support.aboard.append(army)
            elif army.id in named:
                return _bad(f"army {army.id} must neither move nor support another conquest")
    config = state.config
    if support.armies > config.max_support_armies or len(support.ships) > config.max_support_ships:
        return _bad(f"at most {config.max_support_armies} armies and {config.max_support_ships} ships may support")
    return support


def _bad(detail: str) -> Refusal:
    return Refusal("bad_support", "MAP-43", detail)


def fault_of_move(state: State, nation: str, piece: Piece, to: int, moving: Container[int]) -> Refusal | None:
    """What forbids a piece to go to a zone; `moving` are the pieces that have a zone to go to in this submission."""
    board = state.board
    if to not in board.neighbours[piece.zone]:
        return Refusal("not_adjacent", "MAP-52", f"piece {piece.id} may go to a neighbour of {board.ids[piece.zone]}")
    if board.sea[to] != (piece.kind == SHIP):
        where = "sea" if piece.kind == SHIP else "land"
        return Refusal("wrong_terrain", "MAP-52", f"piece {piece.id} may go to a {where} zone")
    if piece.kind == SHIP:
        return None
    if state.owner[to] != nation:
        return Refusal("not_own_zone", "MAP-52", f"army {piece.id} may go to an own zone")
    if len(state.armies_in(to)) >= MOST_ARMIES:
        return zone_full(state, to)
    if piece.aboard is not None and piece.aboard in moving:
        return Refusal("ship_moving", "MAP-53", f"army {piece.id} lands from a ship that stays")
    return None


def fault_of_boarding(state: State, piece: Piece, ship: Piece, moving: Container[int]) -> Refusal | None:
    """What forbids a piece to board another of its nation (MAP-53), in the order of MAP-54."""
    if ship.zone not in state.board.neighbours[piece.zone]:
        return Refusal("not_adjacent", "MAP-53", f"piece {ship.id} must lie beside {state.board.ids[piece.zone]}")
    if piece.kind != ARMY or ship.kind != SHIP or piece.aboard is not None:
        return Refusal("wrong_terrain", "MAP-53", "an army on land boards a ship")
    if len(state.aboard_of(ship.id)) >= MOST_ABOARD:
        return ship_full(ship)
    if ship.id in moving:
        return Refusal("ship_moving", "MAP-53", f"ship {ship.id} must stay in this turn")
    return None


def zone_full(state: State, zone: int) -> Refusal:
    """MAP-52."""
    return Refusal("zone_full", "MAP-52", f"{state.board.ids[zone]} must hold fewer than {MOST_ARMIES} armies")


def ship_full(ship: Piece) -> Refusal:
    """MAP-52."""
    return Refusal("ship_full", "MAP-52", f"ship {ship.id} must carry fewer than {MOST_ABOARD} armies")
