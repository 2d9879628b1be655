"""Who owns a zone after combat (section 12 of the rules, FOR-45)."""

from collections.abc import Iterable

from shared.rules.forces.play import Play
from shared.rules.forces.state import NOBODY


def take_over(play: Play, zones: Iterable[int]) -> None:
    """FOR-60, the rows of its table in order; a zone without foreign combat Forces stays as it is (FOR-61)."""
    state = play.state
    for zone in zones:
        present, owner = state.forces[zone], state.owner[zone]
        if owner in present or not present:
            continue
        if len(present) == 1:
            give(play, zone, next(iter(present)))
        elif owner != NOBODY:
            play.emit("zone_neutral", {"zone": state.board.ids[zone], "from": owner})


def give(play: Play, zone: int, seat: int) -> None:
    """The zone goes to a seat, and its factory with it (FOR-62)."""
    state = play.state
    data = {"zone": state.board.ids[zone], "seat": seat, "from": state.owner[zone] or None}
    play.emit("zone_taken", data)
    if state.factory[zone]:
        play.emit("factory_captured", data)
