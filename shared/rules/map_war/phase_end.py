"""P9: nations without a zone are eliminated; who has won (MAP-91, MAP-94, MAP-95)."""

from collections.abc import Mapping

from shared.rules.map_war.owners import part_with_deals
from shared.rules.map_war.play import Entry
from shared.rules.map_war.ranking import zones_by_owner
from shared.rules.map_war.state import ACTIVE, BARBARIANS, Piece, State
from shared.rules.map_war.turn import Turn

EVERY_ZONE, LAST_PLAYER = "every_zone", "last_player"
FEWEST_AT_THE_BEGINNING = 2
"""Player nations with which a game must have begun for the last of them to win (MAP-95)."""


def eliminate(turn: Turn) -> None:
    """MAP-91: stocks and pieces vanish."""
    state, zones = turn.state, zones_by_owner(turn.state)
    gone = [item for item in state.canonical_nations() if item.status == ACTIVE and item.id not in zones]
    gone = [nation for nation in gone if nation.id != BARBARIANS]
    if not gone:
        return
    pieces = _pieces_by_nation(state)
    for nation in gone:
        for piece in pieces.get(nation.id, ()):
            turn.play.emit("piece_lost", {"piece": piece.id, "reason": "eliminated"})
        vanished = Entry(nation.id, "eliminated", *(-amount for amount in nation.stocks))
        turn.play.emit_with_ledger("nation_eliminated", {"nation": nation.id, "turn": turn.number}, [vanished])
        part_with_deals(turn.play, nation.id, "eliminated")


def victory(state: State) -> tuple[str, str] | None:
    """The winner with the reason, or None (MAP-94, MAP-95)."""
    owners = zones_by_owner(state)
    if len(owners) == 1 and None not in owners:
        for owner in owners:
            if owner is not None:
                return owner, EVERY_ZONE
    left = [item.id for item in state.player_nations() if item.id in owners]
    if state.began_with >= FEWEST_AT_THE_BEGINNING and len(left) == 1:
        return left[0], LAST_PLAYER
    return None


def _pieces_by_nation(state: State) -> Mapping[str, list[Piece]]:
    """Armies before the ships that carry them."""
    found: dict[str, list[Piece]] = {}
    for piece in sorted(state.pieces.values(), key=_armies_first):
        found.setdefault(piece.nation, []).append(piece)
    return found


def _armies_first(piece: Piece) -> tuple[str, int]:
    return piece.kind, piece.id
