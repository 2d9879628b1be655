"""Closing a turn or its correction, and the resolution in its order (MAP-81 to MAP-91, MAP-106 to MAP-108)."""

from shared.rules.interface import Decision, Dice, Input, Refusal
from shared.rules.map_war.items import dropped
from shared.rules.map_war.opening import close_start, open_turn
from shared.rules.map_war.owners import void
from shared.rules.map_war.phase_building import cancel_constructions, pay_instalments, start_constructions
from shared.rules.map_war.phase_chances import count_inactivity, decay, npc_nations, riots, spread_barbaria
from shared.rules.map_war.phase_conquests import claims_and_conquests
from shared.rules.map_war.phase_deals import deals_with_zones, deals_without_zones
from shared.rules.map_war.phase_degradation import degrade
from shared.rules.map_war.phase_end import eliminate, victory
from shared.rules.map_war.phase_moves import move_pieces
from shared.rules.map_war.phase_pollution import absorb_pollution, emit_pollution, spread_pollution
from shared.rules.map_war.phase_production import complete_constructions, make_pieces, produce
from shared.rules.map_war.play import Play
from shared.rules.map_war.ranking import ranked, scoreboard
from shared.rules.map_war.state import BARBARIANS, CHOOSING, FIX, OFFERED, ORDERS, START, State
from shared.rules.map_war.turn import Turn

BY_PLAYERS = "players"


def close_turn(state: State, command: Input, dice: Dice) -> Decision:
    """By clock or operator; the clock's close happens at the deadline itself (MAP-81)."""
    return _too_early(state, command) or _closed(state, command, dice)


def close_fix(state: State, command: Input, dice: Dice) -> Decision:
    """MAP-81: what is still faulty is dropped."""
    return _too_early(state, command) or _closed(state, command, dice)


def close_what_is_complete(play: Play, at: int, dice: Dice) -> None:
    """MAP-108: the last step of every accepted command of a player."""
    if is_complete(play.state):
        _close(play, at, BY_PLAYERS, dice)


def is_complete(state: State) -> bool:
    """Whether nobody is waited for any more; a turn without a player nation takes its time."""
    if state.phase == START:
        chosen = state.opened_at is not None and CHOOSING not in state.players.values()
        return chosen and bool(state.player_nations())
    if state.phase == FIX:
        return not any(nation.faulty for nation in state.player_nations())
    if state.phase != ORDERS:
        return False
    nations = state.waited_for()
    return bool(nations) and all(nation.submission is not None and not nation.faulty for nation in nations)


def _too_early(state: State, command: Input) -> Refusal | None:
    deadline = state.deadline
    if command.role != "clock" or (deadline is not None and command.at >= deadline):
        return None
    legal = "it is paused" if deadline is None else f"its deadline is {deadline}"
    return Refusal("too_early", "MAP-81", f"the clock closes turn {state.turn} at its deadline; {legal}")


def _closed(state: State, command: Input, dice: Dice) -> Decision:
    play = Play(state)
    by_clock, deadline = command.role == "clock", state.deadline
    _close(play, deadline if by_clock and deadline is not None else command.at, command.role, dice)
    return play.events


def _close(play: Play, at: int, by: str, dice: Dice) -> None:
    state = play.state
    if state.phase == START:
        close_start(play, at, by)
        return
    faulty = [nation.id for nation in state.player_nations() if nation.faulty]
    if state.phase == ORDERS and faulty:
        data = {"turn": state.turn, "nations": faulty, "deadline": at + state.config.fix_ms}
        play.emit("fix_opened", data)
        return
    for nation in faulty:
        dropped(play, nation)
    label = f"turn:{state.turn}"
    turn = Turn(play, dice.resolve(label))  # P0 (MAP-12, MAP-82)
    _resolve(turn)
    _end(turn, at, by)
    play.mark(label)


def _resolve(turn: Turn) -> None:
    """P1 to P8."""
    deals_without_zones(turn)
    move_pieces(turn)
    claims_and_conquests(turn)
    cancel_constructions(turn)
    start_constructions(turn)
    pay_instalments(turn)
    produce(turn)
    make_pieces(turn)
    complete_constructions(turn)
    deals_with_zones(turn)
    spread_pollution(turn)
    emit_pollution(turn)
    absorb_pollution(turn)
    degrade(turn)
    barbarian = turn.state.zones_of(BARBARIANS)
    riots(turn)
    spread_barbaria(turn, barbarian)
    decay(turn)
    npc_nations(turn)
    count_inactivity(turn)


def _end(turn: Turn, at: int, by: str) -> None:
    """P9; offers whose last turn this was are void (MAP-113)."""
    play, state = turn.play, turn.state
    eliminate(turn)
    for deal in state.live():
        if deal.status == OFFERED and deal.until_turn is not None and deal.until_turn <= turn.number:
            void(play, deal, "expired")
    data = {
        "turn": turn.number,
        "phase": state.phase,
        "closed_at": at,
        "by": by,
        "scoreboard": scoreboard(state),
    }
    play.emit("turn_closed", data)
    won = victory(state)
    if won is None:
        open_turn(play, turn.number + 1, at, state.began_with)
        return
    winner, reason = won
    ranking = [nation.id for nation in ranked(state, winner)]
    play.emit("game_ended", {"turn": turn.number, "winner": winner, "ranking": ranking, "reason": reason})
