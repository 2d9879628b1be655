"""The Force data (section 3 of the rules): the numbers of each type, in the order of the table (FOR-13)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

TROOP, TANK, FACTORY = "troop", "tank", "factory"


class Force(NamedTuple):
    """What a type of Force costs and does: cost in credits, movement in steps a year, odds in percent (FOR-57)."""

    cost: int
    movement: int
    attack: int
    defense: int


DATA: Mapping[str, Force] = {
    TROOP: Force(cost=10, movement=1, attack=15, defense=30),
    TANK: Force(cost=15, movement=2, attack=50, defense=30),
    FACTORY: Force(cost=45, movement=0, attack=0, defense=0),
}
TYPES = tuple(DATA)
COMBAT = (TROOP, TANK)
"""Types that fight, block and take zones, in the order in which they roll (FOR-14, FOR-57)."""
NUMBER: Mapping[str, int] = {type_: number for number, type_ in enumerate(COMBAT)}
"""Combat type -> its place in the counts of a zone."""
COSTS = tuple(DATA[type_].cost for type_ in COMBAT)
MOVEMENT = tuple(DATA[type_].movement for type_ in COMBAT)
ATTACK = tuple(DATA[type_].attack for type_ in COMBAT)
DEFENSE = tuple(DATA[type_].defense for type_ in COMBAT)

MOST_FORCES = 50_000
"""Combat Forces that stand on a map at the start, and that all players together may have ordered: while a year with a
die for each is resolved, every other game of the process waits."""

Counts = Sequence[int]
"""Combat Forces of one seat in one zone, by type in the order of COMBAT."""
NONE: Counts = (0,) * len(COMBAT)
