"""What becomes of a choice that nobody has answered when the round closes (EXG-43, EXG-44)."""

from shared.dice import Draws
from shared.rules.exgenhoca.departures import lose
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.state import SWAP


def answer_by_default(play: Play, seat: int, stream: Draws, scope: str) -> None:
    """A swap lapses (EXG-43), the territory of a loss is picked among all of hers (EXG-44)."""
    if play.player(seat).pending == SWAP:
        play.emit("choice_lapsed", {"seat": seat, "choice": SWAP, "reason": "closed"})
        return
    before = stream.draws
    territory = stream.pick(play.state.territories_of(seat))
    lose(play, seat, play.state.board.ids[territory], scope, stream.draws - before)
