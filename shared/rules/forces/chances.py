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
MOST_STATES = 4_000
"""Most results that are told apart; a larger combat is answered by expected hits alone."""
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
    groups = _groups(combat)
    states = 1
    for group in groups:
        states *= group.size + 1
    most = MOST_FORCES if _is_certain(combat) else MOST_FORCES_OF_MANY
    if states > MOST_STATES or sum(group.size for group in groups) > most:
        return None
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
    after: dict[Left, int] = {}
    standing = dict(weights)
    for number, chance in enumerate(hits):
        rest = step ** (len(hits) - 1 - number)
        for state, weight in standing.items():
            after[state] = after.get(state, 0) + weight * chance * rest
        if number + 1 < len(hits):
            standing = _one_hit(standing, seat, groups, combat, step)
    return after, factor


def _one_hit(
    standing: Mapping[Left, int], seat: int, groups: Sequence[Group], combat: Combat, step: int
) -> dict[Left, int]:
    """FOR-59: one Force of those exposed, each with the same weight; without any the hit is lost."""
    after: dict[Left, int] = {}
    for state, weight in standing.items():
        left = [group._replace(size=count) for group, count in zip(groups, state, strict=True) if count]
        exposed = exposed_to(seat, left, combat.owner, combat.casualty_rule)
        of = sum(group.size for group in exposed)
        if not of:
            after[state] = after.get(state, 0) + weight * step
            continue
        for group in exposed:
            hit = tuple(
                count - (known.seat == group.seat and known.type == group.type)
                for known, count in zip(groups, state, strict=True)
            )
            after[hit] = after.get(hit, 0) + weight * step * group.size // of
    return after
