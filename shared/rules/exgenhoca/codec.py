"""The canonical state: what is hashed, snapshotted and patched by scenarios (EXG-13 to EXG-15); decoding.py reads it.

Besides the names of the rules it holds `continents` (id -> name and label) and, of each territory, the name in
Portuguese, the English label and the centroid that the map gives.
"""

from shared.rules.exgenhoca.decoding import decode
from shared.rules.exgenhoca.forms import inventory_form, objective_form, penalties_form, policy_form
from shared.rules.exgenhoca.state import Player, State
from shared.rules.interface import Json

__all__ = ["decode", "encode"]


def encode(state: State) -> dict[str, Json]:
    """The canonical state; sets are sorted lists, collections of things with ids are objects keyed by id."""
    board = state.board
    return {
        "phase": state.phase,
        "round": state.round,
        "round_opened_at": state.round_opened_at,
        "round_deadline": state.round_deadline,
        "attack_count": state.attack_count,
        "winner": state.winner,
        "end_reason": state.end_reason,
        "ranking": list(state.ranking),
        "points": {str(seat): points for seat, points in state.points.items()},
        "config": state.config.canonical(),
        "continents": board.continent_entries(),
        "territories": {
            id_: {
                "id": id_,
                **board.entry(territory),
                "owner": state.owner[territory] or None,
                "token": state.token[territory],
            }
            for territory, id_ in enumerate(board.ids)
        },
        "players": {player.id: _player(state, player) for player in state.players},
    }


def _player(state: State, player: Player) -> dict[str, Json]:
    board, at = state.board, player.eliminated_at
    return {
        "seat": player.seat,
        "id": player.id,
        "status": player.status,
        "eliminated_at": None if at is None else {"round": at[0], "order": at[1]},
        "eliminated_by": player.eliminated_by,
        "objective": None if player.objective is None else objective_form(board, player.objective),
        "attacks_left": player.attacks_left,
        "global_attacks": player.global_attacks,
        "attacks_made": player.attacks_made,
        "repeat_used": player.repeat_used,
        "cooldown": {board.ids[territory]: last for territory, last in sorted(player.cooldown.items())},
        "attacked_this_round": [board.ids[territory] for territory in sorted(player.attacked_this_round)],
        "idle_row": player.idle_row,
        "idle_total": player.idle_total,
        "passed": player.passed,
        "inventory": inventory_form(player.inventory),
        "penalties": penalties_form(player.penalties),
        "counts_idle": player.counts_idle,
        "pending": player.pending,
        "policy": policy_form(board, player.policy),
        "conquests": player.conquests,
    }
