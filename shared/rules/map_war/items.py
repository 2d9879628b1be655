"""Items of a submission and their faults: what each check of sections 6 to 8 says (MAP-80, MAP-107, MAP-109)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.rules.interface import Json, Refusal
from shared.rules.map_war.costs import adjacent, claim_rows, conquest_rows, territory, total
from shared.rules.map_war.event_shapes import ITEMS
from shared.rules.map_war.events import to_readers
from shared.rules.map_war.play import Play
from shared.rules.map_war.state import State
from shared.rules.map_war.support import fault_of_boarding, fault_of_move, support_of
from shared.rules.map_war.tables import (
    AGRICULTURE,
    CITY,
    CITY_OF_RESEARCH,
    COMMERCE,
    DEFENSE,
    LARGEST_FIELD,
    PLACE,
    RESEARCH,
    SMALLEST_CAMPUS,
    SMALLEST_MARKET,
    Price,
    highest_level,
    instalment,
    row_of,
)

WHERE: Mapping[str, str] = {
    CITY: "on land with city_max of at least 1",
    AGRICULTURE: f"on land with city_max of at most {LARGEST_FIELD}",
    COMMERCE: f"on land with city_max of at least {SMALLEST_MARKET}",
    RESEARCH: f"on land with city_max of at least {SMALLEST_CAMPUS}",
}
"""Where structures may stand that may not stand everywhere (MAP-24)."""
Fault = tuple[str, Refusal]
"""Place of an item (`claims.0`), and what is wrong with it."""


def orders_of(payload: Mapping[str, Any]) -> dict[str, Json]:
    """The parts of a submission; what is missing is empty."""
    orders: dict[str, Json] = {name: list(payload.get(name, ())) for name in ITEMS}
    orders["conquests"] = [
        {"zone": item["zone"], "support": list(item.get("support", ())), "advance": item.get("advance", True)}
        for item in orders["conquests"]
    ]
    return orders


def without_faults(orders: Mapping[str, Any], items: Iterable[str]) -> dict[str, Json]:
    """The orders that are left when these items are dropped (MAP-81)."""
    faulty = frozenset(items)
    return {
        name: [item for number, item in enumerate(orders[name]) if f"{name}.{number}" not in faulty] for name in ITEMS
    }


def faults_of(state: State, nation: str, orders: Mapping[str, Any]) -> list[Fault]:
    """Every faulty item with its first failed check, in the order of MAP-107."""
    draft = _Draft(state, nation, orders)
    checks = (
        ("claims", draft.claim),
        ("conquests", draft.conquest),
        ("builds", draft.build),
        ("cancels", draft.cancel),
        ("moves", draft.move),
    )
    faults: list[Fault] = []
    for name, check in checks:
        for number, item in enumerate(orders[name]):
            found = check(item)
            if found is not None:
                faults.append((f"{name}.{number}", found))
    return faults


class _Draft:
    """Counts what the faultless items before an item have taken: cover, zones, constructions and pieces."""

    def __init__(self, state: State, nation: str, orders: Mapping[str, Any]) -> None:
        self.state = state
        self.nation = nation
        stocks = state.nations[nation].stocks
        self.held = territory(state)
        self.currency, self.resources = stocks.currency, stocks.resources
        self.wanted: set[int] = set()
        self.built: set[tuple[str, str]] = set()
        self.cancelled: set[tuple[str, str]] = set()
        self.moved: set[int] = set()
        self.busy = {item["piece"] for item in orders["moves"]}
        self.moving = {item["piece"] for item in orders["moves"] if "to" in item}

    def claim(self, item: str) -> Refusal | None:
        """MAP-46: checks of a claim."""
        state, zone = self.state, self.state.board.index[item]
        if refusal := fault_of_claim(state, zone, zone in self.wanted):
            return refusal
        near = adjacent(state.board, self.held, self.nation, zone)
        found = self._cover(total(claim_rows(state.config, state.board, zone, near)))
        if found is None:
            self.wanted.add(zone)
        return found

    def conquest(self, item: Mapping[str, Any]) -> Refusal | None:
        """MAP-46: checks of a conquest."""
        state, zone = self.state, self.state.board.index[item["zone"]]
        if zone in self.wanted:
            return Refusal("zone_taken", "MAP-107", f"{item['zone']} must be attacked once")
        if refusal := fault_of_conquest(state, self.nation, zone):
            return refusal
        support = support_of(state, self.nation, zone, item["support"], self.busy)
        if isinstance(support, Refusal):
            return support
        near = adjacent(state.board, self.held, self.nation, zone)
        rows = conquest_rows(state.config, state.levels[zone], near, support.armies, len(support.ships))
        found = self._cover(total(rows))
        if found is None:
            self.wanted.add(zone)
            self.busy.update(piece.id for piece in (*support.land, *support.ships, *support.aboard))
        return found

    def build(self, item: Mapping[str, Any]) -> Refusal | None:
        """MAP-30, in its order. What the submission cancels is under construction now: `already_building` (MAP-109)."""
        zone, structure = self.state.board.index[item["zone"]], item["structure"]
        found = fault_of_build(self.state, self.nation, zone, structure, (item["zone"], structure) in self.built)
        found = found or self._cover(first_cost(self.state, zone, structure))
        if found is None:
            self.built.add((item["zone"], structure))
        return found

    def cancel(self, item: Mapping[str, Any]) -> Refusal | None:
        """MAP-33, MAP-109."""
        state, key = self.state, (item["zone"], item["structure"])
        zone = state.board.index[item["zone"]]
        if state.owner[zone] != self.nation:
            return Refusal("not_own_zone", "MAP-33", f"{item['zone']} must be an own zone")
        if item["structure"] not in state.building.get(zone, {}) or key in self.cancelled:
            return Refusal("not_building", "MAP-109", f"{item['structure']} must be under construction there")
        self.cancelled.add(key)
        return None

    def move(self, item: Mapping[str, Any]) -> Refusal | None:
        """MAP-54, in its order."""
        state = self.state
        piece = state.pieces[item["piece"]]
        ship = state.pieces[item["board"]] if "board" in item else None
        for named in (piece, ship):
            if named is not None and named.nation != self.nation:
                return Refusal("not_your_piece", "MAP-54", f"piece {named.id} must be of the own nation")
        if piece.id in self.moved or piece.moved_turn == state.turn:
            return Refusal("already_moved", "MAP-54", f"piece {piece.id} moves once a turn")
        if ship is not None:
            found = fault_of_boarding(state, piece, ship, self.moving)
        else:
            found = fault_of_move(state, self.nation, piece, state.board.index[item["to"]], self.moving)
        if found is None:
            self.moved.add(piece.id)
        return found

    def _cover(self, cost: Price) -> Refusal | None:
        """MAP-64, MAP-107."""
        found = fault_of_cover(cost, self.currency, self.resources)
        if found is None:
            self.currency -= cost.currency
            self.resources -= cost.resources
        return found


def fault_of_cover(cost: Price, currency: int, resources: int) -> Refusal | None:
    """Whether what is left covers a cost; who owes nothing for an item needs no cover for it."""
    if cost.currency and cost.currency > currency:
        return Refusal(
            "insufficient_currency", "MAP-64", f"{cost.currency} cents of currency are needed; {currency} are left"
        )
    if cost.resources and cost.resources > resources:
        return Refusal(
            "insufficient_resources", "MAP-64", f"{cost.resources} cents of resources are needed; {resources} are left"
        )
    return None


def fault_of_claim(state: State, zone: int, named_before: bool) -> Refusal | None:
    """MAP-46 without the cover."""
    if state.owner[zone] is None and not named_before:
        return None
    return Refusal("zone_taken", "MAP-46", f"{state.board.ids[zone]} must be without owner and claimed once")


def fault_of_conquest(state: State, nation: str, zone: int) -> Refusal | None:
    """MAP-46 without support and cover: whom a zone belongs to."""
    owner = state.owner[zone]
    if owner is None or owner == nation:
        return Refusal("not_foreign", "MAP-46", f"{state.board.ids[zone]} must belong to another nation")
    if state.acquired_turn[zone] == state.turn:  # somebody new has just begun there (MAP-106)
        return Refusal(
            "zone_taken", "MAP-47", f"{state.board.ids[zone]} was taken in this turn; attack it from the next"
        )
    if state.nations[owner].protected:
        return Refusal("protected", "MAP-68", f"{owner} cannot be attacked before its decay has begun")
    return None


def fault_of_build(state: State, nation: str, zone: int, structure: str, named_before: bool) -> Refusal | None:
    """MAP-30 without the cover: place, level, technology and city."""
    board, id_ = state.board, state.board.ids[zone]
    if state.owner[zone] != nation:
        return Refusal("not_own_zone", "MAP-30", f"{id_} must be an own zone")
    highest = highest_level(board.sea[zone], board.city_max[zone], structure)
    if not highest:
        return Refusal(
            "not_allowed_here", "MAP-24", f"{id_} is no place for {structure}, which stands {WHERE[structure]}"
        )
    levels = state.levels[zone]
    level = levels[PLACE[structure]] + 1
    if level > highest:
        return Refusal("max_level", "MAP-24", f"{structure} in {id_} has at most level {highest}")
    if named_before or structure in state.building.get(zone, {}):
        return Refusal("already_building", "MAP-30", f"{structure} in {id_} takes one construction at a time")
    needs = row_of(board.sea[zone], structure, level).needs
    if state.nations[nation].stocks.technology < needs:
        return Refusal("technology_missing", "MAP-28", f"{structure} {level} needs {needs} cents of technology")
    if structure == RESEARCH and level == 1 and levels[PLACE[CITY]] < CITY_OF_RESEARCH:
        return Refusal("city_too_small", "MAP-24", f"research in {id_} needs a city of level {CITY_OF_RESEARCH}")
    return None


def first_cost(state: State, zone: int, structure: str) -> Price:
    """The first instalment of the next level, and the resources of a defense level (MAP-29, MAP-31)."""
    sea, level = state.board.sea[zone], state.levels[zone][PLACE[structure]] + 1
    row = row_of(sea, structure, level)
    lists = state.config.defense_build_resources
    resources = lists["water" if sea else "land"][level - 1] if structure == DEFENSE else 0
    return Price(instalment(row.cost, 1, row.turns), resources)


def faults_of_moves(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A move has either `to` or `board`."""
    for number, item in enumerate(payload.get("moves", ())):
        if ("to" in item) == ("board" in item):
            yield f"moves.{number}", f"payload.moves.{number} must have either to or board"


def dropped(play: Play, nation: str) -> None:
    """MAP-81: what is still faulty when the correction closes is dropped."""
    submission = play.state.nations[nation].submission
    if submission is None or not submission["faults"]:
        return
    items = list(submission["items"])
    data = {
        "nation": nation,
        "orders": without_faults(submission, items),
        "faults": list(submission["faults"]),
        "items": items,
    }
    play.emit("items_dropped", data, to_readers(nation, play.state.config.open_submissions))
