"""What a player holds: continents and their advantages, and whether that is her objective (EXG-36, EXG-60)."""

from shared.rules.exgenhoca.state import ELIMINATED, Player, State


def completes(state: State, player: Player, continent: int) -> bool:
    """Whether she holds every territory of a continent; -1 is one that the map does not have."""
    return continent >= 0 and player.counts[continent] == state.board.sizes[continent]


def has_advantage(state: State, player: Player, continent: int, round_: int) -> bool:
    """EXG-36, EXG-40: she holds the continent and is not under N7 in that round."""
    if continent < 0 or player.counts[continent] != state.board.sizes[continent]:
        return False
    off = player.penalties.continents_off
    return off is None or not off.first <= round_ <= off.last


def complete_continents(state: State, player: Player) -> int:
    """How many continents she holds completely."""
    return sum(held == size for held, size in zip(player.counts, state.board.sizes, strict=True))


def is_fulfilled(state: State, player: Player) -> bool:
    """EXG-60, EXG-61. N7 does not matter here."""
    wanted = player.objective
    if wanted is None or player.total < wanted.min_total:
        return False
    if wanted.eliminate is not None:
        rival = state.players[wanted.eliminate - 1]
        if rival.status != ELIMINATED or rival.eliminated_by != player.seat:
            return False
    sizes, counts = state.board.sizes, player.counts
    for continent in wanted.continents:
        if counts[continent] != sizes[continent]:
            return False
    if wanted.extra_continents:
        further = complete_continents(state, player) - len(wanted.continents)
        if further < wanted.extra_continents:
            return False
    spread = wanted.spread
    return spread is None or sum(held >= spread.each for held in counts) >= spread.continents
