"""What each event writes into views (interface.Rules.project), from its data alone.

| kind | id | audience | fields |
| --- | --- | --- | --- |
| game | game | public | phase, sides, move, clock, ready, forfeits, result, config |
| player | player | public | hangar, experience, side |
| challenge | number | public | everything of SPB-13 |
| deployment | side | player | craft and mines as deployed; `spent:<mine>` once it exploded (SPB-77, SPB-79) |
| craft | craft | public | everything of SPB-15, from the start on (SPB-78) |
| mine | mine | public | everything of SPB-16, after the end (SPB-79) |
| move | move | public | what was moved, fired, hit and destroyed in it |
| chat | message | both players | author, hash (SPB-80) |
| member | player | operators | audiences |
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.rules.interface import Event, Write
from shared.rules.projecting import OPERATORS, PUBLIC, Projection, game_write, nothing
from shared.rules.space_battle.state import (
    ACCEPTED,
    CANCELLED,
    DEPLOYING,
    ENDED,
    EXPIRED,
    ISSUED,
    REFUSED,
    RUNNING,
    SIDES,
    WITHDRAWN,
)


def project(event: Event) -> Iterable[Write]:
    """The writes of one event. Raises KeyError for a type that the game does not have."""
    return PROJECTIONS[event.type](event)


def _challenge(challenge: int | str, /, **fields: Any) -> Write:
    return Write("challenge", f"{int(challenge):06}", PUBLIC, fields)


def _craft(name: str, **fields: Any) -> Write:
    return Write("craft", name, PUBLIC, fields)


def _game_created(event: Event) -> Iterator[Write]:
    nobody = dict.fromkeys(SIDES, 0)
    yield game_write(
        phase=None,
        to_move=None,
        move_no=0,
        move_started_at=None,
        moved_this_move=False,
        warned=False,
        lapsed=False,
        quiet_moves=0,
        result=None,
        winner=None,
        config=event.data["config"],
        **{f"ready:{side}": False for side in nobody},
        **{f"forfeits:{side}": 0 for side in nobody},
    )


def _players_entered(event: Event) -> Iterator[Write]:
    for name, hangar in event.data["hangars"].items():
        yield Write("member", name, OPERATORS, {"audiences": [f"player:{name}"]})
        yield Write("player", name, PUBLIC, {"hangar": hangar, "experience": 0, "side": None})


def _challenge_issued(event: Event) -> Iterator[Write]:
    data = event.data
    yield _challenge(
        data["challenge"],
        challenger=data["challenger"],
        challenged=data["challenged"],
        status=ISSUED,
        expires_at=data["expires_at"],
        number=None,
        proposed_time=None,
        proposed_by=None,
        staff_requested=False,
        start_time=None,
    )


def _challenge_accepted(event: Event) -> Iterator[Write]:
    fields = {name: event.data[name] for name in ("number", "proposed_time", "proposed_by")}
    yield _challenge(event.data["challenge"], status=ACCEPTED, **fields)


def _over(status: str) -> Projection:
    return lambda event: (_challenge(event.data["challenge"], status=status),)


def _time_proposed(event: Event) -> Iterator[Write]:
    fields = {name: event.data[name] for name in ("proposed_time", "proposed_by")}
    yield _challenge(event.data["challenge"], **fields)


def _staff_time_requested(event: Event) -> Iterator[Write]:
    yield _challenge(event.data["challenge"], staff_requested=True)


def _time_agreed(event: Event) -> Iterator[Write]:
    """The two have sides from here on, and are told what is told to a side."""
    data = event.data
    yield _challenge(data["challenge"], status=DEPLOYING, start_time=data["start_time"])
    yield game_write(phase=DEPLOYING, battle=data["challenge"])
    for side, name in zip(SIDES, data["players"], strict=True):
        yield Write("player", name, PUBLIC, {"side": side})
        yield Write("member", name, OPERATORS, {"audiences": [f"player:{name}", f"side:{side}"]})


def _time_shifted(event: Event) -> Iterator[Write]:
    data = event.data
    for number, at in data["expires"].items():
        yield _challenge(number, expires_at=at)
    if data["start_time"] is not None:
        yield _challenge(data["battle"], start_time=data["start_time"])
    if data["move_started_at"] is not None:
        yield game_write(move_started_at=data["move_started_at"])


def _deployed(event: Event) -> Iterator[Write]:
    data = event.data
    for audience in event.to:
        yield Write("deployment", data["side"], audience, {"craft": data["craft"], "mines": data["mines"]})


def _side_ready(event: Event) -> Iterator[Write]:
    yield game_write(**{f"ready:{event.data['side']}": True})


def _battle_started(event: Event) -> Iterator[Write]:
    data = event.data
    yield _challenge(data["challenge"], status=RUNNING)
    yield game_write(phase=RUNNING, move_no=1, to_move=data["to_move"], move_started_at=data["move_started_at"])
    for name, item in data["craft"].items():
        yield _craft(name, **item, damage=0, alive=True)
    yield _move(1, side=data["to_move"], started_at=data["move_started_at"])


def _move(number: int, **fields: Any) -> Write:
    """Ascending ids are ascending moves."""
    return Write("move", f"{number:08}", PUBLIC, {"move_no": number, **fields})


def _craft_moved(event: Event) -> Iterator[Write]:
    data = event.data
    column, row = data["path"][-1]
    yield _craft(data["craft"], col=column, row=row)
    yield game_write(moved_this_move=True, **{f"forfeits:{data['side']}": 0})
    moved = {name: data[name] for name in ("craft", "from", "path")}
    yield _move(data["move_no"], moved=moved)


def _mine_exploded(event: Event) -> Iterator[Write]:
    data = event.data
    column, row = data["square"]
    told = {name: data[name] for name in ("craft", "square", "count")}
    yield _move(data["move_no"], **{f"mine:{column:02}-{row:02}": told})


def _mine_spent(event: Event) -> Iterator[Write]:
    for audience in event.to:
        yield Write("deployment", event.data["side"], audience, {f"spent:{event.data['mine']}": True})


def _shot_fired(event: Event) -> Iterator[Write]:
    data = event.data
    yield _craft(data["from"], shots_left=data["shots_left"])
    yield game_write(**{f"forfeits:{data['side']}": 0})
    shot = {name: data[name] for name in ("from", "target", "hit", "distance", "damage")}
    yield _move(data["move_no"], shot=shot)


def _craft_damaged(event: Event) -> Iterator[Write]:
    yield _craft(event.data["craft"], damage=event.data["damage"])


def _shield_down(event: Event) -> Iterator[Write]:
    yield _move(event.data["move_no"], **{f"shield_down:{event.data['craft']}": True})


def _craft_destroyed(event: Event) -> Iterator[Write]:
    yield _craft(event.data["craft"], alive=False)
    yield _move(event.data["move_no"], **{f"destroyed:{event.data['craft']}": True})


def _time_warning(event: Event) -> Iterator[Write]:
    yield game_write(warned=True)


def _move_forfeited(event: Event) -> Iterator[Write]:
    data = event.data
    yield game_write(lapsed=True, **{f"forfeits:{data['side']}": data["forfeits"]})
    yield _move(data["move_no"], forfeited=True)


def _move_ended(event: Event) -> Iterator[Write]:
    data = event.data
    names = ("lapsed", "quiet_moves", "move_no", "to_move", "move_started_at")
    forfeits = {} if data["lapsed"] else {f"forfeits:{data['side']}": 0}
    yield game_write(moved_this_move=False, warned=False, **{name: data[name] for name in names}, **forfeits)
    yield _move(data["move_no"], side=data["to_move"], started_at=data["move_started_at"])


def _battle_ended(event: Event) -> Iterator[Write]:
    data = event.data
    yield game_write(phase=ENDED, result=data["result"], winner=data["winner"])
    yield _challenge(data["challenge"], status=CANCELLED if data["result"] == CANCELLED else ENDED)


def _mines_revealed(event: Event) -> Iterator[Write]:
    for name, item in event.data["mines"].items():
        yield Write("mine", name, PUBLIC, dict(item))


def _hangar_changed(event: Event) -> Iterator[Write]:
    yield Write("player", event.data["player"], PUBLIC, {"hangar": event.data["hangar"]})


def _experience_changed(event: Event) -> Iterator[Write]:
    yield Write("player", event.data["player"], PUBLIC, {"experience": event.data["experience"]})


def _chat_sent(event: Event) -> Iterator[Write]:
    for audience in event.to:
        yield Write("chat", event.data["message"], audience, {name: event.data[name] for name in ("author", "hash")})


PROJECTIONS: Mapping[str, Projection] = {
    "game_created": _game_created,
    "players_entered": _players_entered,
    "challenge_issued": _challenge_issued,
    "challenge_accepted": _challenge_accepted,
    "challenge_refused": _over(REFUSED),
    "challenge_withdrawn": _over(WITHDRAWN),
    "challenge_expired": _over(EXPIRED),
    "time_proposed": _time_proposed,
    "staff_time_requested": _staff_time_requested,
    "time_agreed": _time_agreed,
    "time_shifted": _time_shifted,
    "deployed": _deployed,
    "side_ready": _side_ready,
    "no_show": nothing,
    "battle_started": _battle_started,
    "craft_moved": _craft_moved,
    "mine_exploded": _mine_exploded,
    "mine_spent": _mine_spent,
    "shot_fired": _shot_fired,
    "craft_damaged": _craft_damaged,
    "shield_down": _shield_down,
    "craft_destroyed": _craft_destroyed,
    "time_warning": _time_warning,
    "move_forfeited": _move_forfeited,
    "move_ended": _move_ended,
    "battle_aborted": nothing,
    "battle_ended": _battle_ended,
    "mines_revealed": _mines_revealed,
    "hangar_changed": _hangar_changed,
    "experience_changed": _experience_changed,
    "chat_sent": _chat_sent,
}
"""Event type -> projection, for every type of the game."""
