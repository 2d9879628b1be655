"""What the events of a resolution write: zones, stocks and pieces."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.interface import Event, Write
from shared.rules.map_war.project_words import nation, piece, stocks, zone
from shared.rules.map_war.state import BARBARIANS, ELIMINATED
from shared.rules.projecting import PUBLIC, Projection, nothing


def _piece_moved(event: Event) -> Iterator[Write]:
    data = event.data
    yield piece(data["piece"], zone=data["to"], aboard=data["aboard"], moved_turn=data["turn"])


def _zone_acquired(event: Event) -> Iterator[Write]:
    data = event.data
    yield zone(data["zone"], owner=data["nation"], acquired_turn=data["turn"])
    yield from stocks(data)


def _construction_lost(event: Event) -> Iterator[Write]:
    yield _building(event.data, None)


def _building(data: Mapping[str, Any], value: Any) -> Write:
    return Write("zone", data["zone"], PUBLIC, {f"building:{data['structure']}": value})


def _construction_started(event: Event) -> Iterator[Write]:
    data = event.data
    yield _building(data, {"level": data["level"], "step": 0, "steps": data["steps"]})
    yield Write("zone", data["zone"], PUBLIC, {f"paid:{data['structure']}": 0})


def _instalment_paid(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("zone", data["zone"], PUBLIC, {f"paid:{data['structure']}": data["step"]})
    yield from stocks(data)


def _production(event: Event) -> Iterator[Write]:
    data = event.data
    told = {"hungry": data["hungry"], "currency_last_turn": data["currency_produced"], "production": data["ledger"]}
    yield nation(data["nation"], **told)
    yield from stocks(data)


def _points_gathered(event: Event) -> Iterator[Write]:
    for id_, points in event.data["points"].items():
        yield zone(id_, piece_points=points)


def _piece_built(event: Event) -> Iterator[Write]:
    data = event.data
    told = {name: data[name] for name in ("kind", "nation", "zone")}
    yield piece(data["piece"], **told, aboard=None, moved_turn=0)
    yield zone(data["zone"], piece_points=data["points"])


def _construction_done(event: Event) -> Iterator[Write]:
    yield _building(event.data, None)
    yield from _level(event)


def _level(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("zone", data["zone"], PUBLIC, {f"level:{data['structure']}": data["level"]})


def _pieces_handed_over(event: Event) -> Iterator[Write]:
    for number in event.data["pieces"]:
        yield piece(number, nation=event.data["nation"])


def _piece_lost(event: Event) -> Iterator[Write]:
    yield Write("piece", f"{event.data['piece']:08}", PUBLIC, {}, gone=True)


def _pollution(event: Event) -> Iterator[Write]:
    for id_, units in event.data["pollution"].items():
        yield zone(id_, pollution=units)


def _decay_started(event: Event) -> Iterator[Write]:
    yield nation(event.data["nation"], decaying=True)


def _zone_fell(event: Event) -> Iterator[Write]:
    data = event.data
    yield zone(data["zone"], owner=BARBARIANS, riot_count=data["riot_count"], acquired_turn=data["turn"])


def _nation_eliminated(event: Event) -> Iterator[Write]:
    data = event.data
    out = {"eliminated_turn": data["turn"], "currency_last_turn": 0, "hungry": False}
    yield nation(data["nation"], status=ELIMINATED, **out)
    yield from stocks(data)


TURN_PROJECTIONS: Mapping[str, Projection] = {
    "order_failed": nothing,
    "piece_moved": _piece_moved,
    "zone_claimed": _zone_acquired,
    "zone_conquered": _zone_acquired,
    "construction_lost": _construction_lost,
    "construction_started": _construction_started,
    "instalment_paid": _instalment_paid,
    "production": _production,
    "hungry": nothing,
    "points_gathered": _points_gathered,
    "piece_built": _piece_built,
    "construction_done": _construction_done,
    "pieces_handed_over": _pieces_handed_over,
    "piece_lost": _piece_lost,
    "pollution_moved": _pollution,
    "pollution_emitted": _pollution,
    "pollution_absorbed": _pollution,
    "degraded": _level,
    "riot": nothing,
    "barbaria_spread": nothing,
    "decay_started": _decay_started,
    "decayed": nothing,
    "zone_fell": _zone_fell,
    "npc_tested": nothing,
    "nation_eliminated": _nation_eliminated,
}
