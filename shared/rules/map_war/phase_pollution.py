"""P6: pollution spreads, is emitted and absorbed, all zones at once (MAP-57 to MAP-59, MAP-88)."""

from collections.abc import Mapping, Sequence

from shared.rules.map_war.tables import AGRICULTURE, CITY, INDUSTRY, NOTHING_BUILT, PLACE, RESEARCH, row_of
from shared.rules.map_war.turn import Turn

_EMITTING = (INDUSTRY, AGRICULTURE)
_CLEANING = (CITY, RESEARCH)


def spread_pollution(turn: Turn) -> None:
    """MAP-57: the total stays as it is."""
    state = turn.state
    changes = spread(state.pollution, state.board.neighbours)
    moved = {zone: state.pollution[zone] + change for zone, change in changes.items() if change}
    turn.play.emit_by_zone("pollution_moved", "pollution", moved)


def emit_pollution(turn: Turn) -> None:
    """MAP-58: levels of the beginning; unless in debt of currency, or acquired in this turn."""
    state, emitted = turn.state, dict[int, int]()
    for zone, levels in enumerate(turn.levels):
        owner = state.owner[zone]
        if owner is None or levels == NOTHING_BUILT or turn.fresh(zone) or turn.stands_still(owner):
            continue
        units = sum(
            row_of(state.board.sea[zone], item, levels[PLACE[item]]).pollution
            for item in _EMITTING
            if levels[PLACE[item]]
        )
        if units:
            emitted[zone] = state.pollution[zone] + units
    turn.play.emit_by_zone("pollution_emitted", "pollution", emitted)


def absorb_pollution(turn: Turn) -> None:
    """MAP-59: never below 0; seas, and by the levels of the beginning cities and research."""
    state, absorbed = turn.state, dict[int, int]()
    for zone, units in enumerate(state.pollution):
        if units:
            taken = absorption(turn, zone)
            if taken:
                absorbed[zone] = max(0, units - taken)
    turn.play.emit_by_zone("pollution_absorbed", "pollution", absorbed)


def absorption(turn: Turn, zone: int) -> int:
    """Units that a zone absorbs in this turn."""
    state, levels = turn.state, turn.levels[zone]
    if state.board.sea[zone]:
        return 2 if state.owner[zone] is not None and turn.number % 2 == 0 else 1
    return sum(row_of(False, item, levels[PLACE[item]]).absorbs for item in _CLEANING if levels[PLACE[item]])


def spread(pollution: Sequence[int], neighbours: Sequence[Sequence[int]]) -> Mapping[int, int]:
    """MAP-57: zone -> change, of all zones at once from the values given; the changes add up to 0.

    Neighbours stand in canonical order, so that sorting by pollution alone keeps ids ascending.
    """
    changes: dict[int, int] = {}

    def by_pollution(zone: int) -> int:
        return pollution[zone]

    for zone, units in enumerate(pollution):
        if not units:
            continue
        cleaner = sorted((other for other in neighbours[zone] if pollution[other] < units), key=by_pollution)
        if not cleaner:
            continue
        each, more = divmod(units, len(cleaner))
        changes[zone] = changes.get(zone, 0) - units
        for number, other in enumerate(cleaner):
            changes[other] = changes.get(other, 0) + each + (number < more)
    return changes
