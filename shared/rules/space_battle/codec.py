"""The canonical state: what is hashed, snapshotted and patched by scenarios (SPB-13 to SPB-17, SPB-101).

decoding.py reads it.
"""

from shared.rules.interface import Json
from shared.rules.space_battle.decoding import decode
from shared.rules.space_battle.state import Challenge, Craft, Mine, State

__all__ = ["decode", "encode"]


def encode(state: State) -> dict[str, Json]:
    """The canonical state; collections of things with ids are objects keyed by id."""
    return {
        "phase": state.phase,
        "ready": dict(state.ready),
        "to_move": state.to_move,
        "move_no": state.move_no,
        "move_started_at": state.move_started_at,
        "moved_this_move": state.moved_this_move,
        "warned": state.warned,
        "lapsed": state.lapsed,
        "forfeits": dict(state.forfeits),
        "quiet_moves": state.quiet_moves,
        "result": state.result,
        "winner": state.winner,
        "config": state.config.canonical(),
        "players": {
            name: {"hangar": dict(player.hangar), "experience": player.experience}
            for name, player in state.players.items()
        },
        "challenges": {str(item.id): _challenge(item) for item in state.challenges.all()},
        "craft": {name: _craft(item) for name, item in sorted(state.craft.items())},
        "mines": {name: _mine(item) for name, item in sorted(state.mines.items())},
    }


def _challenge(challenge: Challenge) -> dict[str, Json]:
    """SPB-13."""
    return challenge._asdict()


def _craft(craft: Craft) -> dict[str, Json]:
    """SPB-15."""
    return {
        "id": craft.id,
        "side": craft.side,
        "class": craft.kind.id,
        "col": craft.at[0],
        "row": craft.at[1],
        "shots_left": craft.shots_left,
        "damage": craft.damage,
        "alive": craft.alive,
    }


def _mine(mine: Mine) -> dict[str, Json]:
    """SPB-16."""
    return {"id": mine.id, "side": mine.side, "col": mine.at[0], "row": mine.at[1], "live": mine.live}
