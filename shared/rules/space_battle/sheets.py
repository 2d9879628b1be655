"""What the page of a game shows besides the grid, from what its viewer sees (SPB-77 to SPB-79).

Everybody sees craft and moves once the battle runs; a player her deployment before, her mines, and whom she may fire
at.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.rules.interface import Column, Json, Sentence, Sheet, Sheets
from shared.rules.space_battle.advise import targets_of
from shared.rules.space_battle.state import RUNNING
from shared.rules.space_battle.table_view import state_of
from shared.rules.space_battle.view_battle import square_id

View = Mapping[str, Any]
Row = dict[str, Json]

MOST_MOVES = 60
KINDS = ("game", "player", "challenge", "craft", "deployment", "mine", "move")


def _column(heading: str, text: str, **absent: Json) -> Column:
    """A column of one text; empty where the data is as in `absent`."""
    sentences = (Sentence(text),)
    return Column(heading, (Sentence("", absent), *sentences) if absent else sentences)


CRAFT: Sequence[Column] = (
    _column("Craft", "{id}"),
    _column("Of", "{side:team}"),
    _column("Class", "{class}"),
    _column("Square", "{square:place}"),
    _column("Damage", "{damage}"),
    _column("Shield", "{shield}"),
    _column("Shots left", "{shots_left}"),
    Column("", (Sentence("", {"alive": True}), Sentence("destroyed"))),
)
MINES: Sequence[Column] = (
    _column("Mine", "{id}"),
    _column("Of", "{side:team}"),
    _column("Square", "{square:place}"),
    Column("", (Sentence("live", {"live": True}), Sentence("exploded"))),
)
TARGETS: Sequence[Column] = (
    _column("Your craft", "{craft}"),
    _column("At", "{target}"),
    _column("Hits", "{hit}"),
    _column("Distance", "{distance}"),
    _column("Damage", "{damage}"),
    Column(
        "",
        (Sentence("destroys it", {"destroys": True}), Sentence("brings its shield down", {"down": True}), Sentence("")),
    ),
)
CLOCK: Sequence[Column] = (
    _column("Move", "{move_no}"),
    _column("Of", "{to_move:team}"),
    _column("Ends on", "{move_deadline:time}"),
    Column("", (Sentence("a craft was moved", {"moved_this_move": True}), Sentence(""))),
)
CHALLENGES: Sequence[Column] = (
    _column("Challenge", "{id}"),
    _column("By", "{challenger:player}"),
    _column("Of", "{challenged:player}"),
    _column("Status", "{status}"),
    _column("Craft", "{number}", number=None),
    _column("Proposed", "{proposed_time:time}", proposed_time=None),
    _column("Starts", "{start_time:time}", start_time=None),
)
MOVES: Sequence[Column] = (
    _column("Move", "{move_no}"),
    _column("Of", "{side:team}"),
    _column("Moved", "{moved}"),
    _column("Fired", "{shot}"),
    _column("Mines", "{mines}"),
    _column("Shields down", "{shields_down}"),
    _column("Destroyed", "{destroyed}"),
    Column("", (Sentence("time over", {"forfeited": True}), Sentence(""))),
)


def _sheets(view: View) -> list[Sheet]:
    made: list[Sheet] = []
    side = view.get("you", {}).get("side")
    if view["phase"] == RUNNING:
        made.append(Sheet("clock", "The move", CLOCK, [_clock(view)]))
    if view["phase"] == RUNNING and side is not None:
        made.append(Sheet("targets", "What you may fire at", TARGETS, _targets(view, side)))
    made.append(Sheet("craft", "Spacecraft", CRAFT, [_craft(view, item) for item in view.get("craft", {}).values()]))
    made.append(Sheet("mines", "Mines", MINES, [_mine(item) for item in view.get("mines", {}).values()]))
    made.append(Sheet("challenges", "Challenges", CHALLENGES, [*view.get("challenges", {}).values()]))
    moves = sorted(view.get("moves", {}).values(), key=_by_number, reverse=True)
    shown = [_move(move) for move in moves[:MOST_MOVES]]
    made.append(Sheet("moves", "Moves, the last one first", MOVES, shown, max(0, len(moves) - MOST_MOVES)))
    return made


def _by_number(move: View) -> int:
    number: int = move["move_no"]
    return number


def _clock(view: View) -> Row:
    return {name: view[name] for name in ("move_no", "to_move", "move_deadline", "moved_this_move")}


def _craft(view: View, item: View) -> Row:
    square, shield = square_id(item["col"], item["row"]), view["config"]["classes"][item["class"]]["shield"]
    return {**item, "square": square, "shield": shield}


def _mine(item: View) -> Row:
    return {**item, "square": square_id(item["col"], item["row"])}


def _targets(view: View, side: str) -> list[Row]:
    """Shots that are allowed, by own craft (SPB-42)."""
    state = state_of(view)
    rows: list[Row] = []
    for craft in state.living(side):
        for target, told in targets_of(state, craft).items():
            if told["allowed"]:
                row = {name: told[name] for name in ("hit", "distance", "damage", "destroys")}
                rows.append({"craft": craft.id, "target": target, "down": told["shield_down"], **row})
    return rows


def _move(move: View) -> Row:
    moved, shot = move.get("moved"), move.get("shot")
    return {
        "move_no": move["move_no"],
        "side": move["side"],
        "moved": "" if moved is None else f"{moved['craft']} {_square(moved['from'])} to {_square(moved['path'][-1])}",
        "shot": "" if shot is None else f"{shot['from']} at {shot['target']}: {shot['hit']} {shot['damage']}",
        "mines": ", ".join(f"{item['count']} on {_square(item['square'])}" for item in move["mines"]),
        "shields_down": ", ".join(move["shields_down"]),
        "destroyed": ", ".join(move["destroyed"]),
        "forfeited": move.get("forfeited", False),
    }


def _square(square: Sequence[int]) -> str:
    column, row = square
    return square_id(column, row)


SHEETS = Sheets(KINDS, _sheets)
