"""What the clock does: warnings, forfeits, the end of the grace, expiry (section 9, SPB-24, SPB-32, SPB-104)."""

from shared.rules.interface import Deadline, Decision, Dice, Input
from shared.rules.space_battle.config import SURRENDER as SURRENDERS
from shared.rules.space_battle.endings import end
from shared.rules.space_battle.play import Play
from shared.rules.space_battle.state import CANCELLED, DEPLOYING, ENDED, OTHER, RUNNING, SIDES, SURRENDER, State
from shared.rules.space_battle.turns import complete_move

TICK, START = "tick", "start_battle"


def due(state: State) -> Deadline | None:
    """The next deadline; an expiry goes before what the battle has at the same time."""
    if state.phase == ENDED:
        return None
    battle, expiry = _due_in_battle(state), state.challenges.first_expiry
    if expiry is not None and (battle is None or expiry <= battle.at):
        return Deadline(expiry, TICK, {})
    return battle


def _due_in_battle(state: State) -> Deadline | None:
    """Start or end of the grace (SPB-31, SPB-32); warning, then end of the move (SPB-56)."""
    config = state.config
    if state.phase == RUNNING and state.move_started_at is not None:
        end_of_move = state.move_started_at + config.move_ms
        return Deadline(end_of_move if state.warned else end_of_move - config.warning_ms, TICK, {})
    start = state.fought.start_time if state.fought else None
    if state.phase != DEPLOYING or start is None:
        return None
    if all(state.ready.values()):
        return Deadline(start, START, {})
    return Deadline(start + config.deploy_ms, TICK, {})


def waiting(state: State) -> list[str]:
    """Whom the next deadline hits: who has the move, who is not ready, who must answer a challenge that expires."""
    if state.phase == ENDED:
        return []
    battle, expiry = _due_in_battle(state), state.challenges.first_expiry
    if expiry is not None and (battle is None or expiry <= battle.at):
        expiring = state.challenges.expired(expiry)
        return sorted({item.other(item.proposed_by or item.challenger) for item in expiring})
    if state.fought is None:
        return []
    if state.phase == RUNNING:
        return [state.fought.player_of(state.to_move or "")]
    return sorted(state.fought.player_of(side) for side in SIDES if not state.ready[side])


def tick(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-56, SPB-57, SPB-72: everything that is due, each at its own time, however late the clock is."""
    play = Play(state, dice)
    while (deadline := due(play.state)) is not None and deadline.type == TICK and deadline.at <= command.at:
        _apply(play, deadline.at)
    return play.events


def _apply(play: Play, at: int) -> None:
    state = play.state
    if state.challenges.first_expiry == at:
        _expire(play, at)
    elif state.phase == DEPLOYING:
        _end_grace(play)
    elif not state.warned:
        _warn(play)
    else:
        _forfeit(play, at)


def _expire(play: Play, at: int) -> None:
    """SPB-24, SPB-106: every challenge without a time whose hours are over."""
    for challenge in play.state.challenges.expired(at):
        play.emit("challenge_expired", {"challenge": challenge.id, "players": [*challenge.players]})


def _end_grace(play: Play) -> None:
    """SPB-32, SPB-104: cancelled, or the one absent side surrenders."""
    absent = [side for side in SIDES if not play.state.ready[side]]
    play.emit("no_show", {"absent": absent})
    if play.state.config.no_show == SURRENDERS and len(absent) == 1:
        end(play, SURRENDER, OTHER[absent[0]])
    else:
        end(play, CANCELLED, None)


def _warn(play: Play) -> None:
    """SPB-56, SPB-58: once per move; it changes nothing of what is accepted."""
    state = play.state
    seconds = state.config.warning_ms // 1000
    play.emit("time_warning", {"side": state.to_move, "move_no": state.move_no, "seconds": seconds})


def _forfeit(play: Play, at: int) -> None:
    """SPB-56, SPB-59, SPB-103: the turn passes at the deadline itself; too many in a row are a surrender."""
    state = play.state
    side, most = state.to_move or "", state.config.forfeits_until_surrender
    wholly = not state.moved_this_move
    forfeits = state.forfeits[side] + wholly
    data = {"side": side, "move_no": state.move_no, "wholly": wholly, "forfeits": forfeits}
    play.emit("move_forfeited", data)
    if wholly and most and forfeits >= most:
        end(play, SURRENDER, OTHER[side])
    else:
        complete_move(play, at, lapsed=True)
