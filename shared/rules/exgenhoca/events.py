"""Every event type of Exgenhoca Wars (EXG-68): its data with after-values, and who may see it.

Audiences. `public`: everybody. `player:<id>`: one player. Operators see every event that is not of the journal alone;
"operators" below: they alone. Each summary begins with the audience. With `inventory_public` false what tells of
inventories and penalties is the player's (EXG-66); totals and modifiers of a roll, revealed effects and rights stay
public.

What holds for folding:
- Players are named by seat; `game_created` says who sits where.
- `attack_resolved` bans the target for the attacker up to `cooldown_rounds` rounds after the attack's round (EXG-25).
- A round's closing ends its rights, its opening gives new ones; neither says so for what was zero anyway.
- Tokens are in no view before `effect_revealed` or `objectives_revealed` names them (EXG-67).
"""

from collections.abc import Mapping

from shared.rules.exgenhoca.events_of_play import PLAY_EVENTS
from shared.rules.exgenhoca.events_of_setup import SETUP_EVENTS
from shared.rules.interface import PUBLIC, EventType

PART = 200
"""Most territories of one part of the map."""

EVENTS: Mapping[str, EventType] = {**SETUP_EVENTS, **PLAY_EVENTS}
"""All event types by name."""


def to_player(id_: str) -> tuple[str, ...]:
    """The audience of one player."""
    return (f"player:{id_}",)


def to_owner_of_items(id_: str, inventory_public: bool) -> tuple[str, ...]:
    """Who is told of a player's inventory and penalties (EXG-66)."""
    return PUBLIC if inventory_public else to_player(id_)
