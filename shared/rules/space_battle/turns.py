"""From one move to the next, and the draws that are judged there (SPB-64 to SPB-66, SPB-76)."""

from shared.rules.space_battle.endings import end
from shared.rules.space_battle.play import Play
from shared.rules.space_battle.state import DRAW, OTHER, State


def complete_move(play: Play, at: int, *, fired: bool = False, lapsed: bool = False) -> None:
    """SPB-76: the other side has the move, its clock runs from `at`; then no shots, then quiet moves."""
    state = play.state
    side = state.to_move or ""
    play.emit(
        "move_ended",
        {
            "side": side,
            "lapsed": lapsed,
            "quiet_moves": 0 if fired else state.quiet_moves + 1,
            "move_no": state.move_no + 1,
            "to_move": OTHER[side],
            "move_started_at": at,
        },
    )
    if not _has_shots(state) or _too_quiet(state):
        end(play, DRAW, None)


def _has_shots(state: State) -> bool:
    """SPB-64: whether a living craft of either side has a shot left, bases included."""
    craft = state.craft
    return any(craft[name].shots_left for name in state.square.values())


def _too_quiet(state: State) -> bool:
    """SPB-65."""
    most = state.config.quiet_moves_draw
    return most is not None and state.quiet_moves >= most
