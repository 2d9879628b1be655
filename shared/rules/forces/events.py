"""Every event type of FORCES (FOR-82, FOR-104): its data with after-values, and who may see it.

Audiences. `public`: everybody. `player:<id>`: one player. Operators see every event; "operators" below: they
alone. Each summary begins with the audience. With `credits_public` false what tells of credits is the player's
(FOR-109).

What holds for folding:
- Players are named by seat from `seats_given` on, which says who sits where; before it by id.
- `zone_picked` moves what stands in a zone by map data into the picker's hands, once (FOR-25, FOR-102).
- `year_opened` and `game_ended` end the submissions of all.
- Combat Forces change by `zone_picked`, `moved`, `casualty`, `forces_removed` and `placed` alone (FOR-83).
"""

from collections.abc import Mapping

from shared.rules.forces.events_of_setup import SETUP_EVENTS
from shared.rules.forces.events_of_year import YEAR_EVENTS
from shared.rules.interface import EventType

EVENTS: Mapping[str, EventType] = {**SETUP_EVENTS, **YEAR_EVENTS}
"""All event types by name."""


def to_player(id_: str) -> tuple[str, ...]:
    """The audience of one player."""
    return (f"player:{id_}",)
