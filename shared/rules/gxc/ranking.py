"""Who has won, and who stands where (GXC-95, GXC-96)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shared.rules.gxc.state import ACTIVE, ELIMINATED
from shared.rules.interface import Json


class Standing(NamedTuple):
    """What a team is ranked by, at the end of the game."""

    team: str
    status: str
    territories: int
    energy: int
    conquests_total: int
    eliminated_at: tuple[int, int] | None


def rank(standings: Sequence[Standing]) -> list[dict[str, Json]]:
    """Team and rank, best first, in canonical order within a rank; equal keys share a rank: 1, 1, 3."""
    ordered = sorted(standings, key=lambda standing: (_key(standing), standing.team))
    ranking: list[dict[str, Json]] = []
    for place, standing in enumerate(ordered, 1):
        shared = place > 1 and _key(ordered[place - 2]) == _key(standing)
        ranking.append({"team": standing.team, "rank": ranking[-1]["rank"] if shared else place})
    return ranking


def winner(ranking: Sequence[Mapping[str, Json]], standings: Sequence[Standing]) -> str | None:
    """The survivor who alone has rank 1; None when nobody survived or the first place is shared."""
    first = [entry["team"] for entry in ranking if entry["rank"] == 1]
    survivors = {standing.team for standing in standings if standing.status == ACTIVE}
    return first[0] if len(first) == 1 and first[0] in survivors else None


def _key(standing: Standing) -> tuple[int, ...]:
    """Survivors, then the eliminated by later turn and step, then the disqualified."""
    if standing.status == ACTIVE:
        return 0, -standing.territories, -standing.energy, -standing.conquests_total
    if standing.status == ELIMINATED:
        turn, step = standing.eliminated_at or (0, 0)
        return 1, -turn, -step
    return (2,)
