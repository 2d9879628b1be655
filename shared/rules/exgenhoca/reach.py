"""Which territories a player may attack, as far as the map and earlier attacks decide it (EXG-24, EXG-25, EXG-38)."""

from shared.rules.exgenhoca.holding import has_advantage
from shared.rules.exgenhoca.state import Player, State


def in_reach(state: State, player: Player, target: int) -> bool:
    """Whether the target borders an own territory, or lies at distance 2 of one with North America (EXG-24, EXG-38)."""
    owner, seat, board = state.owner, player.seat, state.board
    for near in board.neighbours[target]:
        if owner[near] == seat:
            return True
    if not has_advantage(state, player, board.north_america, state.round):
        return False
    return any(owner[far] == seat for far in board.second[target])


def banned_until(state: State, player: Player, target: int) -> int:
    """Last round in which she may not attack the target again; 0 if she may (EXG-25)."""
    last = player.cooldown.get(target)
    if last is None:
        return 0
    until = last + state.config.cooldown_rounds
    return until if until >= state.round else 0


def has_target_in(state: State, player: Player, round_: int) -> bool:
    """Whether some target will be legal at the start of a round, on the present owners and penalties (EXG-52)."""
    owner, seat, board, cooldown = state.owner, player.seat, state.board, player.cooldown
    banned_since = round_ - state.config.cooldown_rounds
    maps = [board.neighbours]
    if has_advantage(state, player, board.north_america, round_):
        maps.append(board.second)
    for territory, holder in enumerate(owner):
        if holder != seat:
            continue
        for around in maps:
            for target in around[territory]:
                if owner[target] != seat and (target not in cooldown or cooldown[target] < banned_since):
                    return True
    return False
