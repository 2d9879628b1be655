"""Eliminations, what goes with a player, and the loss of a territory (EXG-53, EXG-54, EXG-61)."""

from collections.abc import Sequence

from shared.rules.exgenhoca.events import to_player
from shared.rules.exgenhoca.forms import objective_form
from shared.rules.exgenhoca.play import Play


def eliminate(play: Play, seats: Sequence[int], reason: str, by: int | None = None) -> None:
    """Eliminate in this order; objectives of the others that name one of them change behind (EXG-61)."""
    for seat in seats:
        order = 1 + sum(
            player.eliminated_at is not None and player.eliminated_at[0] == play.state.round
            for player in play.state.players
        )
        data = {"seat": seat, "round": play.state.round, "order": order, "by": by, "reason": reason}
        play.emit("player_eliminated", data)
        released = [play.state.board.ids[territory] for territory in play.state.territories_of(seat)]
        if released:
            play.emit("territories_released", {"seat": seat, "territories": released})
    for player in play.active():
        objective = player.objective
        if objective is None or objective.eliminate not in seats or player.seat == by:
            continue
        least = max(objective.min_total, play.state.substitute)
        changed = objective._replace(eliminate=None, min_total=least)
        form = objective_form(play.state.board, changed)
        play.emit("objective_changed", {"seat": player.seat, "objective": form}, to_player(player.id))


def lose(play: Play, seat: int, territory: str, scope: str | None = None, draws: int = 0) -> None:
    """The territory has no owner; losing the last one eliminates her (EXG-44, EXG-53)."""
    play.emit("territory_lost", {"scope": scope, "draws": draws, "seat": seat, "territory": territory})
    if play.player(seat).total == 0:
        eliminate(play, [seat], "loss")
