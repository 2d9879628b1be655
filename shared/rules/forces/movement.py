"""Movement in two simultaneous sub-steps (section 10 of the rules, FOR-43)."""

from collections.abc import Sequence

from shared.rules.forces.orders import Item, Orders
from shared.rules.forces.play import Play
from shared.rules.forces.tables import NONE, NUMBER


def move(play: Play, orders: Orders) -> None:
    """FOR-50: first steps, stops, second steps; Forces that exchange two zones pass each other (FOR-52)."""
    _step(play, orders.moves, 1)
    _step(play, stop_at_foreign_forces(play, [item for item in orders.moves if len(item.given["path"]) > 1]), 2)


def stop_at_foreign_forces(play: Play, items: Sequence[Item]) -> list[Item]:
    """FOR-51: judged on the positions after sub-step 1; those that may take their second step are given back."""
    going_on = []
    for item in items:
        zone, given = item.given["path"][0], item.given
        if play.state.foreign_in(play.state.board.index[zone], item.seat):
            told = {"seat": item.seat, "item": item.number, "zone": zone}
            play.tell("stopped", {**told, "type": given["type"], "count": given["count"]})
        else:
            going_on.append(item)
    return going_on


def _step(play: Play, items: Sequence[Item], step: int) -> None:
    """One step of each move; nobody is stacked too high (FOR-54), and nothing is captured on the way (FOR-53).

    Most of what a year tells is told here, so the counts are set at once and not by the event.
    """
    state, tell = play.state, play.tell
    index, forces, set_count = state.board.index, state.forces, state.set_count
    for seat, item, given in items:
        path, type_, count = given["path"], given["type"], given["count"]
        source, goal = (given["from"] if step == 1 else path[step - 2]), path[step - 1]
        number, start, end = NUMBER[type_], index[source], index[goal]
        left = forces[start].get(seat, NONE)[number] - count
        there = forces[end].get(seat, NONE)[number] + count
        set_count(start, seat, number, left)
        set_count(end, seat, number, there)
        tell(
            "moved",
            {
                "seat": seat,
                "item": item,
                "step": step,
                "from": source,
                "to": goal,
                "type": type_,
                "count": count,
                "left": left,
                "there": there,
            },
        )
