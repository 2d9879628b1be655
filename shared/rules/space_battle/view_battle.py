"""Craft, mines, squares and moves as one viewer sees them (SPB-77 to SPB-79)."""

from collections.abc import Mapping

from shared.rules.interface import Json
from shared.rules.seeing import Kinds, some

CRAFT_FIELDS = ("side", "class", "col", "row", "shots_left", "damage", "alive")
MINE_FIELDS = ("side", "col", "row", "live")
MOVE_FIELDS = ("move_no", "side", "started_at", "moved", "shot", "forfeited")
SPENT, EXPLODED, SHIELD_DOWN, DESTROYED = "spent:", "mine:", "shield_down:", "destroyed:"


def craft_of(kinds: Kinds) -> dict[str, Json] | None:
    """All craft once the battle has started; before, those of deployments that the viewer may see (SPB-77)."""
    if "craft" in kinds:
        return {item.id: {"id": item.id, **some(item.fields, CRAFT_FIELDS)} for item in kinds["craft"]}
    if "deployment" not in kinds:
        return None
    return {
        name: {"id": name, "side": item.id, **some(craft, CRAFT_FIELDS), "damage": 0, "alive": True}
        for item in kinds["deployment"]
        for name, craft in item.fields["craft"].items()
    }


def mines_of(kinds: Kinds) -> dict[str, Json] | None:
    """All mines after the end; before, those of deployments that the viewer may see, spent or live (SPB-79)."""
    if "mine" in kinds:
        return {item.id: {"id": item.id, **some(item.fields, MINE_FIELDS)} for item in kinds["mine"]}
    if "deployment" not in kinds:
        return None
    return {
        name: {
            "id": name,
            "side": item.id,
            "col": mine["col"],
            "row": mine["row"],
            "live": f"{SPENT}{name}" not in item.fields,
        }
        for item in kinds["deployment"]
        for name, mine in item.fields.get("mines", {}).items()
    }


def squares_of(config: Mapping[str, Json], craft: Mapping[str, Json]) -> dict[str, Json]:
    """Every square as a place of a board: its neighbours in row and column, where it lies, and who stands on it."""
    columns, rows = config["columns"], config["rows"]
    taken = {(item["col"], item["row"]): item for item in craft.values() if item["alive"]}
    squares: dict[str, Json] = {}
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            name = square_id(column, row)
            around = ((column, row - 1), (column - 1, row), (column + 1, row), (column, row + 1))
            here = taken.get((column, row))
            squares[name] = {
                "name": name,
                "neighbours": sorted(square_id(x, y) for x, y in around if 1 <= x <= columns and 1 <= y <= rows),
                "centroid": {"x": column, "y": row},
                "owner": None if here is None else here["side"],
                "craft": None if here is None else here["id"],
            }
    return squares


def square_id(column: int, row: int) -> str:
    """A square as pages name it."""
    return f"{column}-{row}"


def move_of(fields: Mapping[str, Json]) -> dict[str, Json]:
    """One move: what was moved and fired, what exploded, whose shield fell, what was destroyed."""
    return {
        **some(fields, MOVE_FIELDS),
        "mines": [fields[name] for name in sorted(fields) if name.startswith(EXPLODED)],
        "shields_down": _named(fields, SHIELD_DOWN),
        "destroyed": _named(fields, DESTROYED),
    }


def _named(fields: Mapping[str, Json], prefix: str) -> list[Json]:
    return sorted(name.removeprefix(prefix) for name in fields if name.startswith(prefix))
