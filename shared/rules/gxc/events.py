"""Every event type of GXC (GXC-104): its data with after-values, and who may see it.

Audiences. `public`: everybody. `team:<id>`: the unplaced and active players of a team. `player:<id>`: one player.
`sight:high_ground`: players who have the sight of High Ground (GXC-85); `sight:low_ground`: of Low Ground (GXC-86).
Operators see every event; "operators" below means they alone. Each summary begins with the audience.

What holds for folding:
- `joined`, `sight_set`, `player_removed`, `spy_expelled` and `players_out` say what a player may see from now on.
- Orders, the energized flag, sightings and strengths are those of the turn that the event names; with a later turn
  they are void, and no event says so for each of them. `turn_closed` voids all orders.
- `seq` never leaves operators (GXC-100): `order_numbered` and `battle_plan_numbered` carry it beside the team's event.
- Who voted how in a poll is the voter's own (`voted`, `vote_dropped`); the team gets `poll_counted`.
- While a turn is open an order is its team's. At the close `orders_revealed`, `order_voided`, `moved`, `battle`,
  `captured`, `moved_in` and `retreated` are public; energies stay the team's (`energies`).
- The sight of Low Ground shows of each player on High Ground the defence that would stand if the turn closed now: the
  `defend` of her order, without an order all her energy once she energized (GXC-39), else nothing. The sight of High
  Ground shows the attack part of the order of each player on Low Ground. Both whatever the order's move: she still
  stands there. A sighting is emitted only when what is seen changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from shared.rules import event_rows
from shared.rules.gxc.event_shapes import PART
from shared.rules.gxc.events_of_play import PLAY
from shared.rules.gxc.events_of_turn import TURN_EVENTS
from shared.rules.interface import EventType

T = TypeVar("T")

EVENTS: Mapping[str, EventType] = {**PLAY, **TURN_EVENTS}
"""All event types by name."""


def parts_of(entries: Sequence[T]) -> Iterator[tuple[int, int, Sequence[T]]]:
    """Cut entries into parts of GXC-104: part, parts, entries of the part."""
    return event_rows.parts_of(entries, PART)
