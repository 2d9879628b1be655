"""Odds of one round of combat (FOR-55 to FOR-61), exact: weights of what is left, over one denominator.

The hits of each seat are binomial: their weights over 100 to the power of its Forces come by convolution. Seats then
remove Forces one hit after the other, in roll order; as nobody's hits depend on what was removed (FOR-58), all of one
seat's can be taken together. With `random` and `owner_first` each single Force is equally exposed, so that the number
of Forces a seat has left is all that there is to know; `cheapest` keeps apart the types.
"""

from collections.abc import Mapping, Sequence
from math import gcd, lcm
from typing import NamedTuple

from shared.rules.chance import Chance
from shared.rules.forces.combat import SIDES, Group, exposed_to, groups_in, odds_of
from shared.rules.forces.config import CHEAPEST
from shared.rules.forces.state import NOBODY
from shared.rules.forces.tables import Counts

Left = tuple[int, ...]
"""What is left of each group."""
MOST_WORK = 4_100_000
MOST_WORK_OF_MANY = 150_000
"""Most steps (`_work`) of an answer, some 30 ms of them; a larger combat is answered by expected hits alone. Steps
where a hit may find several seats take longer, as numbers are longer."""
MOST_FORCES = 200
MOST_FORCES_OF_MANY = 30
"""Most Forces where a hit may find several seats: the denominator grows with each of their shares."""


class Combat(NamedTuple):
    """A zone with its owner or NOBODY, the combat Forces in it by seat, and the readings of the game."""

    owner: int
    forces: Mapping[int, Counts]
    neutral_odds: str
    casualty_rule: str


class Outcome(NamedTuple):
    """Chances of who has Forces left, by seats, and the common denominator of the weights."""

    weights: Mapping[tuple[int, ...], int]
    denominator: int

    def of(self, *seats: int) -> Chance:
        """That just these have Forces left."""
        return self.chance(self.weights.get(seats, 0))

    def chance(self, weight: int) -> Chance:
        common = gcd(weight, self.denominator)
        return Chance(weight // common, self.denominator // common)


def expected_hits(combat: Combat, seat: int) -> int:
    """Hits of a seat on average, in hundredths."""
    odds = odds_of(combat.owner, seat, combat.neutral_odds)
    return sum(count * odd for count, odd in zip(combat.forces[seat], odds, strict=True))


def outcome_of(combat: Combat) -> Outcome | None:
    """Exact chances of who is left after the round; None where there is too much to tell apart."""
    certain = _is_certain(combat)
    if sum(map(sum, combat.forces.values())) > (MOST_FORCES if certain else MOST_FORCES_OF_MANY):
        return None
    if _work(combat) > (MOST_WORK if certain else MOST_WORK_OF_MANY):
        return None
    groups = _groups(combat)
    start: Left = tuple(group.size for group in groups)
    weights: dict[Left, int] = {start: 1}
    denominator = 1
    for seat in sorted(combat.forces):
        hits, scale = _hits_of(combat, seat), SIDES ** sum(combat.forces[seat])
        weights, factor = _removed(weights, hits, seat, groups, combat)
        denominator *= scale * factor
    left: dict[tuple[int, ...], int] = {}
    for state, weight in weights.items():
        seats = tuple(sorted({group.seat for group, count in zip(groups, state, strict=True) if count}))
        left[seats] = left.get(seats, 0) + weight
    return Outcome(left, denominator)


def _work(combat: Combat) -> int:
    """Hits times seats times results: of a seat the cheaper go first or types do not matter, so that each number of
    Forces that it has left is one result."""
    sizes = [sum(counts) for counts in combat.forces.values()]
    states = 1
    for size in sizes:
        states *= size + 1
    return sum(sizes) * len(sizes) * states


def owners_after(combat: Combat, outcome: Outcome) -> dict[int, Chance]:
    """Owner or NOBODY -> chance that the zone is hers after the takeover (FOR-60)."""
    weights: dict[int, int] = {}
    for seats, weight in outcome.weights.items():
        owner = combat.owner
        if seats and owner not in seats:
            owner = seats[0] if len(seats) == 1 else NOBODY
        weights[owner] = weights.get(owner, 0) + weight
    return {owner: outcome.chance(weights[owner]) for owner in sorted(weights)}


def _groups(combat: Combat) -> list[Group]:
    """Types apart where they matter to who is hit, else all Forces of a seat together."""
    groups = groups_in(combat.forces)
    if combat.casualty_rule == CHEAPEST:
        return groups
    return [Group(seat, 0, sum(combat.forces[seat])) for seat in sorted(combat.forces)]


def _is_certain(combat: Combat) -> bool:
    """Whether a hit finds its group without a choice."""
    return combat.casualty_rule == CHEAPEST or len(combat.forces) <= 2


def _hits_of(combat: Combat, seat: int) -> list[int]:
    """Weight of each number of hits, over 100 to the power of the seat's Forces (FOR-57)."""
    weights = [1]
    odds = odds_of(combat.owner, seat, combat.neutral_odds)
    for count, odd in zip(combat.forces[seat], odds, strict=True):
        for _ in range(count):
            missed = [weight * (SIDES - odd) for weight in weights] + [0]
            for number, weight in enumerate(weights):
                missed[number + 1] += weight * odd
            weights = missed
    return weights


def _removed(
    weights: Mapping[Left, int], hits: Sequence[int], seat: int, groups: Sequence[Group], combat: Combat
) -> tuple[dict[Left, int], int]:
    """What is left after the hits of one seat: weights, and the factor by which the denominator has grown."""
    most = sum(group.size for group in groups if group.seat != seat)
    step = 1 if _is_certain(combat) else lcm(*range(1, most + 1))
    factor = step ** (len(hits) - 1)
    exposed = _Exposed(seat, groups, combat)
    after: dict[Left, int] = {}
    standing = dict(weights)
    for number, chance in enumerate(hits):
        weight_of_hits = chance * step ** (len(hits) - 1 - number)
        for state, weight in standing.items():
            after[state] = after.get(state, 0) + weight * weight_of_hits
        if number + 1 < len(hits):
            standing = _one_hit(standing, exposed, step)
    return after, factor


class _Exposed:
    """Places of the groups that a hit of a seat may find (FOR-59): they depend on which groups are left alone."""

    def __init__(self, seat: int, groups: Sequence[Group], combat: Combat) -> None:
        self._seat, self._groups, self._combat = seat, groups, combat
        self._known: dict[tuple[bool, ...], Sequence[int]] = {}

    def places(self, state: Left) -> Sequence[int]:
        left = tuple(map(bool, state))
        found = self._known.get(left)
        if found is None:
            groups = [group for group, some in zip(self._groups, left, strict=True) if some]
            exposed = exposed_to(self._seat, groups, self._combat.owner, self._combat.casualty_rule)
            found = self._known[left] = [self._groups.index(group) for group in exposed]
        return found


def _one_hit(standing: Mapping[Left, int], exposed: _Exposed, step: int) -> dict[Left, int]:
    """FOR-59: one Force of those exposed, each with the same weight; without any the hit is lost."""
    after: dict[Left, int] = {}
    for state, weight in standing.items():
        places = exposed.places(state)
        whole = weight * step
        if not places:
            after[state] = after.get(state, 0) + whole
            continue
        of = sum([state[place] for place in places])
        for place in places:
            size = state[place]
            hit = (*state[:place], size - 1, *state[place + 1 :])
            after[hit] = after.get(hit, 0) + whole * size // of
    return after
