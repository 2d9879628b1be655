"""From the canonical state to the working state. Every fault is a ValueError that names the path that is wrong."""

from collections.abc import Mapping
from typing import Any

from shared.rules.decoding import config_in, refuse
from shared.rules.interface import Json
from shared.rules.space_battle.board import Square
from shared.rules.space_battle.canonical_form import FORM
from shared.rules.space_battle.config import KEYS, config_of, fault_of
from shared.rules.space_battle.state import (
    CANCELLED,
    DEPLOYING,
    ENDED,
    OF_BATTLE,
    RUNNING,
    Challenge,
    Craft,
    Mine,
    Player,
    State,
)

PLAIN = (
    "to_move",
    "move_no",
    "move_started_at",
    "moved_this_move",
    "warned",
    "lapsed",
    "quiet_moves",
    "result",
    "winner",
)
"""Fields that the working state holds as they are."""
PHASE_OF: Mapping[str, str] = {DEPLOYING: DEPLOYING, RUNNING: RUNNING, ENDED: ENDED, CANCELLED: ENDED}
"""Status of the challenge that became the battle -> phase (SPB-102)."""


def decode(canonical: Mapping[str, Json]) -> State:
    """The working state of a canonical one. Raises ValueError naming the path that is wrong."""
    config = config_in(canonical, FORM, KEYS, fault_of)
    state = State(config_of(config), {})
    _read_players(state, canonical["players"])
    _read_challenges(state, canonical["challenges"])
    _read_phase(state, canonical)
    _read_craft(state, canonical["craft"])
    _read_mines(state, canonical["mines"])
    if state.phase == RUNNING:
        refuse(_fault_of_squares(state))
    if state.phase in (RUNNING, ENDED):
        state.lay_out()
    return state


def _read_players(state: State, given: Mapping[str, Any]) -> None:
    for name in sorted(given):
        hangar = given[name]["hangar"]
        if set(hangar) != set(state.config.classes):
            raise ValueError(f"players.{name}.hangar must hold the classes {', '.join(state.config.classes)}")
        owned = {item: hangar[item] for item in state.config.classes}
        state.players[name] = Player(owned, given[name]["experience"])


def _read_challenges(state: State, given: Mapping[str, Any]) -> None:
    if sorted(given) != sorted(str(number) for number in range(1, len(given) + 1)):
        raise ValueError(f"challenges must have the ids 1 to {len(given)}")
    battle: int | None = None
    for number in range(1, len(given) + 1):
        entry = given[str(number)]
        if entry["id"] != number:
            raise ValueError(f"challenges.{number}.id must be {number}")
        for key in ("challenger", "challenged"):
            if entry[key] not in state.players:
                raise ValueError(f"challenges.{number}.{key} must be a player of the game")
        if entry["challenger"] == entry["challenged"]:
            raise ValueError(f"challenges.{number}.challenged must be another player")
        if entry["status"] in OF_BATTLE:
            if battle is not None:
                raise ValueError(f"challenges.{number}.status is that of a battle, which challenge {battle} is")
            battle = number
            for key in ("number", "start_time"):
                if entry[key] is None:
                    raise ValueError(f"challenges.{number}.{key} must not be null in a battle")
    state.set_challenges(*(Challenge(**given[str(number)]) for number in range(1, len(given) + 1)))


def _read_phase(state: State, canonical: Mapping[str, Any]) -> None:
    """SPB-17."""
    wanted = None if state.fought is None else PHASE_OF[state.fought.status]
    if canonical["phase"] != wanted:
        raise ValueError(f"phase must be {wanted or 'null'}, as its challenge is")
    state.phase = canonical["phase"]
    for name in PLAIN:
        setattr(state, name, canonical[name])
    state.ready = {side: canonical["ready"][side] for side in ("C", "D")}
    state.forfeits = {side: canonical["forfeits"][side] for side in ("C", "D")}
    if state.phase == RUNNING:
        for name in ("to_move", "move_started_at"):
            if canonical[name] is None:
                raise ValueError(f"{name} must not be null in the phase running")
        if state.move_no < 1:
            raise ValueError("move_no must be at least 1 in the phase running")


def _square_of(state: State, entry: Mapping[str, Any], place: str) -> Square:
    for key, most in (("col", state.config.columns), ("row", state.config.rows)):
        if entry[key] > most:
            raise ValueError(f"{place}.{key} must be an integer from 1 to {most}")
    return entry["col"], entry["row"]


def _check_id(entry: Mapping[str, Any], name: str, place: str) -> None:
    if entry["id"] != name:
        raise ValueError(f"{place}.id must be {name}")
    if not name.startswith(f"{entry['side']}:"):
        raise ValueError(f"{place}.side must be that of its id")


def _read_craft(state: State, given: Mapping[str, Any]) -> None:
    for name in sorted(given):
        entry, place = given[name], f"craft.{name}"
        _check_id(entry, name, place)
        kind = state.config.classes.get(entry["class"])
        if kind is None:
            raise ValueError(f"{place}.class must be a class of the game")
        at = _square_of(state, entry, place)
        state.craft[name] = Craft(name, entry["side"], kind, at, entry["shots_left"], entry["damage"], entry["alive"])


def _read_mines(state: State, given: Mapping[str, Any]) -> None:
    for name in sorted(given):
        entry, place = given[name], f"mines.{name}"
        _check_id(entry, name, place)
        state.mines[name] = Mine(name, entry["side"], _square_of(state, entry, place), entry["live"])


def _fault_of_squares(state: State) -> str | None:
    """SPB-84: two living craft never share a square."""
    taken: dict[Square, str] = {}
    for name, craft in state.craft.items():
        if craft.alive:
            if craft.at in taken:
                return f"craft.{name} must stand on another square than craft.{taken[craft.at]}"
            taken[craft.at] = name
    return None
