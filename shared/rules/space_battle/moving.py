"""A displacement: its checks in their order, and its way, square by square (SPB-36 to SPB-41, SPB-74)."""

from typing import NamedTuple

from shared.rules.interface import Refusal
from shared.rules.space_battle.board import Square, distance, is_straight, path
from shared.rules.space_battle.config import DESTROY
from shared.rules.space_battle.hits import destroy, explode, hit
from shared.rules.space_battle.play import Play
from shared.rules.space_battle.state import Craft, State


def refusal_of_turn(state: State, side: str | None) -> Refusal | None:
    """SPB-38, SPB-42: the first check of each part of a move; hers whose move has just lapsed is late (SPB-103)."""
    if side == state.to_move:
        return None
    if state.lapsed:
        return Refusal("deadline_passed", "SPB-57", "your move has lapsed; the other side has the move now")
    return Refusal("not_your_move", "SPB-33", f"side {state.to_move} has the move; wait until it is over")


def refusal_of_craft(craft: Craft, side: str | None) -> Refusal | None:
    """SPB-38, SPB-42: an own craft that is not destroyed."""
    if craft.side != side:
        return Refusal(
            "not_your_craft", "SPB-34", f"{craft.id} is not yours; choose a craft whose id begins with {side}:"
        )
    if not craft.alive:
        return Refusal("destroyed", "SPB-38", f"{craft.id} is destroyed; choose a living craft")
    return None


def refusal_of_move(state: State, side: str | None, craft: Craft, to: Square) -> Refusal | None:
    """SPB-38; None for a legal displacement. Mines are no obstacle, wherever they lie."""
    if refusal := refusal_of_turn(state, side):
        return refusal
    if state.moved_this_move:
        return Refusal("already_moved", "SPB-34", "one craft is moved a move; fire, or end the move")
    return refusal_of_craft(craft, side) or refusal_of_path(state, craft, to)


def refusal_of_path(state: State, craft: Craft, to: Square) -> Refusal | None:
    """SPB-36, SPB-37: everything about the way, in the order of SPB-38."""
    config, kind = state.config, craft.kind
    if to == craft.at:
        return Refusal("same_square", "SPB-36", f"{craft.id} stands on {list(to)}; move it to another square")
    if not (1 <= to[0] <= config.columns and 1 <= to[1] <= config.rows):
        told = f"to must lie in the columns 1 to {config.columns} and the rows 1 to {config.rows}"
        return Refusal("off_grid", "SPB-53", told)
    if not is_straight(craft.at, to):
        told = f"to must lie on the row, the column or a diagonal of {list(craft.at)}"
        return Refusal("not_straight", "SPB-36", told)
    if distance(craft.at, to) > kind.move:
        return Refusal("too_far", "SPB-36", f"a {kind.id} moves at most {kind.move} squares")
    taken = state.square
    for square in path(craft.at, to):
        if square in taken:
            return Refusal("blocked", "SPB-37", f"no craft may stand on the path; one stands on {list(square)}")
    return None


class Way(NamedTuple):
    """The squares that a craft enters, the last of which is where it ends."""

    squares: list[Square]
    survives: bool


def way_of(state: State, craft: Craft, to: Square) -> Way:
    """SPB-40, SPB-105: how far the craft comes before a mine destroys it."""
    squares = path(craft.at, to)
    mined, config = state.mined, state.config
    if not mined:
        return Way(squares, True)
    damage = craft.damage
    for number, square in enumerate(squares, 1):
        for _ in mined.get(square, ()):
            if config.mine_effect == DESTROY or damage > craft.kind.shield:
                return Way(squares[:number], False)
            damage += config.mine_power
    return Way(squares, True)


def displace(play: Play, craft: Craft, to: Square) -> None:
    """SPB-74: the craft enters square after square; mines explode, and an end of the battle ends it all."""
    way = way_of(play.state, craft, to)
    mined = [(square, mines) for square in way.squares if (mines := play.state.mined.get(square))]
    data = {
        "move_no": play.state.move_no,
        "side": craft.side,
        "craft": craft.id,
        "from": [*craft.at],
        "path": [[*square] for square in way.squares],
    }
    play.emit("craft_moved", data)
    for square, mines in mined:
        explode(play, craft.id, square)
        if play.state.config.mine_effect == DESTROY:
            destroy(play, craft.id)  # SPB-40: on that square, and the displacement ends there
            return
        for _ in mines:
            hit(play, craft.id, play.state.config.mine_power)
