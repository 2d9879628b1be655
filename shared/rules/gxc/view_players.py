"""Players as one viewer sees them: a roster for everybody, the rest for their team (GXC-99 to GXC-101)."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from shared.rules.gxc.project_common import CLOSES, PLACES, streak_key
from shared.rules.gxc.state import ACTIVE, RUNNING
from shared.rules.interface import Document, Json, Viewer

Fields = Mapping[str, Any]
_NEVER = (0, 0, 0, 0)
_POSITION = itemgetter(0)


def players_of(kinds: Mapping[str, list[Document]], game: Fields, viewer: Viewer) -> dict[str, Json]:
    """Every player, with what the viewer's documents tell of her."""
    places, closes, shelves = _places(kinds.get("location", ())), *_energies(kinds.get("energy", ()))
    players: dict[str, dict[str, Json]] = {}
    own: dict[str, Fields] = {}
    for item in kinds["player"]:
        if item.audience == "public":
            players[item.id] = _roster(item.fields)
        else:
            own[item.id] = item.fields
    for player, fields in own.items():
        entered = {**fields, "location": places.get(player, fields["location"])}
        energized = _energized(shelves, player)
        newest = max(energized, closes.get(player, _NEVER), key=_POSITION)
        players[player] = {**players.get(player, {}), **_known(entered, newest[1], energized[2:], game)}
    if "order" in kinds or "sighting" in kinds:
        _add_orders(kinds, players, own, game, viewer)
    return players


def _roster(fields: Fields) -> dict[str, Json]:
    """Team, and that she is out or expelled; who is placed is her team's to know."""
    seen = {"team": fields["team"]}
    if fields["status"] is not None:
        seen["status"] = fields["status"]
    return seen


def _places(documents: Iterable[Document]) -> dict[str, Any]:
    """Where players stand that a turn has moved; nothing of those who are off the map."""
    places: dict[str, Any] = {}
    # Those of form 4 first, whose ids are numbers: they are shown while new ones are filled, and written no more.
    for item in sorted(documents, key=lambda item: item.id.startswith(PLACES)):
        places.update(item.fields)
    return {player: place for player, place in places.items() if place is not None}


def _energies(documents: Iterable[Document]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What closes left, and what stands on shelves, by player; nothing of those who are off the map."""
    closes: dict[str, Any] = {}
    shelves: dict[str, Any] = {}
    for item in documents:
        told = closes if item.id == CLOSES else shelves
        told.update((key, value) for key, value in item.fields.items() if value is not None)
    return closes, shelves


def _energized(shelves: Mapping[str, Any], player: str) -> Sequence[int]:
    """Position, energy after it, turn and streak of her last energize."""
    told = shelves.get(player, _NEVER)
    if isinstance(told, int):  # of form 4, whose energy may be that of a close
        return [0, told, *shelves.get(streak_key(player), _NEVER[2:])]
    energized: Sequence[int] = told
    return energized


def _known(fields: Fields, energy: int, energized: Sequence[int], game: Fields) -> dict[str, Json]:
    """What team mates see (GXC-100); `energized` is the turn of her last energize and her streak then."""
    location = fields["location"]
    turn, streak = energized
    seen = {
        "status": fields["status"],
        "location": location,
        "energy": energy,
        "energized_turn": turn,
        # A turn that closed without her energize has ended her streak (GXC-28).
        "streak": streak if turn >= game.get("closed_turn", 0) else 0,
        "order": None,
    }
    if game.get("phase") == RUNNING:  # nobody moves while a turn is open (GXC-19), so she stands where she started
        seen["turn_start_location"] = location if fields["status"] == ACTIVE else None
    return seen


def _add_orders(
    kinds: Mapping[str, list[Document]],
    players: dict[str, dict[str, Json]],
    own: Mapping[str, Fields],
    game: Fields,
    viewer: Viewer,
) -> None:
    """Orders of the open turn: whole ones of team mates, and what is sighted of others (GXC-85, GXC-86)."""
    turn = game.get("turn", 0)
    if game.get("closed_turn") == turn:
        return
    for item in kinds.get("sighting", ()):
        if item.id in players and item.id not in own and item.fields["turn"] == turn:
            order = players[item.id].get("order") or {}
            part = {name: item.fields[name] for name in ("attack", "defend") if name in item.fields}
            players[item.id]["order"] = {**order, **part}
    numbers: dict[str, int] = {}
    for item in kinds.get("order", ()):
        if item.audience == "":
            numbers[item.id] = item.fields["seq"]
        elif item.id in own and item.fields["turn"] == turn:
            players[item.id]["order"] = {name: item.fields[name] for name in ("move_to", "attack", "defend")}
    if viewer.role == "operator":
        for player, seq in numbers.items():
            order = players[player].get("order") if player in own else None
            if order is not None and "move_to" in order:
                players[player]["order"] = {**order, "seq": seq}
