"""The canonical state: what is hashed, snapshotted and patched by scenarios (MAP-14 to MAP-18); decoding.py reads it.

Besides the names of the rules it holds `opened_at` (opening of the turn), `players` (accounts, and whether they still
choose), `began_with` (player nations at the beginning, MAP-95), `pieces_made`, of a zone the name and centroid that the
map gives, of a nation `founded_turn` and `eliminated_turn`, and of a deal `until_turn`, `begun_turn` and `ends_turn`.
"""

from shared.rules.interface import Json
from shared.rules.map_war.deal_terms import sides_of
from shared.rules.map_war.decoding import decode
from shared.rules.map_war.play import stocks_form
from shared.rules.map_war.state import Deal, Nation, Piece, State
from shared.rules.map_war.tables import STRUCTURES

__all__ = ["decode", "encode"]


def encode(state: State) -> dict[str, Json]:
    """The canonical state; collections of things with ids are objects keyed by id."""
    return {
        "phase": state.phase,
        "turn": state.turn,
        "opened_at": state.opened_at,
        "deadline": state.deadline,
        "winner": state.winner,
        "ranking": list(state.ranking),
        "began_with": state.began_with,
        "pieces_made": state.pieces_made,
        "config": state.config.canonical(),
        "players": {id_: {"status": status} for id_, status in state.players.items()},
        "zones": {id_: _zone(state, zone, id_) for zone, id_ in enumerate(state.board.ids)},
        "nations": {nation.id: _nation(nation) for nation in state.canonical_nations()},
        "pieces": {str(number): _piece(state, state.pieces[number]) for number in sorted(state.pieces)},
        "deals": {str(number): deal_entry(deal) for number, deal in state.deals.items()},
    }


def deal_entry(deal: Deal) -> dict[str, Json]:
    """A deal with the names of its sides (MAP-18)."""
    giver, taker = sides_of(deal.kind)
    return {
        "id": deal.id,
        "kind": deal.kind,
        giver: deal.giver,
        taker: deal.taker,
        **deal.terms,
        "status": deal.status,
        "until_turn": deal.until_turn,
        "accepted_seq": deal.accepted_seq,
        "begun_turn": deal.begun_turn,
        "ends_turn": deal.ends_turn,
    }


def _zone(state: State, zone: int, id_: str) -> dict[str, Json]:
    return {
        "id": id_,
        **state.board.entry(zone),
        "owner": state.owner[zone],
        "levels": dict(zip(STRUCTURES, state.levels[zone], strict=True)),
        "building": {
            structure: {"level": begun.level, "step": begun.step, "steps": begun.steps}
            for structure, begun in state.building.get(zone, {}).items()
        },
        "pollution": state.pollution[zone],
        "acquired_turn": state.acquired_turn[zone],
        "home_of": state.home_of[zone],
        "riot_count": state.riot_count[zone],
        "piece_points": state.piece_points[zone],
    }


def _nation(nation: Nation) -> dict[str, Json]:
    given = nation.submission
    return {
        "id": nation.id,
        "kind": nation.kind,
        "player": nation.player,
        "name": nation.name,
        "color": nation.color,
        "founded_turn": nation.founded_turn,
        **stocks_form(nation.stocks),
        "hungry": nation.hungry,
        "ownerless_since": nation.ownerless_since,
        "decaying": nation.decaying,
        "missed": nation.missed,
        "status": nation.status,
        "eliminated_turn": nation.eliminated_turn,
        "currency_last_turn": nation.currency_last_turn,
        "submission": None if given is None else dict(given),
    }


def _piece(state: State, piece: Piece) -> dict[str, Json]:
    return {
        "id": piece.id,
        "kind": piece.kind,
        "nation": piece.nation,
        "zone": state.board.ids[piece.zone],
        "aboard": piece.aboard,
        "moved_turn": piece.moved_turn,
    }
