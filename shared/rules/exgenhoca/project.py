"""What each event writes into views (interface.Rules.project), from its data alone.

| kind | id | audience | fields |
| --- | --- | --- | --- |
| game | game | public | phase, round, times, attack count, end, config, continents |
| territory | territory | public | map data, owner; `effect` once it is revealed, `token` at the end |
| player | seat | public | id, status, rights, counts, pending choice, `cooldown:<territory>` |
| items | seat | public, or the player | inventory and penalties (EXG-66) |
| objective | seat | player; public at the end | objective |
| policy | seat | player | policy |
| attack | round and number | public | who, what, every roll as `roll:<n>`, outcome |
| round | round | public | opening, close, who closed it |
| member | player | operators | audiences |

Hidden tokens are written nowhere (EXG-67).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.rules.exgenhoca.forms import penalties_form
from shared.rules.exgenhoca.state import ACTIVE, ELIMINATED, ENDED, LOBBY, NO_PENALTIES, OFF, RUNNING
from shared.rules.interface import Event, Write
from shared.rules.projecting import OPERATORS, PUBLIC, Projection, game_write, nothing

_ROLL_FIELDS = ("attack_dice", "defence_dice", "A", "D", "modifiers")
_ATTACK_FIELDS = ("round", "attack", "attacker", "defender", "target")
_OUTCOME_FIELDS = ("taken", "tie", "repeat", "global")
_COUNT_FIELDS = ("attacks_left", "global_attacks", "attacks_made", "repeat_used", "conquests")


def project(event: Event) -> Iterable[Write]:
    """The writes of one event. Raises KeyError for a type that the game does not have."""
    return PROJECTIONS[event.type](event)


def _player(seat: int | str, **fields: Any) -> Write:
    return Write("player", str(seat), PUBLIC, fields)


def _territory(id_: str, **fields: Any) -> Write:
    return Write("territory", id_, PUBLIC, fields)


def _attack_id(data: Mapping[str, Any]) -> str:
    """Ascending ids are ascending attacks."""
    return f"{data['round']:06}-{data['attack']:06}"


def _game_created(event: Event) -> Iterator[Write]:
    data = event.data
    yield game_write(
        phase=LOBBY,
        round=0,
        round_opened_at=None,
        round_deadline=None,
        attack_count=0,
        winner=None,
        end_reason=None,
        ranking=[],
        points={},
        config=data["config"],
        continents=data["continents"],
    )
    for seat, id_ in enumerate(data["players"], 1):
        yield Write("member", id_, OPERATORS, {"audiences": [f"player:{id_}", f"seat:{seat}"]})
        yield _player(
            seat,
            id=id_,
            status=ACTIVE,
            eliminated_at=None,
            eliminated_by=None,
            attacks_left=0,
            global_attacks=0,
            attacks_made=0,
            repeat_used=False,
            idle_row=0,
            idle_total=0,
            passed=False,
            counts_idle=False,
            pending=None,
            conquests=0,
        )
        own = f"player:{id_}"
        items = {"inventory": [], "penalties": penalties_form(NO_PENALTIES)}
        yield Write("items", str(seat), PUBLIC if data["config"]["inventory_public"] else own, items)
        policy = {"defence_plus5": OFF, "defence_rerolls": 0, "sa_give": []}
        yield Write("policy", str(seat), own, {"policy": policy})


def _map_territories(event: Event) -> Iterator[Write]:
    for territory, entry in event.data["territories"].items():
        yield _territory(territory, owner=None, **entry)


def _dealt(event: Event) -> Iterator[Write]:
    for territory, seat in event.data["owners"].items():
        yield _territory(territory, owner=seat)


def _objective(event: Event) -> Iterator[Write]:
    for audience in event.to:
        yield Write("objective", str(event.data["seat"]), audience, {"objective": event.data["objective"]})


def _policy_set(event: Event) -> Iterator[Write]:
    for audience in event.to:
        yield Write("policy", str(event.data["seat"]), audience, {"policy": event.data["policy"]})


def _deadline_set(event: Event) -> Iterator[Write]:
    yield game_write(round_deadline=event.data["deadline"])


def _time_shifted(event: Event) -> Iterator[Write]:
    yield game_write(round_opened_at=event.data["opened_at"], round_deadline=event.data["deadline"])


def _round_opened(event: Event) -> Iterator[Write]:
    data = event.data
    opened_at, deadline = data["opened_at"], data["deadline"]
    yield game_write(
        phase=RUNNING, round=data["round"], round_opened_at=opened_at, round_deadline=deadline, attack_count=0
    )
    yield Write("round", f"{data['round']:06}", PUBLIC, {"opened_at": opened_at})
    for seat, attacks in data["attacks_left"].items():
        yield _player(
            seat,
            attacks_left=attacks,
            global_attacks=0,
            attacks_made=0,
            repeat_used=False,
            passed=False,
            counts_idle=int(seat) in data["counts_idle"],
        )


def _round_closed(event: Event) -> Iterator[Write]:
    """The rights that end here are set by the opening or the end of the game that follows."""
    data = event.data
    yield Write("round", f"{data['round']:06}", PUBLIC, {"closed_at": data["closed_at"], "by": data["by"]})


def _attack_rolled(event: Event) -> Iterator[Write]:
    data = event.data
    fields = {name: data[name] for name in _ATTACK_FIELDS}
    fields[f"roll:{data['roll_no']}"] = {name: data[name] for name in _ROLL_FIELDS}
    yield Write("attack", _attack_id(data), PUBLIC, fields)


def _attack_resolved(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("attack", _attack_id(data), PUBLIC, {name: data[name] for name in _OUTCOME_FIELDS})
    counts = {name: data[name] for name in _COUNT_FIELDS}
    yield _player(data["attacker"], **counts, idle_row=0, **{f"cooldown:{data['target']}": data["round"]})
    yield game_write(attack_count=data["attack"])


def _extra_attack(event: Event) -> Iterator[Write]:
    data = event.data
    yield _player(data["seat"], attacks_left=data["attacks_left"], global_attacks=data["global_attacks"])


def _captured(event: Event) -> Iterator[Write]:
    yield _territory(event.data["territory"], owner=event.data["to"])


def _sa_swapped(event: Event) -> Iterator[Write]:
    yield _territory(event.data["given"], owner=event.data["to"])


def _effect_revealed(event: Event) -> Iterator[Write]:
    yield _territory(event.data["territory"], effect=event.data["effect"])


def _items(event: Event) -> Iterator[Write]:
    data = event.data
    fields = {name: data[name] for name in ("inventory", "penalties") if name in data}
    for audience in event.to:
        yield Write("items", str(data["seat"]), audience, fields)


def _choice_pending(event: Event) -> Iterator[Write]:
    yield _player(event.data["seat"], pending=event.data["choice"])


def _choice_lapsed(event: Event) -> Iterator[Write]:
    yield _player(event.data["seat"], pending=None)


def _swapped(event: Event) -> Iterator[Write]:
    data = event.data
    yield _territory(data["take"], owner=data["seat"])
    yield _territory(data["give"], owner=data["other"])
    yield _player(data["seat"], pending=None)


def _territory_lost(event: Event) -> Iterator[Write]:
    yield _territory(event.data["territory"], owner=None)
    yield _player(event.data["seat"], pending=None)


def _passed(event: Event) -> Iterator[Write]:
    yield _player(event.data["seat"], passed=True)


def _player_eliminated(event: Event) -> Iterator[Write]:
    data = event.data
    at = {"round": data["round"], "order": data["order"]}
    out = {"pending": None, "attacks_left": 0, "global_attacks": 0}
    yield _player(data["seat"], status=ELIMINATED, eliminated_at=at, eliminated_by=data["by"], **out)


def _territories_released(event: Event) -> Iterator[Write]:
    for territory in event.data["territories"]:
        yield _territory(territory, owner=None)


def _idle_counted(event: Event) -> Iterator[Write]:
    for seat, counted in event.data["players"].items():
        yield _player(seat, **counted)


def _objectives_revealed(event: Event) -> Iterator[Write]:
    for seat, objective in event.data["objectives"].items():
        yield Write("objective", seat, PUBLIC, {"objective": objective})
    for territory, token in event.data["tokens"].items():
        yield _territory(territory, token=token)


def _game_ended(event: Event) -> Iterator[Write]:
    data = event.data
    yield game_write(
        phase=ENDED,
        round_deadline=None,
        winner=data["winner"],
        end_reason=data["reason"],
        ranking=data["ranking"],
        points=data["points"],
    )
    for seat in data["points"]:
        yield _player(seat, pending=None, attacks_left=0, global_attacks=0)


PROJECTIONS: Mapping[str, Projection] = {
    "game_created": _game_created,
    "map_territories": _map_territories,
    "dealt": _dealt,
    "tokens_placed": nothing,
    "objectives_shuffled": nothing,
    "objective_dealt": _objective,
    "policy_set": _policy_set,
    "deadline_set": _deadline_set,
    "time_shifted": _time_shifted,
    "round_opened": _round_opened,
    "round_closed": _round_closed,
    "attack_rolled": _attack_rolled,
    "attack_resolved": _attack_resolved,
    "extra_attack": _extra_attack,
    "captured": _captured,
    "sa_swapped": _sa_swapped,
    "effect_revealed": _effect_revealed,
    "effect_applied": _items,
    "item_used": _items,
    "items_expired": _items,
    "penalties_changed": _items,
    "choice_pending": _choice_pending,
    "choice_lapsed": _choice_lapsed,
    "swapped": _swapped,
    "territory_lost": _territory_lost,
    "passed": _passed,
    "player_eliminated": _player_eliminated,
    "territories_released": _territories_released,
    "objective_changed": _objective,
    "idle_counted": _idle_counted,
    "objectives_revealed": _objectives_revealed,
    "game_ended": _game_ended,
}
"""Event type -> projection, for every type of the game."""
