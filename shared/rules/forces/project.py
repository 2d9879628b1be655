"""What each event writes into views (interface.Rules.project), from its data alone.

| kind | id | audience | fields |
| --- | --- | --- | --- |
| game | game | public | phase, year, times, pick and whose it is, end, config |
| zone | zone | public | map data, owner, factory; `troop:<seat>` and `tank:<seat>`, combat Forces by seat |
| player | player | public | which join was hers, seat |
| seat | seat | public | status, eliminated year, last year submitted in; capital once it is revealed |
| purse | seat | public, or the player | credits and last income (FOR-80) |
| capital | seat | player | her choice (FOR-79) |
| submission | seat | player | year, purchases and moves (FOR-79) |
| submission | seat | operators | year and number of the judgement |
| combat | year, part and zone | public | `roll:<n>` and `casualty:<n>`, so many a part |
| year | year | public | opening, who closed it |
| member | player | operators | audiences |
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.rules.forces.state import ACTIVE, CAPITALS, ELIMINATED, ENDED, LOBBY, PICKING, YEAR
from shared.rules.forces.tables import COMBAT, FACTORY
from shared.rules.interface import Event, Write
from shared.rules.projecting import OPERATORS, PUBLIC, Projection, game_write, nothing

ROLLS_A_DOCUMENT = 500
"""A zone may see more rolls than a document should hold."""
ROLL_FIELDS = ("seat", "type", "r", "odds", "hit")
CASUALTY_FIELDS = ("by", "seat", "type", "of", "pick")


def project(event: Event) -> Iterable[Write]:
    """The writes of one event. Raises KeyError for a type that the game does not have."""
    return PROJECTIONS[event.type](event)


def _seat(seat: int | str, **fields: Any) -> Write:
    return Write("seat", str(seat), PUBLIC, fields)


def _zone(id_: str, **fields: Any) -> Write:
    return Write("zone", id_, PUBLIC, fields)


def _held(type_: str, seat: int) -> str:
    """The field of a zone with a seat's Forces of a type."""
    return f"{type_}:{seat}"


def _game_created(event: Event) -> Iterator[Write]:
    yield game_write(
        phase=LOBBY,
        year=None,
        opened_at=None,
        deadline=None,
        pick_index=0,
        pick_seat=None,
        winner=[],
        condition=None,
        ranking=[],
        config=event.data["config"],
    )


def _map_zones(event: Event) -> Iterator[Write]:
    for zone, entry in event.data["zones"].items():
        yield _zone(zone, owner=None, factory=entry["start_forces"][FACTORY], picked=False, **entry)


def _joined(event: Event) -> Iterator[Write]:
    id_ = event.data["player"]
    yield Write("member", id_, OPERATORS, {"audiences": [f"player:{id_}"]})
    yield Write("player", id_, PUBLIC, {"joined": event.data["joined"], "seat": None})


def _left(event: Event) -> Iterator[Write]:
    yield Write("member", event.data["player"], OPERATORS, {}, gone=True)
    yield Write("player", event.data["player"], PUBLIC, {}, gone=True)


def _seats_given(event: Event) -> Iterator[Write]:
    for seat, id_ in enumerate(event.data["seats"], 1):
        yield Write("member", id_, OPERATORS, {"audiences": [f"player:{id_}", f"seat:{seat}"]})
        yield Write("player", id_, PUBLIC, {"seat": seat})
        yield _seat(seat, status=ACTIVE, eliminated_year=None, submitted=None)
        audience = PUBLIC if event.data["credits_public"] else f"player:{id_}"
        yield Write("purse", str(seat), audience, {"credits": 0, "last_income": 0})


def _pick_opened(event: Event) -> Iterator[Write]:
    data = event.data
    yield game_write(
        phase=PICKING,
        pick_index=data["pick_index"],
        pick_seat=data["seat"],
        opened_at=data["opened_at"],
        deadline=data["deadline"],
    )


def _zone_picked(event: Event) -> Iterator[Write]:
    data = event.data
    forces = {_held(type_, data["seat"]): data["forces"][type_] for type_ in COMBAT}
    yield _zone(data["zone"], owner=data["seat"], picked=True, **forces)
    yield game_write(pick_index=data["pick_index"] + 1)


def _capitals_opened(event: Event) -> Iterator[Write]:
    yield game_write(phase=CAPITALS, pick_seat=None, **event.data)


def _capital_chosen(event: Event) -> Iterator[Write]:
    for audience in event.to:
        yield Write("capital", str(event.data["seat"]), audience, {"capital": event.data["zone"]})


def _capital_dropped(event: Event) -> Iterator[Write]:
    for audience in event.to:
        yield Write("capital", str(event.data["seat"]), audience, {"capital": None})


def _capitals_revealed(event: Event) -> Iterator[Write]:
    for seat, zone in event.data["capitals"].items():
        yield _seat(seat, capital=zone)


