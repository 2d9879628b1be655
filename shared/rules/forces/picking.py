"""Picking nations, one land zone after the other (section 6 of the rules)."""

from shared.rules.forces.board import counts_form
from shared.rules.forces.capitals import open_capitals
from shared.rules.forces.config import SNAKE, deadline_of
from shared.rules.forces.play import Play
from shared.rules.forces.state import ACTIVE, NOBODY, State
from shared.rules.forces.tables import NONE
from shared.rules.interface import Decision, Dice, Input, Refusal


def seat_at(state: State, pick_index: int) -> int:
    """FOR-24: whose pick this is, from 0; `source` goes 1..n once and then n..1, `snake` to and fro."""
    seats = len(state.seats)
    round_, position = divmod(pick_index, seats)
    forward = round_ % 2 == 0 if state.config.draft_pattern == SNAKE else round_ == 0
    return position + 1 if forward else seats - position


def pick_zone(state: State, command: Input, dice: Dice) -> Decision:
    """FOR-23."""
    zone, turn = state.board.index[command.payload["zone"]], seat_at(state, state.pick_index)
    if state.players[command.actor].seat != turn:
        return Refusal("not_your_pick", "FOR-23", f"seat {turn} picks now")
    if not state.board.land[zone]:
        return Refusal("water_zone", "FOR-23", "pick a land zone; water is never owned")
    if state.owner[zone] != NOBODY:
        return Refusal("zone_taken", "FOR-23", "pick a land zone that has no owner")
    return picked(state, zone, command.at, "player")


def picked(state: State, zone: int, at: int, by: str) -> Decision:
    """The pick that is open, and what opens behind it (FOR-19)."""
    play = Play(state)
    pick(play, zone, seat_at(state, state.pick_index), by)
    go_on(play, at)
    return play.events


def pick(play: Play, zone: int, seat: int, by: str) -> None:
    """FOR-25: what stands there by map data becomes the picker's, the first time (FOR-102)."""
    state = play.state
    forces = NONE if state.picked[zone] else state.board.start[zone]
    play.emit(
        "zone_picked",
        {
            "zone": state.board.ids[zone],
            "seat": seat,
            "pick_index": state.pick_index,
            "forces": counts_form(forces),
            "by": by,
        },
    )


def go_on(play: Play, at: int) -> None:
    """The next pick, or the capitals when no land zone is free (FOR-23, FOR-26)."""
    if play.state.free:
        open_pick(play, play.state.pick_index, at)
    else:
        open_capitals(play, at)


def open_pick(play: Play, pick_index: int, at: int) -> None:
    """Open the pick of the next active player from this position on; skipped turns count (FOR-101, FOR-102)."""
    state = play.state
    while play.player(seat_at(state, pick_index)).status != ACTIVE:
        pick_index += 1
    deadline = deadline_of(state.config.pick_hours, at)
    seat = seat_at(state, pick_index)
    play.emit("pick_opened", {"pick_index": pick_index, "seat": seat, "opened_at": at, "deadline": deadline})


def overdue_pick(state: State) -> int:
    """FOR-76: the free land zone with the highest income, of several the lowest id."""
    income = state.board.income
    free = (zone for zone in state.board.land_zones if state.owner[zone] == NOBODY)
    return min(free, key=lambda zone: (-income[zone], zone))
