"""What each event writes into views (interface.Rules.project), from its data alone.

| kind | id | audience | fields |
| --- | --- | --- | --- |
| game | game | public | phase, turn, times, winner, ranking, config, nations in the correction |
| zone | zone | public | map data, owner, `level:<structure>`, `building:<structure>`, pollution, points |
| player | account | public | whether she still chooses, plays, or was left out |
| nation | nation | public | everything but orders; `production`: the entries of the last turn |
| submission | nation | public, or the player | orders and faults (MAP-98) |
| submission | nation | operators | the number of the judgement |
| piece | number | public | kind, nation, zone, ship |
| deal | number | the two sides; public once in force or done | sides, terms, status (MAP-98) |
| deal | number | operators | the number of the judgement that accepted it |
| turn | turn | public | opening, close, who closed it, scoreboard |
| member | account | operators | audiences |
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.rules.interface import Event, Json, Write
from shared.rules.map_war.project_deals import DEAL_PROJECTIONS
from shared.rules.map_war.project_turn import TURN_PROJECTIONS
from shared.rules.map_war.project_words import nation, zone
from shared.rules.map_war.state import ACTIVE, CHOOSING, ENDED, FIX, LEFT_OUT, PLAYER, PLAYING, RULERLESS, START
from shared.rules.map_war.tables import STRUCTURES
from shared.rules.projecting import OPERATORS, PUBLIC, Projection, game_write, nothing


def project(event: Event) -> Iterable[Write]:
    """The writes of one event. Raises KeyError for a type that the game does not have."""
    return PROJECTIONS[event.type](event)


def _game_created(event: Event) -> Iterator[Write]:
    data = event.data
    yield game_write(
        phase=START,
        turn=1,
        opened_at=None,
        deadline=None,
        winner=None,
        ranking=[],
        fixing=[],
        config=data["config"],
    )
    for player in data["players"]:
        yield from _entered(player)


def _entered(player: str) -> Iterator[Write]:
    yield Write("member", player, OPERATORS, {"audiences": [f"player:{player}"]})
    yield Write("player", player, PUBLIC, {"status": CHOOSING})


def _map_zones(event: Event) -> Iterator[Write]:
    for id_, entry in event.data["zones"].items():
        fields: dict[str, Json] = {**entry, "owner": None, "pollution": 0, "acquired_turn": None, "home_of": None}
        fields.update({f"level:{structure}": 0 for structure in STRUCTURES})
        yield Write("zone", id_, PUBLIC, {**fields, "riot_count": 0, "piece_points": 0})


def _player_joined(event: Event) -> Iterator[Write]:
    yield from _entered(event.data["player"])


def _nation_founded(event: Event) -> Iterator[Write]:
    data = event.data
    id_ = data["nation"]
    if data["left"] is not None:
        yield zone(data["left"], owner=None, home_of=None, acquired_turn=None)
    if data["zone"] is not None:
        yield zone(data["zone"], owner=id_, home_of=id_, acquired_turn=data["turn"])
    if data["player"] is not None:
        yield Write("player", data["player"], PUBLIC, {"status": PLAYING})
    yield nation(
        id_,
        kind=data["kind"],
        player=data["player"],
        name=data["name"],
        color=data["color"],
        founded_turn=data["turn"],
        **data["stocks"][id_],
        hungry=False,
        ownerless_since=None,
        decaying=False,
        missed=0,
        status=ACTIVE,
        eliminated_turn=None,
        currency_last_turn=0,
        submitted=False,
        production=[],
    )


def _players_left_out(event: Event) -> Iterator[Write]:
    for player in event.data["players"]:
        yield Write("player", player, PUBLIC, {"status": LEFT_OUT})


def _turn_opened(event: Event) -> Iterator[Write]:
    data = event.data
    times = {"opened_at": data["opened_at"], "deadline": data["deadline"]}
    yield game_write(phase=data["phase"], turn=data["turn"], fixing=[], **times)
    yield Write("turn", f"{data['turn']:06}", PUBLIC, {"opened_at": data["opened_at"]})


def _fix_opened(event: Event) -> Iterator[Write]:
    yield game_write(phase=FIX, deadline=event.data["deadline"], fixing=event.data["nations"])


def _turn_closed(event: Event) -> Iterator[Write]:
    data = event.data
    fields = {name: data[name] for name in ("closed_at", "by", "scoreboard")}
    yield Write("turn", f"{data['turn']:06}", PUBLIC, fields)
    for row in data["scoreboard"]:
        yield nation(row["nation"], submitted=False)


def _game_ended(event: Event) -> Iterator[Write]:
    data = event.data
    yield game_write(phase=ENDED, deadline=None, winner=data["winner"], ranking=data["ranking"], fixing=[])


def _deadline_set(event: Event) -> Iterator[Write]:
    yield game_write(deadline=event.data["deadline"])


def _time_shifted(event: Event) -> Iterator[Write]:
    yield game_write(opened_at=event.data["opened_at"], deadline=event.data["deadline"])


def _submission_made(event: Event) -> Iterator[Write]:
    yield nation(event.data["nation"], submitted=True)


def _submission(event: Event) -> Iterator[Write]:
    data = event.data
    fields: Mapping[str, Any] = {"orders": data["orders"], "faults": data["faults"], "items": data["items"]}
    if event.type == "items_dropped":
        fields = {"orders": data["orders"], "faults": [], "items": []}
    for audience in event.to:
        yield Write("submission", data["nation"], audience, fields)


def _submission_numbered(event: Event) -> Iterator[Write]:
    yield Write("submission", event.data["nation"], OPERATORS, {"seq": event.data["seq"]})


def _nation_rulerless(event: Event) -> Iterator[Write]:
    data = event.data
    yield nation(data["nation"], kind=RULERLESS, ownerless_since=data["ownerless_since"], submitted=False)


def _nation_rejoined(event: Event) -> Iterator[Write]:
    yield nation(event.data["nation"], kind=PLAYER, ownerless_since=None, missed=0)


def _inactivity_counted(event: Event) -> Iterator[Write]:
    for id_, missed in event.data["missed"].items():
        yield nation(id_, missed=missed)


PROJECTIONS: Mapping[str, Projection] = {
    "game_created": _game_created,
    "map_zones": _map_zones,
    "player_joined": _player_joined,
    "nation_founded": _nation_founded,
    "players_left_out": _players_left_out,
    "turn_opened": _turn_opened,
    "fix_opened": _fix_opened,
    "turn_closed": _turn_closed,
    "game_ended": _game_ended,
    "deadline_set": _deadline_set,
    "time_shifted": _time_shifted,
    "submission_made": _submission_made,
    "turn_submitted": _submission,
    "submission_numbered": _submission_numbered,
    "items_dropped": _submission,
    "nation_rulerless": _nation_rulerless,
    "nation_rejoined": _nation_rejoined,
    "inactivity_counted": _inactivity_counted,
    "war_declared": nothing,
    **DEAL_PROJECTIONS,
    **TURN_PROJECTIONS,
}
"""Event type -> projection, for every type of the game."""
