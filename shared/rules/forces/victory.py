"""How a game ends (FOR-71 to FOR-74, FOR-102)."""

from collections.abc import Sequence

from shared.rules.forces.config import CONDITIONS, SHARED
from shared.rules.forces.play import Play
from shared.rules.forces.ranking import ranking_of
from shared.rules.forces.state import LAST_PLAYER, NO_PLAYER, Player, State


def judge(play: Play) -> bool:
    """FOR-73: after each year the last player, then the early victories. Whether the game has ended."""
    if end_with_the_last(play):
        return True
    found = early_victory(play.state)
    if found is None:
        return False
    condition, winners = found
    _end(play, winners, condition)
    return True


def end_with_the_last(play: Play) -> bool:
    """FOR-71: the last active player wins; with none left nobody does."""
    active = play.state.active()
    if len(active) > 1:
        return False
    _end(play, active, LAST_PLAYER if active else NO_PLAYER)
    return True


def early_victory(state: State) -> tuple[str, Sequence[Player]] | None:
    """FOR-72, FOR-73: the first condition, in the fixed priority, that anybody meets decides."""
    values = dict(state.config.early_victory)
    active = state.active()
    measured = {player.seat: measures(state, player) for player in active}
    for number, condition in enumerate(CONDITIONS):
        if condition not in values:
            continue
        met = [player for player in active if measured[player.seat][number] >= values[condition]]
        if met:
            return _decided(state, condition, met, {seat: _first(given, number) for seat, given in measured.items()})
    return None


def _decided(
    state: State, condition: str, met: Sequence[Player], keys: dict[int, tuple[int, ...]]
) -> tuple[str, Sequence[Player]] | None:
    """FOR-73, FOR-74: the highest number, then the other three measures; still equal: shared, or nobody this year."""
    best = max(keys[player.seat] for player in met)
    winners = [player for player in met if keys[player.seat] == best]
    if len(winners) > 1 and state.config.victory_tie != SHARED:
        return None
    return condition, winners


def _first(given: Sequence[int], number: int) -> tuple[int, ...]:
    """The measures with this one first and the others in their priority."""
    return (given[number], *given[:number], *given[number + 1 :])


def measures(state: State, player: Player) -> tuple[int, ...]:
    """FOR-72, in the order of the conditions: capitals owned, income of this year, land zones, credits."""
    capitals = sum(other.capital is not None and state.owner[other.capital] == player.seat for other in state.seats)
    return capitals, player.last_income, player.zones, player.credits


def _end(play: Play, winners: Sequence[Player], condition: str) -> None:
    seats = [player.seat for player in winners]
    play.emit("game_ended", {"winner": seats, "condition": condition, "ranking": ranking_of(play.state, seats)})
