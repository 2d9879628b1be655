"""P4: constructions are cancelled and begun, and running ones paid for (MAP-29 to MAP-33, MAP-86, MAP-109)."""

from collections.abc import Mapping
from typing import Any

from shared.rules.map_war.items import fault_of_build, fault_of_cover, first_cost
from shared.rules.map_war.play import Entry
from shared.rules.map_war.tables import PLACE, Price, instalment, row_of
from shared.rules.map_war.turn import Turn


def cancel_constructions(turn: Turn) -> None:
    """MAP-33, MAP-109: before anything is paid; one that was lost with its zone is gone already."""
    for nation, submission in turn.submissions():
        for item in submission["cancels"]:
            zone = turn.state.board.index[item["zone"]]
            if turn.state.owner[zone] == nation and item["structure"] in turn.state.building.get(zone, {}):
                data = {"zone": item["zone"], "structure": item["structure"], "reason": "cancelled"}
                turn.play.emit("construction_lost", data)


def start_constructions(turn: Turn) -> None:
    """MAP-86, in the order of submissions and lists."""
    for nation, submission in turn.submissions():
        for number, item in enumerate(submission["builds"]):
            _start(turn, nation, f"builds.{number}", item)


def pay_instalments(turn: Turn) -> None:
    """MAP-31, MAP-86: of constructions that began earlier; compulsory, whatever currency is left."""
    for zone in sorted(turn.state.building):
        for structure in sorted(turn.state.building[zone]):
            if (zone, structure) not in turn.started:
                _pay(turn, zone, structure, 0)


def _start(turn: Turn, nation: str, place: str, item: Mapping[str, Any]) -> None:
    state, structure = turn.state, item["structure"]
    zone = state.board.index[item["zone"]]
    found = fault_of_build(state, nation, zone, structure, named_before=False)
    if found is None:
        stocks, cost = state.nations[nation].stocks, first_cost(state, zone, structure)
        found = fault_of_cover(cost, stocks.currency, stocks.resources)
    if found is not None:
        turn.fail(nation, place, found.code)
        return
    level = state.levels[zone][PLACE[structure]] + 1
    steps = row_of(state.board.sea[zone], structure, level).turns
    data = {"nation": nation, "zone": item["zone"], "structure": structure, "level": level, "steps": steps}
    turn.play.emit("construction_started", data)
    turn.started.add((zone, structure))
    _pay(turn, zone, structure, cost.resources)


def _pay(turn: Turn, zone: int, structure: str, resources: int) -> None:
    state = turn.state
    nation = state.owner[zone]
    if nation is None:
        return
    begun = state.building[zone][structure]
    step = begun.step + 1
    row = row_of(state.board.sea[zone], structure, begun.level)
    cost = Price(instalment(row.cost, step, begun.steps), resources)
    data = {
        "nation": nation,
        "zone": state.board.ids[zone],
        "structure": structure,
        "step": step,
        "steps": begun.steps,
        "cost": cost._asdict(),
    }
    turn.play.emit_with_ledger(
        "instalment_paid", data, [Entry(nation, "construction", -cost.currency, -cost.resources)]
    )
