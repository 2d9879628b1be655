"""Who stands where at the end, and the points (EXG-58, EXG-65)."""

from shared.rules.exgenhoca.holding import completes
from shared.rules.exgenhoca.state import ACTIVE, LAST_SURVIVOR, OBJECTIVE, Player, State


def ranking_of(state: State, winner: int | None) -> list[int]:
    """Seats, best first: winner, active players, then the eliminated, the last of them first (EXG-58)."""

    def place(player: Player) -> tuple[int, ...]:
        if player.seat == winner:
            return (0,)
        if player.status == ACTIVE:
            return 1, -player.total, -player.conquests, player.seat
        round_, order = player.eliminated_at or (0, 0)
        return 2, -round_, -order, player.seat

    return [player.seat for player in sorted(state.players, key=place)]


def points_of(state: State, player: Player, winner: int | None, reason: str) -> int:
    """Section 14; eliminated players hold nothing and keep their points for eliminations (EXG-65)."""
    scoring = state.config.scoring
    points: int = scoring["elimination"] * sum(other.eliminated_by == player.seat for other in state.players)
    points += scoring["territory"] * player.total
    for number, continent in enumerate(state.board.continent_ids):
        if completes(state, player, number):
            points += scoring["continents"].get(continent, 0)
    if player.seat == winner:
        points += {OBJECTIVE: scoring["objective"], LAST_SURVIVOR: scoring["last_survivor"]}.get(reason, 0)
    elif player.status == ACTIVE:
        points += scoring["active"]
    return points
