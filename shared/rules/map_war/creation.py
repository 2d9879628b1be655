"""From the creation of a game to its first state and the events that announce it (MAP-19, MAP-71, MAP-105, MAP-106)."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.drawing import DRAWING
from shared.rules.interface import Event, Input, Json, Refusal
from shared.rules.map_war.board import Board
from shared.rules.map_war.commands import LONGEST_NAME
from shared.rules.map_war.config import config_of, fault_of
from shared.rules.map_war.entering import COLOR, MOST_NATIONS, RESERVED, found_nation
from shared.rules.map_war.events import PART
from shared.rules.map_war.map_checks import fault_of_map
from shared.rules.map_war.play import Play
from shared.rules.map_war.state import BARBARIA, BARBARIAN_COLOR, BARBARIANS, NPC, State
from shared.rules.shapes import Anything, Array, Id, Keyed, Object, Text, fault

_PART_WEIGHT = 150_000
"""Most characters of a part of the map with several zones: it stays below 256 KB, whatever ids and degrees are."""

CREATE = Object(
    {
        "map": Object({"zones": Keyed(Anything()), **DRAWING}, optional=frozenset(DRAWING)),
        "players": Array(Id()),
        "npcs": Array(Object({"id": Id(), "zone": Id(), "name": Text(LONGEST_NAME), "color": Text()})),
        "config": Keyed(Anything(), keys_are_ids=False),
    },
    optional=frozenset({"players", "npcs", "config"}),
)
"""Form of the creation of a game."""


def initial(create: Input) -> tuple[State, list[Event]] | Refusal:
    """The game before its start, or `malformed`, `not_authorised`, `bad_map`, `bad_config`."""
    payload = create.payload
    players = payload.get("players", ())
    if found := fault(CREATE, payload) or _fault_of_players(players):
        return Refusal("malformed", "ENG-5", found)
    if create.role != "operator":
        return Refusal("not_authorised", "MAP, section 14", "an operator creates games")
    zones: Mapping[str, Any] = payload["map"]["zones"]
    if found := fault_of_map(zones):
        return Refusal("bad_map", "MAP-19", found)
    given: Mapping[str, Any] = payload.get("config", {})
    npcs = payload.get("npcs", ())
    if found := fault_of(given) or _fault_of_nations(players, npcs, zones):
        return Refusal("bad_config", "MAP, section 2", found)
    play = Play(State(Board(zones), config_of(given)))
    _announce(play, players)
    found_nation(play, BARBARIANS, BARBARIA, "Barbaria", BARBARIAN_COLOR, None)
    for npc in sorted(npcs, key=_id):
        found_nation(play, npc["id"], NPC, npc["name"], npc["color"], npc["zone"])
    play.state.shared = None
    return play.state, play.events


def _fault_of_players(players: Any) -> str | None:
    return None if len(set(players)) == len(players) else "payload.players must name each player once"


def _fault_of_nations(players: Any, npcs: Any, zones: Mapping[str, Any]) -> str | None:
    """MAP-34, MAP-71, MAP-105: ids, zones and colours of nations are their own."""
    ids = [*players, *(npc["id"] for npc in npcs)]
    if len(ids) > MOST_NATIONS:
        return f"players and npcs must be at most {MOST_NATIONS} together; they are {len(ids)}"
    if BARBARIANS in ids:
        return f"{BARBARIANS} is the nation Barbaria; players and NPC nations must have other ids"
    for field, of in (("id", ids), ("zone", [npc["zone"] for npc in npcs]), ("color", [npc["color"] for npc in npcs])):
        if len(set(of)) != len(of):
            return f"npcs must each have an {field} of their own" if field == "id" else f"npcs must differ in {field}"
    for number, npc in enumerate(npcs):
        if npc["zone"] not in zones:
            return f"npcs.{number}.zone must be a zone of the map"
        if not COLOR.match(npc["color"]) or npc["color"] in RESERVED:
            return f"npcs.{number}.color must be #RRGGBB in upper case and none of {', '.join(RESERVED)}"
    return None


def _announce(play: Play, players: Any) -> None:
    board, config = play.state.board, play.state.config
    data = {"players": list(players), "config": config.canonical(), "zones": len(board.ids)}
    play.emit("game_created", data)
    parts = list(_map_parts(board))
    for part, zones in enumerate(parts, 1):
        play.emit("map_zones", {"part": part, "parts": len(parts), "zones": zones})


def _map_parts(board: Board) -> Iterator[dict[str, Json]]:
    part: dict[str, Json] = {}
    weight = 0
    for zone, id_ in enumerate(board.ids):
        entry = board.entry(zone)
        added = 200 + 6 * len(entry["name"] or "") + sum(len(other) + 3 for other in entry["neighbours"])
        if part and (weight + added > _PART_WEIGHT or len(part) == PART):
            yield part
            part, weight = {}, 0
        part[id_] = entry
        weight += added
    yield part


def _id(npc: Mapping[str, Any]) -> str:
    id_: str = npc["id"]
    return id_
