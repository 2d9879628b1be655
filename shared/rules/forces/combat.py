"""One round of combat in every contested zone (section 11 of the rules, FOR-44)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shared.dice import Draws
from shared.rules.forces.config import CHEAPEST, DEFENSE_ODDS, OWNER_FIRST
from shared.rules.forces.play import Play
from shared.rules.forces.state import NOBODY
from shared.rules.forces.tables import ATTACK, COMBAT, COSTS, DEFENSE, Counts
from shared.rules.interface import Json, Resolution

SIDES = 100
"""FOR-57: a roll is `int(100)`."""


class Group(NamedTuple):
    """The Forces of one type that a seat has in a zone."""

    seat: int
    type: int
    size: int


class Target(NamedTuple):
    """Whose Force a hit removes, out of `of`; `pick` is the number drawn among them, None where nothing was drawn."""

    group: Group
    of: int
    pick: int | None


def fight(play: Play, resolution: Resolution, year: int) -> None:
    """FOR-55: exactly one round a year in each zone with combat Forces of two or more players."""
    for zone, held in enumerate(play.state.forces):
        if len(held) > 1:
            _fight_in(play, zone, resolution, year)


def _fight_in(play: Play, zone: int, resolution: Resolution, year: int) -> None:
    """FOR-58: all rolls first, with the Forces before any casualty; hits are assigned afterwards, in roll order."""
    scope = f"combat:{play.state.board.ids[zone]}"
    stream = resolution.stream(scope)
    hits = _roll(play, zone, stream, scope, year)
    _assign(play, zone, hits, stream, scope, year)


def groups_in(forces: Mapping[int, Counts]) -> list[Group]:
    """FOR-57: seats ascending, troops before tanks; those with any Force."""
    return [Group(seat, type_, count) for seat in sorted(forces) for type_, count in enumerate(forces[seat]) if count]


def odds_of(owner: int, seat: int, neutral_odds: str) -> Counts:
    """Odds of a seat's Forces by type: defense odds for the owner, attack odds for others (FOR-56)."""
    if owner == NOBODY:
        return DEFENSE if neutral_odds == DEFENSE_ODDS else ATTACK
    return DEFENSE if owner == seat else ATTACK


def _roll(play: Play, zone: int, stream: Draws, scope: str, year: int) -> list[int]:
    """FOR-57: one roll a Force. The seats that hit, in roll order."""
    state, hits, number, draw = play.state, [], 0, stream.int
    id_, owner, neutral_odds = state.board.ids[zone], state.owner[zone], state.config.neutral_odds
    told: list[dict[str, Json]] = []
    for seat, type_, size in groups_in(state.forces[zone]):
        name, odds = COMBAT[type_], odds_of(owner, seat, neutral_odds)[type_]
        for _ in range(size):
            number += 1
            r = draw(SIDES)
            hit = r < odds
            if hit:
                hits.append(seat)
            told.append(
                {
                    "scope": scope,
                    "draws": 1,
                    "year": year,
                    "zone": id_,
                    "number": number,
                    "seat": seat,
                    "type": name,
                    "r": r,
                    "odds": odds,
                    "hit": hit,
                }
            )
    play.tell_all("combat_roll", told)
    return hits


def _assign(play: Play, zone: int, hits: Sequence[int], stream: Draws, scope: str, year: int) -> None:
    """FOR-59: each hit removes one opposing combat Force not yet removed; without a target it is lost."""
    state, number = play.state, 0
    owner, rule = state.owner[zone], state.config.casualty_rule
    groups = groups_in(state.forces[zone])
    for by in hits:
        exposed = exposed_to(by, groups, owner, rule)
        if not exposed:
            continue
        number += 1
        target = _target(exposed, stream, rule)
        drawn, hit = target.pick is not None, target.group
        play.emit(
            "casualty",
            {
                "scope": scope if drawn else None,
                "draws": 1 if drawn else 0,
                "year": year,
                "zone": state.board.ids[zone],
                "number": number,
                "by": by,
                "seat": hit.seat,
                "type": COMBAT[hit.type],
                "of": target.of,
                "pick": target.pick,
                "left": hit.size - 1,
            },
        )
        groups = [_less_one(group) if group is hit else group for group in groups if group is not hit or hit.size > 1]


def _less_one(group: Group) -> Group:
    return Group(group.seat, group.type, group.size - 1)


def exposed_to(by: int, groups: Sequence[Group], owner: int, casualty_rule: str) -> list[Group]:
    """The Forces among which a hit of a seat finds its target (FOR-59, FOR-107).

    Of `cheapest` they are the one group that is hit.
    """
    others = [group for group in groups if group.seat != by]
    if casualty_rule == CHEAPEST:
        return sorted(others, key=_by_cost)[:1]
    if casualty_rule == OWNER_FIRST and by != owner:
        owners = [group for group in others if group.seat == owner]
        return owners or others
    return others


def _by_cost(group: Group) -> tuple[int, int]:
    return COSTS[group.type], group.seat


def _target(exposed: Sequence[Group], stream: Draws, casualty_rule: str) -> Target:
    """`pick` over the single Forces, in the order of the groups; one alone needs no draw (ENG-6)."""
    of = sum(group.size for group in exposed)
    if of == 1 or casualty_rule == CHEAPEST:
        return Target(exposed[0], of, None)
    pick = rest = stream.int(of)
    for group in exposed:
        if rest < group.size:
            return Target(group, of, pick)
        rest -= group.size
    raise ValueError(f"a draw among {of} was {pick}")
