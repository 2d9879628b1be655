"""Every event type of Space Battle (SPB-83): its data with after-values, and who may see it.

Audiences. `public`: everybody. `player:<id>`: one player. Operators see every event. Each summary begins with
the audience.

What holds for folding:
- Sides are C, the challenger, and D, the challenged; `time_agreed` says whose they are.
- Craft and mines are named by their full ids, squares are `[column, row]`.
- A completed part of a move (`craft_moved`, `shot_fired`, `move_ended` that is no lapse) sets the forfeits in a row of
  its side to 0 (SPB-59).
- Where a mine lies is told to its owner by `deployed`, to all by `mines_revealed`; explosions name none (SPB-105).
"""

from collections.abc import Mapping

from shared.rules.interface import EventType
from shared.rules.space_battle.events_of_battle import BATTLE_EVENTS
from shared.rules.space_battle.events_of_challenges import CHALLENGE_EVENTS

PART = 200
"""Most players of one event."""

EVENTS: Mapping[str, EventType] = {**CHALLENGE_EVENTS, **BATTLE_EVENTS}
"""All event types by name."""


def to_player(name: str) -> tuple[str, ...]:
    """The audience of one player."""
    return (f"player:{name}",)
