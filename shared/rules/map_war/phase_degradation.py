"""P7: structures whose technology is missing lose a level (MAP-73, MAP-89, MAP-112)."""

from shared.rules.map_war.state import BARBARIANS
from shared.rules.map_war.tables import BY_NAME, NOTHING_BUILT, PLACE, row_of
from shared.rules.map_war.turn import Turn


def degrade(turn: Turn) -> None:
    """With the technology reached in P5; Barbaria and zones acquired in this turn are exempt."""
    state = turn.state
    for zone, levels in enumerate(state.levels):
        owner = state.owner[zone]
        if owner is None or owner == BARBARIANS or levels == NOTHING_BUILT or turn.fresh(zone):
            continue
        technology = state.nations[owner].stocks.technology
        for structure in BY_NAME:
            level = levels[PLACE[structure]]
            if level and row_of(state.board.sea[zone], structure, level).needs > technology:
                data = {"zone": state.board.ids[zone], "structure": structure, "level": level - 1}
                turn.play.emit("degraded", data)
                if structure in state.building.get(zone, {}):
                    lost = {"zone": state.board.ids[zone], "structure": structure, "reason": "degraded"}
                    turn.play.emit("construction_lost", lost)
