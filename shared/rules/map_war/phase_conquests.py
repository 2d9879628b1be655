"""P3: claims and conquests, nation by nation in the order of their submissions (MAP-37 to MAP-50, MAP-85, MAP-109)."""

from collections.abc import Mapping
from typing import Any

from shared.rules.interface import Refusal
from shared.rules.map_war.config import CAPTURED
from shared.rules.map_war.costs import adjacent, claim_rows, conquest_rows, total
from shared.rules.map_war.items import fault_of_cover
from shared.rules.map_war.owners import lose_constructions
from shared.rules.map_war.phase_moves import relocate
from shared.rules.map_war.play import Entry
from shared.rules.map_war.state import NPC
from shared.rules.map_war.support import Support, support_of
from shared.rules.map_war.tables import MOST_ARMIES, Price
from shared.rules.map_war.turn import Turn

_TAKEN_FIRST = "zone_taken_first"


def claims_and_conquests(turn: Turn) -> None:
    """MAP-47: first the claims of a nation, then its conquests (MAP-109)."""
    for nation, submission in turn.submissions():
        for number, item in enumerate(submission["claims"]):
            _claim(turn, nation, f"claims.{number}", turn.state.board.index[item])
        busy = {item["piece"] for item in submission["moves"]}
        for number, item in enumerate(submission["conquests"]):
            _conquer(turn, nation, f"conquests.{number}", item, busy)


def _claim(turn: Turn, nation: str, place: str, zone: int) -> None:
    """MAP-22, MAP-23."""
    state = turn.state
    if state.owner[zone] is not None:
        turn.fail(nation, place, _TAKEN_FIRST)
        return
    cost = total(claim_rows(state.config, state.board, zone, adjacent(state.board, turn.held, nation, zone)))
    if _covered(turn, nation, place, cost):
        data = {"nation": nation, "zone": state.board.ids[zone], "cost": cost._asdict(), "turn": turn.number}
        turn.play.emit_with_ledger("zone_claimed", data, [_paid(nation, "claim", cost)])


def _conquer(turn: Turn, nation: str, place: str, item: Mapping[str, Any], busy: set[int]) -> None:
    """MAP-38 to MAP-46."""
    state, zone = turn.state, turn.state.board.index[item["zone"]]
    owner = state.owner[zone]
    if owner is None or turn.fresh(zone):
        turn.fail(nation, place, _TAKEN_FIRST)
        return
    if state.nations[owner].protected:
        turn.fail(nation, place, "protected")
        return
    support = support_of(state, nation, zone, item["support"], busy)
    if isinstance(support, Refusal):
        turn.fail(nation, place, support.code)
        return
    near = adjacent(state.board, turn.held, nation, zone)
    cost = total(conquest_rows(state.config, state.levels[zone], near, support.armies, len(support.ships)))
    if not _covered(turn, nation, place, cost):
        return
    busy.update(piece.id for piece in (*support.land, *support.ships, *support.aboard))
    npc = state.nations[owner].kind == NPC
    data = {
        "nation": nation,
        "zone": item["zone"],
        "from": owner,
        "support": sorted(piece.id for piece in (*support.land, *support.ships, *support.aboard)),
        "cost": cost._asdict(),
        "turn": turn.number,
    }
    turn.play.emit_with_ledger("zone_conquered", data, [_paid(nation, "conquest", cost)])
    if npc:
        turn.play.emit("war_declared", {"nation": nation, "npc": owner})  # MAP-50
    lose_constructions(turn.play, zone)
    _captured_armies(turn, nation, zone)
    if item["advance"]:
        _advance(turn, support, zone)


def _captured_armies(turn: Turn, nation: str, zone: int) -> None:
    """MAP-45: destroyed, or with `captured_armies` in the service of the conqueror."""
    armies = [army.id for army in turn.state.armies_in(zone)]
    if armies and turn.state.config.captured_armies == CAPTURED:
        turn.play.emit("pieces_handed_over", {"pieces": armies, "nation": nation})
        return
    for army in armies:
        turn.play.emit("piece_lost", {"piece": army, "reason": "captured"})


def _advance(turn: Turn, support: Support, zone: int) -> None:
    """MAP-44: armies move in as far as there is room, by id; a ship enters a captured sea zone with its armies."""
    if turn.state.board.sea[zone]:
        for ship in support.ships:
            if ship.zone != zone:
                relocate(turn, ship, zone, None, "advance")
        return
    for army in sorted((*support.land, *support.aboard)):
        if len(turn.state.armies_in(zone)) < MOST_ARMIES:
            relocate(turn, army, zone, None, "advance")


def _covered(turn: Turn, nation: str, place: str, cost: Price) -> bool:
    """MAP-48."""
    stocks = turn.state.nations[nation].stocks
    found = fault_of_cover(cost, stocks.currency, stocks.resources)
    if found is not None:
        turn.fail(nation, place, found.code)
    return found is None


def _paid(nation: str, cause: str, cost: Price) -> Entry:
    return Entry(nation, cause, -cost.currency, -cost.resources)
