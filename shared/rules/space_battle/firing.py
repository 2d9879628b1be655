"""A shot: its checks in their order, its line, and what it hits (SPB-42 to SPB-48, SPB-75)."""

from typing import NamedTuple

from shared.rules.interface import Refusal
from shared.rules.space_battle.board import Square, direction, distance, is_straight
from shared.rules.space_battle.config import REJECT
from shared.rules.space_battle.hits import explode, hit
from shared.rules.space_battle.moving import refusal_of_craft, refusal_of_turn
from shared.rules.space_battle.play import Play
from shared.rules.space_battle.state import Craft, State


def refusal_of_shot(state: State, side: str | None, craft: Craft, target: Craft) -> Refusal | None:
    """SPB-42; None for a legal shot."""
    return refusal_of_turn(state, side) or refusal_of_craft(craft, side) or refusal_of_aim(state, craft, target)


def refusal_of_aim(state: State, craft: Craft, target: Craft) -> Refusal | None:
    """SPB-42 to SPB-48: shots, target and line. The target may be of either side."""
    if craft.shots_left < 1:
        return Refusal("no_shots", "SPB-48", f"{craft.id} has no shots left; fire from another craft")
    if craft.id == target.id:
        return Refusal("self_target", "SPB-42", "a craft fires at another one")
    if not target.alive:
        return Refusal("unknown_target", "SPB-107", f"{target.id} is destroyed; aim at a living craft")
    if not is_straight(craft.at, target.at):
        told = f"{target.id} on {list(target.at)} must be on the row, the column or a diagonal of {list(craft.at)}"
        return Refusal("not_aligned", "SPB-43", told)
    reach = distance(craft.at, target.at)
    if state.config.out_of_range == REJECT and state.damages[craft.kind.id][reach] < 1:
        told = f"a shot of {craft.id} does no damage at the distance {reach}; come nearer"
        return Refusal("out_of_range", "SPB-47", told)
    return None


class Shot(NamedTuple):
    """What a shot does: the craft that it hits, how far that is, the damage, and the squares that it passes."""

    hit: Craft
    distance: int
    damage: int
    passed: list[Square]


def shot_of(state: State, craft: Craft, target: Craft) -> Shot:
    """SPB-44 to SPB-46: the first living craft on the line is hit, friend or foe, with its own distance."""
    (across, down), taken = direction(craft.at, target.at), state.square
    column, row = craft.at
    passed: list[Square] = []
    while True:
        column, row = column + across, row + down
        if (column, row) in taken:
            break
        passed.append((column, row))
    found = state.craft[taken[column, row]]
    reach = len(passed) + 1
    return Shot(found, reach, state.damages[craft.kind.id][reach], passed)


def shoot(play: Play, craft: Craft, target: Craft) -> None:
    """SPB-75, SPB-48: one shot is used, whatever it does; with `shots_detonate_mines` mines go up before the hit."""
    shot = shot_of(play.state, craft, target)
    play.emit(
        "shot_fired",
        {
            "move_no": play.state.move_no,
            "side": craft.side,
            "from": craft.id,
            "target": target.id,
            "hit": shot.hit.id,
            "distance": shot.distance,
            "damage": shot.damage,
            "shots_left": craft.shots_left - 1,
        },
    )
    if play.state.config.shots_detonate_mines:  # SPB-105: without effect, and the shot flies on
        for square in shot.passed:
            if square in play.state.mined:
                explode(play, craft.id, square)
    hit(play, shot.hit.id, shot.damage)
