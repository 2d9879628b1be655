"""From the creation of a game to its first state and the events that announce it."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.drawing import DRAWING
from shared.rules.event_rows import parts_of
from shared.rules.exgenhoca.board import Board, board_of
from shared.rules.exgenhoca.config import EFFECTS, Config, config_of, fault_of
from shared.rules.exgenhoca.default_map import default_map
from shared.rules.exgenhoca.events import PART
from shared.rules.exgenhoca.map_checks import fault_of_map
from shared.rules.exgenhoca.objectives import MOST_SEATS, fault_of_continents, objectives_of
from shared.rules.exgenhoca.state import State
from shared.rules.interface import Event, Input, Refusal
from shared.rules.shapes import Anything, Array, Id, Keyed, Maybe, Object, fault

FEWEST_SEATS = 2
FEWEST_EACH = 2
"""Territories that a player starts with at least (section 2)."""

CREATE = Object(
    {
        "players": Array(Id()),
        "map": Maybe(
            Object(
                {"territories": Keyed(Anything()), "continents": Keyed(Anything()), **DRAWING},
                optional=frozenset(DRAWING),
            )
        ),
        "config": Keyed(Anything(), keys_are_ids=False),
    },
    optional=frozenset({"map", "config"}),
)
"""Form of the creation of a game; without a map it is played on the board of the rules."""


def initial(create: Input) -> tuple[State, list[Event]] | Refusal:
    """The game in its lobby, or `malformed`, `not_authorised`, `bad_map`, `bad_player_count`, `bad_config`."""
    payload = create.payload
    if found := fault(CREATE, payload) or _fault_of_seating(payload["players"]):
        return Refusal("malformed", "ENG-5", found)
    if create.role != "operator":
        return Refusal("not_authorised", "EXG, section 4", "an operator creates games")
    given: Mapping[str, Any] = payload.get("config", {})
    map_ = payload.get("map")
    map_ = default_map() if map_ is None else map_
    shared = _shared_territories(given)
    if found := fault_of_map(map_, shared):
        return Refusal("bad_map", "EXG-59", found)
    if found := _fault_of_count(len(payload["players"]), shared):
        return Refusal("bad_player_count", "EXG-17", found)
    board = board_of(map_)
    if found := fault_of(given) or _fault_on_board(given, board, len(payload["players"]), shared):
        return Refusal("bad_config", "EXG, section 2", found)
    state = State(board, list(payload["players"]), config_of(given))
    return state, list(_announcement(state))


def _fault_of_seating(players: list[str]) -> str | None:
    return None if len(set(players)) == len(players) else "payload.players must name each player once"


def _shared_territories(given: Mapping[str, Any]) -> int:
    """What the map is held against; a value that is none is found later, as `bad_config`."""
    shared = given.get("shared_territories")
    return shared if type(shared) is int and shared > 0 else Config().shared_territories


def _fault_of_count(players: int, shared: int) -> str | None:
    most = min(MOST_SEATS, shared // FEWEST_EACH)
    if FEWEST_SEATS <= players <= most:
        return None
    if most < FEWEST_SEATS:
        return f"shared_territories = {shared} are too few for {FEWEST_SEATS} players with {FEWEST_EACH} each"
    return f"players must be {FEWEST_SEATS} to {most}; there are {players}"


def _fault_on_board(given: Mapping[str, Any], board: Board, players: int, shared: int) -> str | None:
    """What only the map and the number of players show: objectives and effects (EXG-18, EXG-64)."""
    starting = shared // players
    objectives = objectives_of(given.get("objective_set", "compact"), starting)
    if len(objectives) < players:
        return f"config.objective_set must hold at least {players} objectives, one for each player"
    if found := fault_of_continents(objectives, board.continent_index):
        return f"config.objective_set: {found}"
    unoccupied, effects = len(board.ids) - starting * players, len(given.get("effects", EFFECTS))
    if "effects" in given and effects > unoccupied:
        return f"config.effects must hold at most {unoccupied} effects, one for each unoccupied territory"
    return None


def _announcement(state: State) -> Iterator[Event]:
    board = state.board
    yield Event(
        "game_created",
        {
            "players": [player.id for player in state.players],
            "config": state.config.canonical(),
            "continents": board.continent_entries(),
            "territories": len(board.ids),
        },
    )
    for part, parts, territories in parts_of(range(len(board.ids)), PART):
        entries = {board.ids[territory]: board.entry(territory) for territory in territories}
        yield Event("map_territories", {"part": part, "parts": parts, "territories": entries})
