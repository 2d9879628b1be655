"""From the creation of a game to its first state and the events that announce it."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.drawing import DRAWING
from shared.rules.forces.board import Board, board_of
from shared.rules.forces.config import config_of, fault_of
from shared.rules.forces.map_checks import fault_of_map, fault_of_start_forces
from shared.rules.forces.state import State
from shared.rules.interface import Event, Input, Json, Refusal
from shared.rules.shapes import Anything, Keyed, Object, fault

PART = 200
"""Most zones of one part of the map."""
_PART_WEIGHT = 150_000
"""Most characters of a part of the map: an event stays below 256 KB whatever the ids and degrees are."""

CREATE = Object(
    {
        "map": Object({"zones": Keyed(Anything()), **DRAWING}, optional=frozenset(DRAWING)),
        "config": Keyed(Anything(), keys_are_ids=False),
    },
    optional=frozenset({"config"}),
)
"""Form of the creation of a game (FOR-101)."""


def initial(create: Input) -> tuple[State, list[Event]] | Refusal:
    """The game in its lobby, or `malformed`, `not_authorised`, `bad_map`, `bad_config`."""
    payload = create.payload
    if found := fault(CREATE, payload):
        return Refusal("malformed", "ENG-5", found)
    if create.role != "operator":
        return Refusal("not_authorised", "FOR, section 5", "an operator creates games")
    zones: Mapping[str, Any] = payload["map"]["zones"]
    if found := fault_of_map(zones) or fault_of_start_forces(zones):
        return Refusal("bad_map", "FOR-84", found)
    config: Mapping[str, Any] = payload.get("config", {})
    if found := fault_of(config):
        return Refusal("bad_config", "FOR-108", found)
    state = State(board_of(zones), config_of(config))
    return state, list(_announcement(state))


def _announcement(state: State) -> Iterator[Event]:
    yield Event("game_created", {"config": state.config.canonical(), "zones": len(state.board.ids)})
    parts = _map_parts(state.board)
    for number, zones in enumerate(parts, 1):
        yield Event("map_zones", {"part": number, "parts": len(parts), "zones": zones})


def _map_parts(board: Board) -> list[dict[str, Json]]:
    parts: list[dict[str, Json]] = []
    weight = _PART_WEIGHT
    for zone, id_ in enumerate(board.ids):
        entry = board.entry(zone)
        added = 300 + 4 * len(entry["name"]) + sum(len(item) + 3 for item in entry["neighbours"])
        if weight + added > _PART_WEIGHT or len(parts[-1]) == PART:
            parts.append({})
            weight = 0
        parts[-1][id_] = entry
        weight += added
    return parts
