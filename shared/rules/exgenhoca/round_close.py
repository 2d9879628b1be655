"""Closing a round: everything of EXG-50, in its order, in one resolution (EXG-12)."""

from shared.rules.exgenhoca.defaults import answer_by_default
from shared.rules.exgenhoca.departures import eliminate
from shared.rules.exgenhoca.endings import end, judge
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.round_opening import open_round
from shared.rules.exgenhoca.state import MAX_ROUNDS, RUNNING, Player, State
from shared.rules.interface import Decision, Dice, Input, Refusal

SCOPE = "close"


def close_round(state: State, command: Input, dice: Dice) -> Decision:
    """By clock or operator; the clock's close happens at the deadline itself (EXG-50)."""
    by_clock, deadline = command.role == "clock", state.round_deadline
    if by_clock and (deadline is None or command.at < deadline):
        legal = "the round is paused" if deadline is None else f"its deadline is {deadline}"
        return Refusal("too_early", "EXG-49", f"the clock closes round {state.round} at its deadline; {legal}")
    at = deadline if by_clock and deadline is not None else command.at
    play = Play(state)
    _close(play, at, command.role, dice)
    close_what_is_complete(play, at, dice)
    return play.events


def close_what_is_complete(play: Play, at: int, dice: Dice) -> None:
    """EXG-49: the last step of every command, and the same test for each round that opens by it."""
    while play.state.phase == RUNNING and is_complete(play.state):
        _close(play, at, "players", dice)


def is_complete(state: State) -> bool:
    """Whether nobody has an attack left or a choice pending."""
    return not any(player.pending is not None or player.can_act for player in state.players)


def _close(play: Play, at: int, by: str, dice: Dice) -> None:
    number = play.state.round
    label = f"round:{number}:close"
    stream = dice.resolve(label).stream(SCOPE)
    for seat in [player.seat for player in play.active() if player.pending is not None]:
        answer_by_default(play, seat, stream, SCOPE)
    _count_idle(play)
    _eliminate_the_inactive(play)
    play.emit("round_closed", {"round": number, "closed_at": at, "by": by})
    judge(play)
    if not play.over:
        last = play.state.config.max_rounds
        if last is not None and number >= last:
            end(play, None, MAX_ROUNDS)  # EXG-57
        else:
            open_round(play, number + 1, at)
    play.mark(label)


def _count_idle(play: Play) -> None:
    """EXG-51, EXG-52: who made no attack, in a round that counts for her."""
    counted = {
        str(player.seat): {"idle_row": player.idle_row + 1, "idle_total": player.idle_total + 1}
        for player in play.active()
        if player.counts_idle and not player.attacks_made
    }
    if counted:
        play.emit("idle_counted", {"players": counted})


def _eliminate_the_inactive(play: Play) -> None:
    """EXG-51, all at once: fewer territories first, then the higher seat (EXG-54)."""
    config = play.state.config

    def order(player: Player) -> tuple[int, int]:
        return player.total, -player.seat

    inactive = [
        player
        for player in play.active()
        if player.idle_row >= config.inactive_in_a_row or player.idle_total >= config.inactive_total
    ]
    eliminate(play, [player.seat for player in sorted(inactive, key=order)], "inactivity")
