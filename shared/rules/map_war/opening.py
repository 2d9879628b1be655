"""Opening turns, and closing the one in which players choose where they start (MAP-34, MAP-91, MAP-106)."""

from shared.rules.map_war.play import Play
from shared.rules.map_war.ranking import scoreboard
from shared.rules.map_war.state import CHOOSING, ORDERS, START


def open_turn(play: Play, number: int, at: int, began_with: int) -> None:
    """A turn with its deadline; the first is for choosing."""
    data = {
        "turn": number,
        "phase": START if number == 1 else ORDERS,
        "opened_at": at,
        "deadline": at + play.state.config.turn_ms,
        "began_with": began_with,
    }
    play.emit("turn_opened", data)


def close_start(play: Play, at: int, by: str) -> None:
    """MAP-106: no resolution; who made no choice is left out, or with `late_join` chooses later."""
    state = play.state
    left = sorted(player for player, status in state.players.items() if status == CHOOSING)
    if left and not state.config.late_join:
        play.emit("players_left_out", {"players": left})
    closed = {"turn": state.turn, "phase": START, "closed_at": at, "by": by, "scoreboard": scoreboard(state)}
    play.emit("turn_closed", closed)
    open_turn(play, state.turn + 1, at, len(state.player_nations()))