def _credits(event: Event) -> Iterator[Write]:
    for audience in event.to:
        yield Write("purse", str(event.data["seat"]), audience, {"credits": event.data["credits"]})


def _income(event: Event) -> Iterator[Write]:
    data = event.data
    for audience in event.to:
        fields = {"credits": data["credits"], "last_income": data["amount"]}
        yield Write("purse", str(data["seat"]), audience, fields)


def _deadline_set(event: Event) -> Iterator[Write]:
    yield game_write(deadline=event.data["deadline"])


def _time_shifted(event: Event) -> Iterator[Write]:
    yield game_write(opened_at=event.data["opened_at"], deadline=event.data["deadline"])


def _year_opened(event: Event) -> Iterator[Write]:
    yield game_write(phase=YEAR, **event.data)
    yield Write("year", f"{event.data['year']:07}", PUBLIC, {"opened_at": event.data["opened_at"]})


def _turn_submitted(event: Event) -> Iterator[Write]:
    yield _seat(event.data["seat"], submitted=event.data["year"])


def _submission_stored(event: Event) -> Iterator[Write]:
    data = event.data
    fields = {name: data[name] for name in ("year", "purchases", "moves")}
    for audience in event.to:
        yield Write("submission", str(data["seat"]), audience, fields)


def _submission_numbered(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("submission", str(data["seat"]), OPERATORS, {"year": data["year"], "seq": data["seq"]})


def _moved(event: Event) -> Iterator[Write]:
    data = event.data
    name = _held(data["type"], data["seat"])
    yield _zone(data["from"], **{name: data["left"]})
    yield _zone(data["to"], **{name: data["there"]})


def _combat(data: Mapping[str, Any], name: str, fields: Iterable[str]) -> Write:
    part, number = (data["number"] - 1) // ROLLS_A_DOCUMENT, data["number"]
    id_ = f"{data['year']:07}-{part:04}-{data['zone']}"
    return Write("combat", id_, PUBLIC, {f"{name}:{number}": {field: data[field] for field in fields}})


def _combat_roll(event: Event) -> Iterator[Write]:
    yield _combat(event.data, "roll", ROLL_FIELDS)


def _casualty(event: Event) -> Iterator[Write]:
    data = event.data
    yield _zone(data["zone"], **{_held(data["type"], data["seat"]): data["left"]})
    yield _combat(data, "casualty", CASUALTY_FIELDS)


def _zone_taken(event: Event) -> Iterator[Write]:
    yield _zone(event.data["zone"], owner=event.data["seat"])


def _zone_neutral(event: Event) -> Iterator[Write]:
    yield _zone(event.data["zone"], owner=None)


def _player_eliminated(event: Event) -> Iterator[Write]:
    yield _seat(event.data["seat"], status=ELIMINATED, eliminated_year=event.data["year"], submitted=None)


def _forces_removed(event: Event) -> Iterator[Write]:
    data = event.data
    yield _zone(data["zone"], **{_held(type_, data["seat"]): 0 for type_ in COMBAT})


def _placed(event: Event) -> Iterator[Write]:
    data = event.data
    if data["type"] == FACTORY:
        yield _zone(data["zone"], factory=True)
    else:
        yield _zone(data["zone"], **{_held(data["type"], data["seat"]): data["there"]})


def _year_resolved(event: Event) -> Iterator[Write]:
    yield Write("year", f"{event.data['year']:07}", PUBLIC, {"by": event.data["by"]})


def _game_ended(event: Event) -> Iterator[Write]:
    yield game_write(phase=ENDED, deadline=None, pick_seat=None, **event.data)


PROJECTIONS: Mapping[str, Projection] = {
    "game_created": _game_created,
    "map_zones": _map_zones,
    "joined": _joined,
    "left": _left,
    "seats_given": _seats_given,
    "zones_shuffled": nothing,
    "pick_opened": _pick_opened,
    "zone_picked": _zone_picked,
    "capitals_opened": _capitals_opened,
    "capital_chosen": _capital_chosen,
    "capital_dropped": _capital_dropped,
    "capitals_revealed": _capitals_revealed,
    "credits_granted": _credits,
    "deadline_set": _deadline_set,
    "time_shifted": _time_shifted,
    "year_opened": _year_opened,
    "turn_submitted": _turn_submitted,
    "submission_stored": _submission_stored,
    "submission_numbered": _submission_numbered,
    "paid": _credits,
    "moved": _moved,
    "stopped": nothing,
    "combat_roll": _combat_roll,
    "casualty": _casualty,
    "zone_taken": _zone_taken,
    "zone_neutral": _zone_neutral,
    "factory_captured": nothing,
    "player_eliminated": _player_eliminated,
    "forces_removed": _forces_removed,
    "placed": _placed,
    "not_produced": nothing,
    "refunded": _credits,
    "income": _income,
    "year_resolved": _year_resolved,
    "game_ended": _game_ended,
}
"""Event type -> projection, for every type of the game."""
