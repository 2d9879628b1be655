"""What deals write: for the two sides, and for all once they are in force or done (MAP-97, MAP-98)."""

from collections.abc import Iterator, Mapping
from typing import Any

from shared.rules.interface import Event, Json, Write
from shared.rules.map_war.project_words import stocks, zone
from shared.rules.map_war.state import DONE, OFFERED, RUNNING, VOID
from shared.rules.projecting import OPERATORS, Projection


def _deal(event: Event, fields: Mapping[str, Json]) -> Iterator[Write]:
    for audience in event.to:
        yield Write("deal", f"{event.data['deal']:08}", audience, fields)


def _sides(data: Mapping[str, Any]) -> dict[str, Json]:
    return {name: data[name] for name in ("kind", "from", "to", "terms")}


def _deal_offered(event: Event) -> Iterator[Write]:
    data = event.data
    until = {"until_turn": data["until_turn"], "begun_turn": None, "ends_turn": None}
    yield from _deal(event, {**_sides(data), "status": OFFERED, **until})


def _deal_accepted(event: Event) -> Iterator[Write]:
    yield from _deal(event, {"status": RUNNING})


def _acceptance_numbered(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("deal", f"{data['deal']:08}", OPERATORS, {"accepted_seq": data["accepted_seq"]})


def _agreement_begun(event: Event) -> Iterator[Write]:
    yield from _deal(event, {**_sides(event.data), "status": RUNNING, "begun_turn": event.data["turn"]})


def _agreement_ending(event: Event) -> Iterator[Write]:
    yield from _deal(event, {"ends_turn": event.data["ends_turn"]})


def _agreement_ended(event: Event) -> Iterator[Write]:
    yield from _deal(event, {"status": DONE})


def _deal_done(event: Event) -> Iterator[Write]:
    data = event.data
    yield from _deal(event, {**_sides(data), "status": DONE})
    for id_, owner in data["zones"].items():
        yield zone(id_, owner=owner, acquired_turn=data["turn"])
    yield from stocks(data)


def _deal_void(event: Event) -> Iterator[Write]:
    yield from _deal(event, {"status": VOID})


DEAL_PROJECTIONS: Mapping[str, Projection] = {
    "deal_offered": _deal_offered,
    "deal_accepted": _deal_accepted,
    "acceptance_numbered": _acceptance_numbered,
    "agreement_begun": _agreement_begun,
    "agreement_ending": _agreement_ending,
    "agreement_ended": _agreement_ended,
    "deal_done": _deal_done,
    "deal_void": _deal_void,
}
