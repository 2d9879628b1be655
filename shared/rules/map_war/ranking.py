"""Who stands where: the scoreboard of a turn and the ranking of the end (MAP-96)."""

from collections import Counter
from collections.abc import Mapping

from shared.rules.interface import Json
from shared.rules.map_war.state import ACTIVE, Nation, State


def zones_by_owner(state: State) -> Mapping[str | None, int]:
    """How many zones each owner has; None stands for those without."""
    return Counter(state.owner)


def ranked(state: State, winner: str | None = None) -> list[Nation]:
    """The winner; active nations by zones, currency produced last turn, technology; eliminated ones, the last first."""
    zones = zones_by_owner(state)

    def order(nation: Nation) -> tuple[bool, bool, int, int, int, int, str]:
        return (
            nation.id != winner,
            nation.status != ACTIVE,
            -(nation.eliminated_turn or 0),
            -zones.get(nation.id, 0),
            -nation.currency_last_turn,
            -nation.stocks.technology,
            nation.id,
        )

    return sorted(state.nations.values(), key=order)


def scoreboard(state: State) -> list[Json]:
    """One row a nation, in the order of the ranking (MAP-91)."""
    zones = zones_by_owner(state)
    return [
        {
            "nation": nation.id,
            "zones": zones.get(nation.id, 0),
            "currency": nation.currency_last_turn,
            "technology": nation.stocks.technology,
            "eliminated_turn": nation.eliminated_turn,
        }
        for nation in ranked(state)
    ]
