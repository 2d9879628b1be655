"""Movement in two simultaneous sub-steps (section 10 of the rules, FOR-43)."""

from collections.abc import Iterable, Sequence
from typing import Any

from shared.rules.forces.orders import Move, Orders
from shared.rules.forces.play import Play
from shared.rules.forces.tables import NONE, NUMBER


def move(play: Play, orders: Orders) -> None:
    """FOR-50: first steps, stops, second steps; Forces that exchange two zones pass each other (FOR-52)."""
    _step(play, orders.moves(), 1)
    _step(play, stop_at_foreign_forces(play, [item for item in orders.moves() if len(item[2]["path"]) > 1]), 2)


def stop_at_foreign_forces(play: Play, moves: Sequence[Move]) -> list[Move]:
    """FOR-51: judged on the positions after sub-step 1; those that may take their second step are given back."""
    going_on = []
    for item in moves:
        seat, number, given = item
        zone = given["path"][0]
        if play.state.foreign_in(play.state.board.index[zone], seat):
            told = {"seat": seat, "item": number, "zone": zone}
            play.tell("stopped", {**told, "type": given["type"], "count": given["count"]})
        else:
            going_on.append(item)
    return going_on


def _step(play: Play, moves: Iterable[Move], step: int) -> None:
    """One step of each move; nobody is stacked too high (FOR-54), and nothing is captured on the way (FOR-53).

    Most of what a year tells is told here, so the counts are changed in place and not by the event.
    """
    held = dict(zip(play.state.board.ids, play.state.forces, strict=True))
    told: list[dict[str, Any]] = []
    for seat, item, given in moves:
        path, type_, count = given["path"], given["type"], given["count"]
        source, goal = (given["from"], path[0]) if step == 1 else (path[step - 2], path[step - 1])
        number = NUMBER[type_]
        here, beyond = held[source], held[goal]
        counts = here.get(seat) or here.setdefault(seat, list(NONE))
        left = counts[number] = counts[number] - count
        if not left and not any(counts):
            del here[seat]
        counts = beyond.get(seat) or beyond.setdefault(seat, list(NONE))
        there = counts[number] = counts[number] + count
        told.append(
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
            }
        )
    play.tell_all("moved", told)
