"""The start of a game: territories, hidden effects and objectives, from sealed dice (section 5 of the rules)."""

from collections.abc import Mapping
from typing import Any

from shared.dice import Draws
from shared.rules.exgenhoca.events import to_player
from shared.rules.exgenhoca.holding import is_fulfilled
from shared.rules.exgenhoca.objectives import objectives_of
from shared.rules.exgenhoca.play import Play
from shared.rules.exgenhoca.round_close import close_what_is_complete
from shared.rules.exgenhoca.round_opening import open_round
from shared.rules.exgenhoca.state import NOBODY, Player, State, objective_of
from shared.rules.interface import OPERATORS, Decision, Dice, Input

LABEL = SCOPE = "setup"


def start_game(state: State, command: Input, dice: Dice) -> Decision:
    """Deal in the order of EXG-20 and open round 1; the dice stay sealed until the end (EXG-12)."""
    play = Play(state)
    stream = dice.seal(LABEL).stream(SCOPE)
    _deal_territories(play, stream)
    _place_tokens(play, stream)
    _deal_objectives(play, stream)
    open_round(play, 1, command.at)
    play.mark(LABEL)
    close_what_is_complete(play, command.at, dice)
    return play.events


def _deal_territories(play: Play, stream: Draws) -> None:
    """EXG-17."""
    state, before = play.state, stream.draws
    territories = list(range(len(state.board.ids)))
    stream.shuffle(territories)
    players = len(state.players)
    dealt = territories[: state.starting * players]
    owners = {state.board.ids[territory]: number % players + 1 for number, territory in enumerate(dealt)}
    play.emit("dealt", {"scope": SCOPE, "draws": stream.draws - before, "owners": owners})


def _place_tokens(play: Play, stream: Draws) -> None:
    """EXG-18; effects that find no territory are left out."""
    state, before = play.state, stream.draws
    unoccupied = [territory for territory, owner in enumerate(state.owner) if owner == NOBODY]
    stream.shuffle(unoccupied)
    pairs = zip(unoccupied, state.config.effects, strict=False)
    tokens = {state.board.ids[territory]: effect for territory, effect in pairs}
    play.emit("tokens_placed", {"scope": SCOPE, "draws": stream.draws - before, "tokens": tokens}, OPERATORS)


def _deal_objectives(play: Play, stream: Draws) -> None:
    """EXG-19: to each seat the first remaining objective that fits, else the first remaining one."""
    state, before = play.state, stream.draws
    remaining = objectives_of(state.config.objective_set, state.starting)
    stream.shuffle(remaining)
    order = [objective["id"] for objective in remaining]
    shuffled = {"scope": SCOPE, "draws": stream.draws - before, "order": order}
    play.emit("objectives_shuffled", shuffled, OPERATORS)
    for player in state.players:
        chosen = next((item for item in remaining if _fits(play, player, item)), None)
        if chosen is None:
            chosen = remaining[0]
        remaining.remove(chosen)
        data = {"seat": player.seat, "objective": _substituted(play, player, chosen)}
        play.emit("objective_dealt", data, to_player(player.id))


def _fits(play: Play, player: Player, objective: Mapping[str, Any]) -> bool:
    rival = objective["eliminate"]
    if rival is not None and (rival == player.seat or rival > len(play.state.players)):
        return False
    trial = player.copy()
    trial.objective = objective_of(play.state.board, objective)
    return not is_fulfilled(play.state, trial)


def _substituted(play: Play, player: Player, objective: Mapping[str, Any]) -> dict[str, Any]:
    """EXG-61, for one that names her own seat or one that nobody has."""
    rival = objective["eliminate"]
    if rival is None or (rival != player.seat and rival <= len(play.state.players)):
        return dict(objective)
    return {**objective, "eliminate": None, "min_total": max(objective["min_total"], play.state.substitute)}
