"""Pending choices: the swap of P7 and the loss of N3 (EXG-43, EXG-44)."""

from shared.rules.exgenhoca.departures import lose
from shared.rules.exgenhoca.effects import after_gain
from shared.rules.exgenhoca.endings import judge
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.round_close import close_what_is_complete
from shared.rules.exgenhoca.state import LOSS, SWAP, State
from shared.rules.interface import Decision, Dice, Input, Refusal


def resolve_swap(state: State, command: Input, dice: Dice) -> Decision:
    """EXG-43; refused with `no_pending`, `not_own_territory`, `own_territory`."""
    payload, seat = command.payload, state.index[command.actor]
    if refusal := _not_pending(state, seat, SWAP):
        return refusal
    play = Play(state)
    if payload.get("decline"):
        play.emit("choice_lapsed", {"seat": seat, "choice": SWAP, "reason": "declined"})
    else:
        index = state.board.index
        give, take = index[payload["give"]], index[payload["take"]]
        if state.owner[give] != seat:
            return Refusal("not_own_territory", "EXG-43", f"give must be yours; {payload['give']} is not")
        if state.owner[take] == seat:
            return Refusal("own_territory", "EXG-43", f"take must not be yours; {payload['take']} is")
        other = state.owner[take] or None
        play.emit("swapped", {"seat": seat, "give": payload["give"], "take": payload["take"], "other": other})
        after_gain(play, seat, take)
        if other is not None:
            after_gain(play, other, give)
        judge(play, seat)
    close_what_is_complete(play, command.at, dice)
    return play.events


def resolve_loss(state: State, command: Input, dice: Dice) -> Decision:
    """EXG-44; refused with `no_pending`, `not_own_territory`."""
    name, seat = command.payload["territory"], state.index[command.actor]
    if refusal := _not_pending(state, seat, LOSS):
        return refusal
    if state.owner[state.board.index[name]] != seat:
        return Refusal("not_own_territory", "EXG-44", f"territory must be one of yours; {name} is not")
    play = Play(state)
    lose(play, seat, name)
    judge(play, seat)
    close_what_is_complete(play, command.at, dice)
    return play.events


def _not_pending(state: State, seat: int, choice: str) -> Refusal | None:
    pending = state.players[seat - 1].pending
    if pending == choice:
        return None
    told = "nothing" if pending is None else f"a {pending}"
    return Refusal("no_pending", "EXG-43", f"a {choice} is answered when it is pending; pending is {told}")
