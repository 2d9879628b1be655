"""Who stands where at the end (FOR-75, FOR-102, FOR-109)."""

from collections.abc import Sequence

from shared.rules.forces.state import ACTIVE, Player, State


def ranking_of(state: State, winners: Sequence[int]) -> list[list[int]]:
    """The ranks, best first, each a list of seats; equal keys share one, winners the first."""
    ranks: dict[tuple[int, ...], list[int]] = {}
    for player in state.seats:
        ranks.setdefault(_key(state, player, winners), []).append(player.seat)
    return [ranks[key] for key in sorted(ranks)]


def _key(state: State, player: Player, winners: Sequence[int]) -> tuple[int, ...]:
    """Lower is better: winners; active players by zones, income, combat Forces, credits; the others by later year."""
    if player.seat in winners:
        return (0,)
    if player.status == ACTIVE:
        return 1, -player.zones, -player.last_income, -state.forces_of(player.seat), -player.credits
    return (3,) if player.eliminated_year is None else (2, -player.eliminated_year)
