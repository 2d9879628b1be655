"""The canonical state: what is hashed, snapshotted and patched by scenarios (FOR-15 to FOR-18, FOR-101).

Besides the names of the rules it holds `opened_at` (when the open pick, phase or year was opened), of each zone the
name and the centroid that the map gives and `picked` (whether its start Forces have gone to a picker), and of each
player `joined` (which of the accepted joins was hers). decoding.py reads it.
"""

from shared.rules.forces.board import counts_form
from shared.rules.forces.decoding import decode
from shared.rules.forces.state import Player, State, Submission
from shared.rules.interface import Json

__all__ = ["decode", "encode"]


def encode(state: State) -> dict[str, Json]:
    """The canonical state; collections of things with ids are objects keyed by id."""
    return {
        "phase": state.phase,
        "year": state.year,
        "opened_at": state.opened_at,
        "deadline": state.deadline,
        "pick_index": state.pick_index,
        "winner": list(state.winner),
        "condition": state.condition,
        "ranking": [list(rank) for rank in state.ranking],
        "config": state.config.canonical(),
        "zones": {id_: _zone(state, zone) for zone, id_ in enumerate(state.board.ids)},
        "players": {id_: _player(state, player) for id_, player in state.players.items()},
    }


def _zone(state: State, zone: int) -> dict[str, Json]:
    held = state.forces[zone]
    return {
        "id": state.board.ids[zone],
        **state.board.entry(zone),
        "owner": state.owner[zone] or None,
        "factory": state.factory[zone],
        "picked": state.picked[zone],
        "forces": {str(seat): counts_form(held[seat]) for seat in sorted(held)},
    }


def _player(state: State, player: Player) -> dict[str, Json]:
    return {
        "id": player.id,
        "joined": player.joined,
        "seat": player.seat or None,
        "status": player.status,
        "eliminated_year": player.eliminated_year,
        "credits": player.credits,
        "capital": None if player.capital is None else state.board.ids[player.capital],
        "submission": None if player.submission is None else submission_form(player.submission),
        "last_income": player.last_income,
    }


def submission_form(submission: Submission) -> dict[str, Json]:
    """FOR-17."""
    return {
        "purchases": [dict(item) for item in submission.purchases],
        "moves": [{**item, "path": list(item["path"])} for item in submission.moves],
        "seq": submission.seq,
    }
