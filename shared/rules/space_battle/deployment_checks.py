"""The checks of `deploy`, in their order; each runs over the whole deployment (SPB-29, SPB-107)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from shared.rules.interface import Refusal
from shared.rules.space_battle.board import Square
from shared.rules.space_battle.state import State
from shared.rules.space_battle.tables import base_of

BASE_ID = "base"
Payload = Mapping[str, Any]


class Fault(NamedTuple):
    """What is wrong at a place of a deployment."""

    place: str
    refusal: Refusal


def faults_of(state: State, side: str, payload: Payload) -> Iterator[Fault]:
    """Every fault; the first is the one that `deploy` is refused for. The classes are known."""
    yield from _already_ready(state, side)
    yield from _bad_count(state, payload)
    yield from _not_owned(state, side, payload)
    yield from _base_square(state, side, payload)
    yield from _outside_ranks(state, side, payload)
    yield from _craft_on_taken_squares(payload)
    yield from _mine_outside(state, payload)
    yield from _mines_on_taken_squares(payload)
    yield from _too_many_mines(state, payload)


def _already_ready(state: State, side: str) -> Iterator[Fault]:
    if state.ready[side]:
        yield Fault("", Refusal("already_ready", "SPB-29", "your deployment is final since you are ready"))


def _bad_count(state: State, payload: Payload) -> Iterator[Fault]:
    """SPB-25, SPB-71, SPB-107: exactly the agreed number, no second base, no id twice."""
    number, base = (state.fought.number if state.fought else None), base_of(state.config.classes)
    if len(payload["craft"]) != number:
        told = f"craft must hold {number} craft besides the base; it holds {len(payload['craft'])}"
        yield Fault("craft", Refusal("bad_count", "SPB-25", told))
    seen: set[str] = set()
    for index, item in enumerate(payload["craft"]):
        place = f"craft.{index}"
        if item["class"] == base:
            yield Fault(f"{place}.class", Refusal("bad_count", "SPB-107", f"{place}.class must be no base"))
        if item["id"] == BASE_ID or item["id"] in seen:
            told = f"{place}.id must be one of its own, and not {BASE_ID}"
            yield Fault(f"{place}.id", Refusal("bad_count", "SPB-71", told))
        seen.add(item["id"])


def _not_owned(state: State, side: str, payload: Payload) -> Iterator[Fault]:
    if state.fought is None:
        return
    hangar = state.players[state.fought.player_of(side)].hangar
    placed: Counter[str] = Counter()
    for index, item in enumerate(payload["craft"]):
        placed[item["class"]] += 1
        if placed[item["class"]] > hangar[item["class"]]:
            told = f"your hangar holds {hangar[item['class']]} of the class {item['class']}"
            yield Fault(f"craft.{index}.class", Refusal("not_owned", "SPB-29", told))


def _base_square(state: State, side: str, payload: Payload) -> Iterator[Fault]:
    """SPB-26."""
    column, row = state.config.base_square(side)
    if square_of(payload["base"]) != (column, row):
        yield Fault("base", Refusal("base_square", "SPB-26", f"base must be [{column}, {row}]"))


def _outside_ranks(state: State, side: str, payload: Payload) -> Iterator[Fault]:
    """SPB-27."""
    ranks, rows = state.config.ranks(side), state.config.rows
    for index, item in enumerate(payload["craft"]):
        column, row = item["at"]
        if column not in ranks or not 1 <= row <= rows:
            legal = ", ".join(str(rank) for rank in ranks)
            told = f"craft.{index}.at must lie in the columns {legal} and rows 1 to {rows}"
            yield Fault(f"craft.{index}.at", Refusal("outside_ranks", "SPB-27", told))


def _craft_on_taken_squares(payload: Payload) -> Iterator[Fault]:
    """SPB-27: one craft per square, the base included."""
    taken = {square_of(payload["base"])}
    for index, item in enumerate(payload["craft"]):
        if square_of(item["at"]) in taken:
            told = f"craft.{index}.at must be a square without another craft"
            yield Fault(f"craft.{index}.at", Refusal("square_taken", "SPB-27", told))
        taken.add(square_of(item["at"]))


def _mine_outside(state: State, payload: Payload) -> Iterator[Fault]:
    """SPB-28."""
    columns, rows = state.config.mine_ranks, state.config.rows
    for index, (column, row) in enumerate(payload.get("mines", ())):
        if column not in columns or not 1 <= row <= rows:
            legal = ", ".join(str(item) for item in columns)
            told = f"mines.{index} must lie in the columns {legal} and rows 1 to {rows}"
            yield Fault(f"mines.{index}", Refusal("mine_outside", "SPB-28", told))


def _mines_on_taken_squares(payload: Payload) -> Iterator[Fault]:
    """SPB-28, SPB-107: at most one own mine per square; where the enemy's lie nobody knows."""
    taken: set[Square] = set()
    for index, square in enumerate(payload.get("mines", ())):
        if square_of(square) in taken:
            told = f"mines.{index} must be a square without another mine of yours"
            yield Fault(f"mines.{index}", Refusal("square_taken", "SPB-107", told))
        taken.add(square_of(square))


def _too_many_mines(state: State, payload: Payload) -> Iterator[Fault]:
    most, placed = state.config.mines_per_player, len(payload.get("mines", ()))
    if placed > most:
        yield Fault("mines", Refusal("too_many_mines", "SPB-28", f"mines must hold at most {most}; there are {placed}"))


def square_of(given: Any) -> Square:
    """A square as payloads and events have it."""
    column, row = given
    return column, row
