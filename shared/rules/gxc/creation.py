"""From the creation of a game to its first state and the events that announce it."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.drawing import DRAWING
from shared.rules.gxc.board import SPECIALS, Board
from shared.rules.gxc.config import config_of, fault_of
from shared.rules.gxc.event_shapes import PART
from shared.rules.gxc.events import parts_of
from shared.rules.gxc.state import NOBODY, State, Team
from shared.rules.interface import OPERATORS, Event, Input, Json, Refusal
from shared.rules.shapes import Anything, Array, Id, Keyed, Object, Text, fault

LARGEST_COORDINATE = 1_000_000
LONGEST_NAME = 200
MOST_TERRITORIES = 20_000
MOST_NEIGHBOURS = 2_000
MOST_BORDERS = 100_000
"""Pairs of neighbours: while a creation is judged, every other game of the process waits."""
_PART_WEIGHT = 150_000
"""Most characters of a part of the map: an event stays below 256 KB whatever the ids and degrees are."""


CREATE = Object(
    {
        "map": Object({"territories": Keyed(Anything()), **DRAWING}, optional=frozenset(DRAWING)),
        "teams": Keyed(Object({"name": Text(LONGEST_NAME), "territories": Array(Id())}, frozenset({"name"}))),
        "config": Keyed(Anything(), keys_are_ids=False),
        "assignments": Keyed(Id()),
    },
    optional=frozenset({"config", "assignments"}),
)
"""Form of the creation of a game."""


def initial(create: Input) -> tuple[State, list[Event]] | Refusal:
    """The game in its lobby, or `malformed`, `not_authorised`, `bad_map`, `bad_config`."""
    payload = create.payload
    if found := fault(CREATE, payload):
        return Refusal("malformed", "ENG-5", found)
    if create.role != "operator":
        return Refusal("not_authorised", "GXC, section 4", "an operator creates games")
    territories: Mapping[str, Any] = payload["map"]["territories"]
    if found := fault_of_map(territories) or _fault_of_owners(territories, payload["teams"]):
        return Refusal("bad_map", "GXC-14", found)
    assignments: Mapping[str, str] = payload.get("assignments", {})
    config = payload.get("config", {})
    if found := fault_of(config) or _fault_of_assignments(assignments, payload["teams"]):
        return Refusal("bad_config", "GXC, section 2", found)
    teams = [Team(team, payload["teams"][team].get("name", team)) for team in sorted(payload["teams"])]
    state = State(_board(territories), teams, config_of(config))
    for number, team in enumerate(teams):
        for territory in payload["teams"][team.id]["territories"]:
            state.owner[state.board.index[territory]] = number
    state.assignments = dict(assignments)
    return state, list(_announcement(state))


def _board(territories: Mapping[str, Any]) -> Board:
    ids = sorted(territories)
    index = {item: number for number, item in enumerate(ids)}
    entries = [territories[item] for item in ids]
    return Board(
        ids,
        [entry.get("name", item) for item, entry in zip(ids, entries, strict=True)],
        [tuple(sorted(index[neighbour] for neighbour in entry["neighbours"])) for entry in entries],
        [(entry["centroid"]["x"], entry["centroid"]["y"]) for entry in entries],
        [entry.get("special") for entry in entries],
    )


def fault_of_map(territories: Mapping[str, Any]) -> str | None:
    if not territories:
        return "map.territories must hold at least one territory"
    if len(territories) > MOST_TERRITORIES:
        return f"map.territories must hold at most {MOST_TERRITORIES} territories; it holds {len(territories)}"
    named = {territory: _named_by(entry) for territory, entry in territories.items()}
    borders = sum(map(len, named.values())) // 2
    if borders > MOST_BORDERS:
        return f"map.territories must have at most {MOST_BORDERS} pairs of neighbours; it has {borders}"
    for territory in sorted(territories):
        if found := _fault_of_territory(territory, territories, named):
            return found
    return None


def _named_by(entry: Any) -> frozenset[str]:
    """The territories that an entry of any form names as its neighbours."""
    neighbours = entry.get("neighbours") if isinstance(entry, Mapping) else None
    if not isinstance(neighbours, list | tuple):
        return frozenset()
    return frozenset(item for item in neighbours if isinstance(item, str))


def _fault_of_territory(
    territory: str, territories: Mapping[str, Any], named: Mapping[str, frozenset[str]]
) -> str | None:
    entry, place = territories[territory], f"map.territories.{territory}"
    if not isinstance(entry, Mapping) or not set(entry) <= {"name", "neighbours", "centroid", "special"}:
        return f"{place} must be an object of name, neighbours, centroid and special"
    if not isinstance(entry.get("name", territory), str) or len(entry.get("name", territory)) > LONGEST_NAME:
        return f"{place}.name must be a string of at most {LONGEST_NAME} characters"
    if entry.get("special") not in (None, *SPECIALS):
        return f"{place}.special must be null or one of {', '.join(SPECIALS)}"
    return _fault_of_centroid(place, entry.get("centroid")) or _fault_of_edges(territory, place, territories, named)


def _fault_of_centroid(place: str, centroid: Any) -> str | None:
    if isinstance(centroid, Mapping) and set(centroid) == {"x", "y"}:
        values = (centroid["x"], centroid["y"])
        if all(type(value) is int and abs(value) <= LARGEST_COORDINATE for value in values):
            return None
    return f"{place}.centroid must be an object of the integers x and y, each within +-{LARGEST_COORDINATE}"


def _fault_of_edges(
    territory: str, place: str, territories: Mapping[str, Any], named: Mapping[str, frozenset[str]]
) -> str | None:
    neighbours = territories[territory].get("neighbours")
    if not isinstance(neighbours, list | tuple) or not all(isinstance(item, str) for item in neighbours):
        return f"{place}.neighbours must be a list of territories"
    if len(neighbours) > MOST_NEIGHBOURS:
        return f"{place}.neighbours must have at most {MOST_NEIGHBOURS} entries"
    if len(named[territory]) != len(neighbours) or territory in named[territory]:
        return f"{place}.neighbours must name each other territory at most once, and not {territory} itself"
    for neighbour in neighbours:
        if neighbour not in territories:
            return f"{place}.neighbours names {neighbour!r}, which must be a territory of the map"
        if territory not in named[neighbour]:
            return f"{place} has the neighbour {neighbour}, whose neighbours must name {territory} in turn"
    return None


def _fault_of_owners(territories: Mapping[str, Any], teams: Mapping[str, Any]) -> str | None:
    owner: dict[str, str] = {}
    for team in sorted(teams):
        for territory in teams[team]["territories"]:
            place = f"teams.{team}.territories"
            if territory not in territories:
                return f"{place} names {territory}, which must be a territory of the map"
            if territory in owner:
                return f"{place} names {territory}, which {owner[territory]} has already; it must have one owner"
            owner[territory] = team
    if len(set(owner.values())) < 2:
        return "teams must name at least two teams that own a territory each (GXC-21)"
    return None


def _fault_of_assignments(assignments: Mapping[str, str], teams: Mapping[str, Any]) -> str | None:
    for player in sorted(assignments):
        if assignments[player] not in teams:
            return f"assignments.{player} must be one of the teams {', '.join(sorted(teams))}"
    return None


def _announcement(state: State) -> Iterator[Event]:
    board, teams = state.board, state.teams
    yield Event(
        "game_created",
        {
            "teams": {team.id: {"name": team.name} for team in teams},
            "config": state.config.canonical(),
            "territories": len(board.ids),
        },
    )
    parts = _map_parts(state)
    for number, territories in enumerate(parts, 1):
        yield Event("map_territories", {"part": number, "parts": len(parts), "territories": territories})
    for part, of, players in parts_of(sorted(state.assignments)):
        assigned = {player: state.assignments[player] for player in players}
        yield Event("teams_assigned", {"part": part, "parts": of, "assignments": assigned}, OPERATORS)


def _map_parts(state: State) -> list[dict[str, Json]]:
    parts: list[dict[str, Json]] = []
    weight = _PART_WEIGHT
    for number, territory in enumerate(state.board.ids):
        owner = state.owner[number]
        entry = {**state.board.entry(number), "owner": None if owner == NOBODY else state.teams[owner].id}
        added = 200 + 4 * len(entry["name"]) + sum(len(item) + 3 for item in entry["neighbours"])
        if weight + added > _PART_WEIGHT or len(parts[-1]) == PART:
            parts.append({})
            weight = 0
        parts[-1][territory] = entry
        weight += added
    return parts
