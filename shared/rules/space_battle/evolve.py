"""The state after one event. Nothing is decided here: every value comes from the event (SPB-83)."""

from collections.abc import Callable, Mapping
from typing import Any

from shared.rules.interface import Event
from shared.rules.space_battle.state import (
    ACCEPTED,
    CANCELLED,
    DEPLOYING,
    ENDED,
    EXPIRED,
    ISSUED,
    REFUSED,
    RUNNING,
    WITHDRAWN,
    Challenge,
    Craft,
    Mine,
    Player,
    State,
)

Data = Mapping[str, Any]


def evolve(state: State, event: Event) -> State:
    """Apply an event in place and return the state. Raises KeyError for a type that the game does not have."""
    _APPLY[event.type](state, event.data)
    return state


def _nothing(state: State, data: Data) -> None:
    """Told for those who watch; the state learns it from other events."""


def _challenge_issued(state: State, data: Data) -> None:
    challenge = Challenge(data["challenge"], data["challenger"], data["challenged"], ISSUED, data["expires_at"])
    state.set_challenges(challenge)


def _changed(state: State, data: Data, **fields: Any) -> None:
    state.set_challenges(state.challenges[data["challenge"]]._replace(**fields))


def _challenge_accepted(state: State, data: Data) -> None:
    fields = {name: data[name] for name in ("number", "proposed_time", "proposed_by")}
    _changed(state, data, status=ACCEPTED, **fields)


def _challenge_refused(state: State, data: Data) -> None:
    _changed(state, data, status=REFUSED)


def _challenge_withdrawn(state: State, data: Data) -> None:
    _changed(state, data, status=WITHDRAWN)


def _challenge_expired(state: State, data: Data) -> None:
    _changed(state, data, status=EXPIRED)


def _time_proposed(state: State, data: Data) -> None:
    _changed(state, data, proposed_time=data["proposed_time"], proposed_by=data["proposed_by"])


def _staff_time_requested(state: State, data: Data) -> None:
    _changed(state, data, staff_requested=True)


def _time_agreed(state: State, data: Data) -> None:
    _changed(state, data, status=DEPLOYING, start_time=data["start_time"])
    state.phase = DEPLOYING


def _time_shifted(state: State, data: Data) -> None:
    moved = data["expires"].items()
    state.set_challenges(*(state.challenges[int(number)]._replace(expires_at=at) for number, at in moved))
    if data["start_time"] is not None and state.fought is not None:
        state.set_challenges(state.fought._replace(start_time=data["start_time"]))
    if data["move_started_at"] is not None:
        state.move_started_at = data["move_started_at"]


def _deployed(state: State, data: Data) -> None:
    """SPB-101: the next deployment replaces it whole."""
    side, classes = data["side"], state.config.classes
    craft = {name: item for name, item in state.craft.items() if item.side != side}
    for name, item in data["craft"].items():
        at = item["col"], item["row"]
        craft[name] = Craft(name, side, classes[item["class"]], at, item["shots_left"], 0, True)
    mines = {name: mine for name, mine in state.mines.items() if mine.side != side}
    for name, item in data["mines"].items():
        mines[name] = Mine(name, side, (item["col"], item["row"]), True)
    state.craft, state.mines = craft, mines


def _side_ready(state: State, data: Data) -> None:
    state.ready = {**state.ready, data["side"]: True}


def _battle_started(state: State, data: Data) -> None:
    _changed(state, data, status=RUNNING)
    state.phase = RUNNING
    state.to_move = data["to_move"]
    state.move_no = 1
    state.move_started_at = data["move_started_at"]
    state.lay_out()


def _craft_moved(state: State, data: Data) -> None:
    craft = state.craft[data["craft"]]
    column, row = data["path"][-1]
    at = column, row
    del state.square[craft.at]
    state.square[at] = craft.id
    state.craft[craft.id] = Craft(craft.id, craft.side, craft.kind, at, craft.shots_left, craft.damage, craft.alive)
    state.moved_this_move = True
    _part_completed(state, data["side"])


def _part_completed(state: State, side: str) -> None:
    """SPB-59."""
    if state.forfeits[side]:
        state.forfeits = {**state.forfeits, side: 0}


def _mine_spent(state: State, data: Data) -> None:
    state.set_mine(state.mines[data["mine"]]._replace(live=False))


def _shot_fired(state: State, data: Data) -> None:
    craft = state.craft[data["from"]]
    state.craft[craft.id] = Craft(
        craft.id, craft.side, craft.kind, craft.at, data["shots_left"], craft.damage, craft.alive
    )
    _part_completed(state, data["side"])


def _craft_damaged(state: State, data: Data) -> None:
    craft = state.craft[data["craft"]]
    state.craft[craft.id] = Craft(
        craft.id, craft.side, craft.kind, craft.at, craft.shots_left, data["damage"], craft.alive
    )


def _craft_destroyed(state: State, data: Data) -> None:
    craft = state.craft[data["craft"]]
    state.craft[craft.id] = craft._replace(alive=False)
    del state.square[craft.at]


def _time_warning(state: State, data: Data) -> None:
    state.warned = True


def _move_forfeited(state: State, data: Data) -> None:
    state.lapsed = True
    state.forfeits = {**state.forfeits, data["side"]: data["forfeits"]}


def _move_ended(state: State, data: Data) -> None:
    state.quiet_moves = data["quiet_moves"]
    state.move_no = data["move_no"]
    state.to_move = data["to_move"]
    state.move_started_at = data["move_started_at"]
    state.lapsed = data["lapsed"]
    state.moved_this_move = state.warned = False
    if not data["lapsed"]:
        _part_completed(state, data["side"])


def _battle_ended(state: State, data: Data) -> None:
    state.phase = ENDED
    state.result = data["result"]
    state.winner = data["winner"]
    _changed(state, data, status=CANCELLED if data["result"] == CANCELLED else ENDED)


def _hangar_changed(state: State, data: Data) -> None:
    state.set_player(data["player"], Player(dict(data["hangar"]), state.players[data["player"]].experience))


def _experience_changed(state: State, data: Data) -> None:
    state.set_player(data["player"], Player(state.players[data["player"]].hangar, data["experience"]))


_APPLY: Mapping[str, Callable[[State, Data], None]] = {
    "game_created": _nothing,
    "players_entered": _nothing,
    "challenge_issued": _challenge_issued,
    "challenge_accepted": _challenge_accepted,
    "challenge_refused": _challenge_refused,
    "challenge_withdrawn": _challenge_withdrawn,
    "challenge_expired": _challenge_expired,
    "time_proposed": _time_proposed,
    "staff_time_requested": _staff_time_requested,
    "time_agreed": _time_agreed,
    "time_shifted": _time_shifted,
    "deployed": _deployed,
    "side_ready": _side_ready,
    "no_show": _nothing,
    "battle_started": _battle_started,
    "craft_moved": _craft_moved,
    "mine_exploded": _nothing,
    "mine_spent": _mine_spent,
    "shot_fired": _shot_fired,
    "craft_damaged": _craft_damaged,
    "shield_down": _nothing,
    "craft_destroyed": _craft_destroyed,
    "time_warning": _time_warning,
    "move_forfeited": _move_forfeited,
    "move_ended": _move_ended,
    "battle_aborted": _nothing,
    "battle_ended": _battle_ended,
    "mines_revealed": _nothing,
    "hangar_changed": _hangar_changed,
    "experience_changed": _experience_changed,
    "chat_sent": _nothing,
}
"""Event type -> what it does, for every type of the game."""
