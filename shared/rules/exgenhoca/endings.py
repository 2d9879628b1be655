"""When the game ends, and with what (EXG-55 to EXG-58, EXG-65, EXG-67)."""

from collections.abc import Iterable

from shared.rules.exgenhoca.forms import objective_form
from shared.rules.exgenhoca.holding import is_fulfilled
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.ranking import points_of, ranking_of
from shared.rules.exgenhoca.state import ACTIVE, LAST_SURVIVOR, NO_SURVIVOR, OBJECTIVE, Player


def judge(play: Play, acting: int | None = None) -> None:
    """After a change of ownership: objectives, the acting player first, then by seat (EXG-55); then EXG-56."""
    for player in _in_order(play, acting):
        if is_fulfilled(play.state, player):
            end(play, player.seat, OBJECTIVE)
            return
    active = play.active()
    if len(active) == 1:
        end(play, active[0].seat, LAST_SURVIVOR)
    elif not active:
        end(play, None, NO_SURVIVOR)


def _in_order(play: Play, acting: int | None) -> Iterable[Player]:
    """EXG-55; only active players win."""
    active = play.active()
    if acting is None or play.player(acting).status != ACTIVE:
        return active
    return [play.player(acting), *(player for player in active if player.seat != acting)]


def end(play: Play, winner: int | None, reason: str) -> None:
    """Everything hidden is revealed, and the game is ranked (EXG-67)."""
    state = play.state
    objectives = {
        str(player.seat): None if player.objective is None else objective_form(state.board, player.objective)
        for player in state.players
    }
    tokens = {state.board.ids[territory]: token for territory, token in enumerate(state.token) if token is not None}
    play.emit("objectives_revealed", {"objectives": objectives, "tokens": tokens})
    points = {str(player.seat): points_of(state, player, winner, reason) for player in state.players}
    data = {"winner": winner, "reason": reason, "ranking": ranking_of(state, winner), "points": points}
    play.emit("game_ended", data)
