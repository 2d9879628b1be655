"""The start of the battle (SPB-12, SPB-31 to SPB-33, SPB-104, SPB-108)."""

from shared.rules.interface import Decision, Dice, Input, Json, Refusal
from shared.rules.space_battle.config import RANDOM
from shared.rules.space_battle.play import Play
from shared.rules.space_battle.state import SIDES, C, D, State

LABEL, SCOPE = "start", "battle"


def start_battle(state: State, command: Input, dice: Dice) -> Decision:
    """SPB-31: at the start time, when both are ready."""
    start = state.fought.start_time if state.fought else None
    if start is None or command.at < start:
        return Refusal("too_early", "SPB-31", f"the battle starts at {start}")
    absent = [side for side in SIDES if not state.ready[side]]
    if absent:
        return Refusal("not_ready", "SPB-104", f"both sides must be ready; {' and '.join(absent)} must be ready first")
    play = Play(state, dice)
    begin(play, command.at)
    return play.events


def begin(play: Play, at: int) -> None:
    """SPB-33, SPB-54: the first move and its clock begin; what was deployed becomes public (SPB-78)."""
    state = play.state
    stream = play.dice.resolve(LABEL).stream(SCOPE)
    first, drawn = D, state.config.first_mover == RANDOM
    if drawn:
        first = (D, C)[stream.int(2)]  # SPB-108
    battle = state.fought
    craft: dict[str, Json] = {
        name: {
            "side": item.side,
            "class": item.kind.id,
            "col": item.at[0],
            "row": item.at[1],
            "shots_left": item.shots_left,
        }
        for name, item in sorted(state.craft.items())
    }
    play.emit(
        "battle_started",
        {
            "scope": SCOPE if drawn else None,
            "draws": stream.draws,
            "challenge": state.battle,
            "players": [] if battle is None else [*battle.players],
            "to_move": first,
            "move_started_at": at,
            "craft": craft,
        },
    )
    play.mark(LABEL)
