"""Views of players, their orders and what is sighted of them (GXC-20 to GXC-38, GXC-85, GXC-86)."""

from collections.abc import Iterator, Mapping

from shared.rules.gxc.project_common import Data, place_writes, shelf_of, team_of
from shared.rules.gxc.state import ACTIVE, EXPELLED, UNPLACED
from shared.rules.interface import Event, Write
from shared.rules.projecting import OPERATORS, PUBLIC, Projection


def _joined(event: Event) -> Iterator[Write]:
    player, team = event.data["player"], event.data["team"]
    own = {"status": UNPLACED, "location": None}
    yield Write("player", player, PUBLIC, {"team": team, "status": None})
    yield Write("player", player, f"team:{team}", own)
    yield _member(player, team)


def _member(player: str, team: str | None, sight: str | None = None) -> Write:
    """What a player may see from now on; somebody without team sees what is public (GXC-103)."""
    audiences = [f"player:{player}"]
    if team is not None:
        audiences.append(f"team:{team}")
    if sight is not None:
        audiences.append(f"sight:{sight}")
    return Write("member", player, OPERATORS, {"audiences": audiences})


def _placed(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("player", data["player"], team_of(data), {"status": ACTIVE, "location": data["territory"]})


def _energized(event: Event) -> Iterator[Write]:
    data = event.data
    player = data["player"]
    energized = [event.n, data["energy"], data["turn"], data["streak"]]
    yield Write("energy", shelf_of(player), team_of(data), {player: energized})


def _order_set(event: Event) -> Iterator[Write]:
    data = event.data
    fields = {name: data[name] for name in ("turn", "move_to", "attack", "defend")}
    yield Write("order", data["player"], team_of(data), fields)


def _order_numbered(event: Event) -> Iterator[Write]:
    yield Write("order", event.data["player"], OPERATORS, {"seq": event.data["seq"]})


def _order_cleared(event: Event) -> Iterator[Write]:
    yield Write("order", event.data["player"], team_of(event.data), {}, gone=True)


def _expelled(event: Event) -> Iterator[Write]:
    """What her team saw of her is gone, and she sees what is public (GXC-103, GXC-109)."""
    player = event.data["player"]
    yield Write("player", player, PUBLIC, {"status": EXPELLED})
    for kind in ("player", "order"):
        yield Write(kind, player, team_of(event.data), {}, gone=True)
    yield from place_writes(event, {player: None})
    yield _member(player, None)


def _players_out(event: Event) -> Iterator[Write]:
    """All of a team that is out, which its document or the game's tells; nobody sees any more what the team saw.

    So nothing is written of each player but that she is off the map, where she may come back in another team (GXC-20),
    and what she sees from now on: `view_players.py` takes the rest for what it was.
    """
    players = event.data["players"]
    yield from place_writes(event, dict.fromkeys(players))
    for player in players:
        yield _member(player, None)


def _sight_set(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("sight", data["player"], f"player:{data['player']}", {"sight": data["sight"], "turn": data["turn"]})
    yield _member(data["player"], data["team"], data["sight"])


def _attack_sighted(event: Event) -> Iterator[Write]:
    data = event.data
    attack = None if data["target"] is None else {"target": data["target"], "energy": data["energy"]}
    return _sighted(event, {"turn": data["turn"], "attack": attack}, seen=attack is not None)


def _defence_sighted(event: Event) -> Iterator[Write]:
    data = event.data
    return _sighted(event, {"turn": data["turn"], "defend": data["energy"]}, seen=data["energy"] > 0)


def _sighted(event: Event, fields: Data, *, seen: bool) -> Iterator[Write]:
    for audience in event.to:
        yield Write("sighting", event.data["player"], audience, fields if seen else {}, gone=not seen)


PLAYERS: Mapping[str, Projection] = {
    "joined": _joined,
    "placed": _placed,
    "energized": _energized,
    "order_set": _order_set,
    "order_numbered": _order_numbered,
    "order_cleared": _order_cleared,
    "order_reverted": _order_set,
    "player_removed": _expelled,
    "players_out": _players_out,
    "sight_set": _sight_set,
    "attack_sighted": _attack_sighted,
    "defence_sighted": _defence_sighted,
    "spy_expelled": _expelled,
}
"""Event type -> projection."""
