"""P2: pieces move, board and land, in the order of their ids (MAP-52 to MAP-54, MAP-84)."""

from collections.abc import Mapping
from typing import Any

from shared.rules.map_war.state import ARMY, Piece
from shared.rules.map_war.support import ship_full, zone_full
from shared.rules.map_war.tables import MOST_ABOARD, MOST_ARMIES
from shared.rules.map_war.turn import Turn


def move_pieces(turn: Turn) -> None:
    """MAP-84; one that finds no room fails."""
    orders: list[tuple[int, str, str, Mapping[str, Any]]] = []
    for nation, submission in turn.submissions():
        for number, item in enumerate(submission["moves"]):
            orders.append((item["piece"], nation, f"moves.{number}", item))
    for number, nation, place, item in sorted(orders, key=_by_piece):
        piece = turn.state.pieces[number]
        if "board" in item:
            _board(turn, nation, place, piece, turn.state.pieces[item["board"]])
        else:
            _move(turn, nation, place, piece, turn.state.board.index[item["to"]])


def relocate(turn: Turn, piece: Piece, zone: int, aboard: int | None, reason: str) -> None:
    """Say where a piece is now; armies aboard a ship go with it."""
    ids = turn.state.board.ids
    turn.play.emit(
        "piece_moved",
        {
            "piece": piece.id,
            "kind": piece.kind,
            "nation": piece.nation,
            "from": ids[piece.zone],
            "to": ids[zone],
            "aboard": aboard,
            "turn": turn.number,
            "reason": reason,
        },
    )


def _board(turn: Turn, nation: str, place: str, piece: Piece, ship: Piece) -> None:
    if len(turn.state.aboard_of(ship.id)) >= MOST_ABOARD:
        turn.fail(nation, place, ship_full(ship).code)
    else:
        relocate(turn, piece, ship.zone, ship.id, "board")


def _move(turn: Turn, nation: str, place: str, piece: Piece, zone: int) -> None:
    if piece.kind == ARMY and len(turn.state.armies_in(zone)) >= MOST_ARMIES:
        turn.fail(nation, place, zone_full(turn.state, zone).code)
    else:
        relocate(turn, piece, zone, None, "move" if piece.aboard is None else "land")


def _by_piece(order: tuple[int, str, str, Mapping[str, Any]]) -> int:
    return order[0]
