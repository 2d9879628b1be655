"""Players as one viewer sees them: a roster for everybody, the rest for their team (GXC-99 to GXC-101)."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from shared.rules.gxc.project_common import CLOSES, STANDING, eliminated_key, streak_key
from shared.rules.gxc.state import ACTIVE, EXPELLED, OUT, RUNNING
from shared.rules.interface import Document, Json, Viewer
from shared.rules.projecting import PUBLIC
from shared.rules.seeing import Kinds

Fields = Mapping[str, Any]
_NEVER = (0, 0, 0, 0)
_POSITION = itemgetter(0)
_ID = itemgetter(1)
_GONE = (OUT, EXPELLED)


def players_of(kinds: Kinds, game: Fields, viewer: Viewer) -> dict[str, Json]:
    """Every player, with what the viewer's documents tell of her."""
    lost = _teams_out(kinds, game)
    players: dict[str, dict[str, Json]] = {
        item.id: _roster(item.fields, lost) for item in kinds["player"] if item.audience == PUBLIC
    }
    own = {item.id: item for item in kinds["player"] if item.audience != PUBLIC and _is_in(players, item)}
    places, closes, shelves = _places(kinds, own), *_energies(kinds, own)
    for player, item in own.items():
        entered = {**item.fields, "location": places.get(player, item.fields["location"])}
        energized = _energized(shelves, player)
        newest = max(energized, closes.get(player, _NEVER), key=_POSITION)
        players[player] = {**players.get(player, {}), **_known(entered, newest[1], energized[2:], game)}
    if "order" in kinds or "sighting" in kinds:
        _add_orders(kinds, players, own, game, viewer)
    return players


def _teams_out(kinds: Kinds, game: Fields) -> set[str]:
    """Teams that play no more: all their players are out who were not expelled before (GXC-92, GXC-94)."""
    teams = [item for item in kinds.get("team", ()) if item.audience == PUBLIC]
    return {item.id for item in teams if item.fields["status"] != ACTIVE or eliminated_key(item.id) in game}


def _roster(fields: Fields, lost: set[str]) -> dict[str, Json]:
    """Team, and that she is out or expelled; who is placed is her team's to know."""
    seen = {"team": fields["team"]}
    status = fields["status"]
    if status is None and fields["team"] in lost:
        status = OUT
    if status is not None:
        seen["status"] = status
    return seen


def _is_in(players: Mapping[str, Fields], item: Document) -> bool:
    """Whether a document of a team tells of a player who is still in it; those of players who are out stay."""
    known = players.get(item.id)
    return known is None or (known.get("status") not in _GONE and item.audience == f"team:{known['team']}")


def _told(item: Document, own: Mapping[str, Document]) -> Iterable[tuple[str, Any]]:
    """What a document tells of these players, perhaps of others too; a page shows a hundred of 100,000."""
    fields = item.fields
    if len(fields) <= len(own):
        return fields.items()
    return [(player, fields[player]) for player in own if player in fields]


def _places(kinds: Kinds, own: Mapping[str, Document]) -> dict[str, Any]:
    """Where players stand that a turn has moved; nothing of those who are off the map."""
    standing = (item for item in kinds.get(STANDING, ()) if item.audience == PUBLIC)
    places: dict[str, Any] = {}
    for item in sorted((*kinds.get("location", ()), *standing), key=_ID):
        places.update(_told(item, own))
    return {player: place for player, place in places.items() if place is not None}


def _energies(kinds: Kinds, own: Mapping[str, Document]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What closes left, and what stands on shelves, by player, as the team tells it that she is in."""
    closes: dict[str, Any] = {}
    shelves: dict[str, Any] = {}
    for item in (*kinds.get("energy", ()), *kinds.get(STANDING, ())):
        if item.audience == PUBLIC:
            continue
        of_close = item.kind == STANDING or item.id == CLOSES
        for key, value in _told(item, own) if of_close else item.fields.items():
            player = own.get(key.partition("|")[0])
            if value is None or player is None or player.audience != item.audience:
                continue
            if not of_close:
                shelves[key] = value
            elif value[0] > closes.get(key, _NEVER)[0]:
                closes[key] = value
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
    kinds: Kinds,
    players: dict[str, dict[str, Json]],
    own: Mapping[str, Document],
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
        elif item.id in own and item.audience == own[item.id].audience and item.fields["turn"] == turn:
            players[item.id]["order"] = {name: item.fields[name] for name in ("move_to", "attack", "defend")}
    if viewer.role == "operator":
        for player, seq in numbers.items():
            order = players[player].get("order") if player in own else None
            if order is not None and "move_to" in order:
                players[player]["order"] = {**order, "seq": seq}
