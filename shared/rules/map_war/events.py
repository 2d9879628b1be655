"""Every event type of Map War 3 (MAP-93): its data with after-values, and who may see it.

Audiences. `public`: everybody. `player:<id>`: one player; a player's nation has her id. Operators see every event. Each
summary begins with the audience. With `open_submissions` false the content of a submission is the player's until it is
carried out (MAP-98); offers are for their two sides, an agreement in force and what a deal has moved for all (MAP-97).
`seq` never leaves operators: `submission_numbered` and `acceptance_numbered` carry it beside the player's event.

What holds for folding:
- Every change of a stock stands in `ledger`: entries by nation and cause that sum up to it; `stocks` holds those of
  the nations named there afterwards (MAP-99). Amounts are cents.
- A change of owner is told by `zone_claimed`, `zone_conquered`, `deal_done` or `zone_fell`; constructions
  and pieces that are lost with it have events of their own behind it.
"""

from collections.abc import Mapping

from shared.rules.interface import PUBLIC, EventType
from shared.rules.map_war.events_of_nations import NATION_EVENTS
from shared.rules.map_war.events_of_setup import SETUP_EVENTS
from shared.rules.map_war.events_of_turn import TURN_EVENTS

PART = 500
"""Most zones of one part of the map, or of a list of values of zones."""

EVENTS: Mapping[str, EventType] = {**SETUP_EVENTS, **NATION_EVENTS, **TURN_EVENTS}
"""All event types by name."""


def to_players(*nations: str) -> tuple[str, ...]:
    """The audiences of the players of these nations."""
    return tuple(f"player:{nation}" for nation in nations)


def to_readers(nation: str, open_submissions: bool) -> tuple[str, ...]:
    """Who may read a submission (MAP-98)."""
    return PUBLIC if open_submissions else to_players(nation)
