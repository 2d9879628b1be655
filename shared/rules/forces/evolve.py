"""The state after one event. Nothing is decided here: every value comes from the event."""

from collections.abc import Callable, Mapping
from typing import Any

from shared.rules.forces.board import counts_of
from shared.rules.forces.state import (
    CAPITALS,
    ELIMINATED,
    ENDED,
    NOBODY,
    PICKING,
    YEAR,
    Player,
    State,
    Submission,
)
from shared.rules.forces.tables import FACTORY, NONE, NUMBER
from shared.rules.interface import Event

Data = Mapping[str, Any]


def evolve(state: State, event: Event) -> State:
    """Apply an event in place and return the state. Raises KeyError for a type that the game does not have."""
    APPLY[event.type](state, event.data)
    return state


def _nothing(state: State, data: Data) -> None:
    """Told for those who watch; the state learns it from other events."""


def _joined(state: State, data: Data) -> None:
    state.players[data["player"]] = Player(data["player"], data["joined"])


def _left(state: State, data: Data) -> None:
    del state.players[data["player"]]


def _seats_given(state: State, data: Data) -> None:
    state.seats = [state.players[id_] for id_ in data["seats"]]
    for seat, player in enumerate(state.seats, 1):
        player.seat = seat


def _times(state: State, data: Data) -> None:
    state.opened_at = data["opened_at"]
    state.deadline = data["deadline"]


def _deadline_set(state: State, data: Data) -> None:
    state.deadline = data["deadline"]


def _pick_opened(state: State, data: Data) -> None:
    state.phase = PICKING
    state.pick_index = data["pick_index"]
    _times(state, data)


def _zone_picked(state: State, data: Data) -> None:
    zone = state.board.index[data["zone"]]
    state.set_owner(zone, data["seat"])
    state.set_forces(zone, data["seat"], counts_of(data["forces"]))
    state.picked[zone] = True
    state.pick_index = data["pick_index"] + 1


def _capitals_opened(state: State, data: Data) -> None:
    state.phase = CAPITALS
    _times(state, data)


def _capital_chosen(state: State, data: Data) -> None:
    state.seats[data["seat"] - 1].capital = state.board.index[data["zone"]]


def _capital_dropped(state: State, data: Data) -> None:
    state.seats[data["seat"] - 1].capital = None


def _credits(state: State, data: Data) -> None:
    state.seats[data["seat"] - 1].credits = data["credits"]


def _income(state: State, data: Data) -> None:
    player = state.seats[data["seat"] - 1]
    player.last_income = data["amount"]
    player.credits = data["credits"]


def _year_opened(state: State, data: Data) -> None:
    state.phase = YEAR
    state.year = data["year"]
    _times(state, data)
    for player in state.seats:
        player.submission = None


def _submission_stored(state: State, data: Data) -> None:
    player = state.seats[data["seat"] - 1]
    seq = 0 if player.submission is None else player.submission.seq
    player.submission = Submission(tuple(data["purchases"]), tuple(data["moves"]), seq)


def _submission_numbered(state: State, data: Data) -> None:
    player = state.seats[data["seat"] - 1]
    player.submission = (player.submission or Submission())._replace(seq=data["seq"])


def _moved(state: State, data: Data) -> None:
    """As twice State.set_count; most events of a year are of this type."""
    index, forces, seat, type_ = state.board.index, state.forces, data["seat"], NUMBER[data["type"]]
    here, left = forces[index[data["from"]]], data["left"]
    counts = here.get(seat) or here.setdefault(seat, list(NONE))
    counts[type_] = left
    if not left and not any(counts):
        del here[seat]
    beyond, there = forces[index[data["to"]]], data["there"]
    counts = beyond.get(seat) or beyond.setdefault(seat, list(NONE))
    counts[type_] = there
    if not there and not any(counts):
        del beyond[seat]


def _casualty(state: State, data: Data) -> None:
    state.set_count(state.board.index[data["zone"]], data["seat"], NUMBER[data["type"]], data["left"])


def _zone_taken(state: State, data: Data) -> None:
    state.set_owner(state.board.index[data["zone"]], data["seat"])


def _zone_neutral(state: State, data: Data) -> None:
    state.set_owner(state.board.index[data["zone"]], NOBODY)


def _player_eliminated(state: State, data: Data) -> None:
    player = state.seats[data["seat"] - 1]
    player.status = ELIMINATED
    player.eliminated_year = data["year"]
    player.submission = None


def _forces_removed(state: State, data: Data) -> None:
    state.set_forces(state.board.index[data["zone"]], data["seat"], NONE)


def _placed(state: State, data: Data) -> None:
    zone = state.board.index[data["zone"]]
    if data["type"] == FACTORY:
        state.factory[zone] = True
    else:
        state.set_count(zone, data["seat"], NUMBER[data["type"]], data["there"])


def _game_ended(state: State, data: Data) -> None:
    state.phase = ENDED
    state.deadline = None
    state.winner = list(data["winner"])
    state.condition = data["condition"]
    state.ranking = [list(rank) for rank in data["ranking"]]
    for player in state.seats:
        player.submission = None


APPLY: Mapping[str, Callable[[State, Data], None]] = {
    "game_created": _nothing,
    "map_zones": _nothing,
    "joined": _joined,
    "left": _left,
    "seats_given": _seats_given,
    "zones_shuffled": _nothing,
    "pick_opened": _pick_opened,
    "zone_picked": _zone_picked,
    "capitals_opened": _capitals_opened,
    "capital_chosen": _capital_chosen,
    "capital_dropped": _capital_dropped,
    "capitals_revealed": _nothing,
    "credits_granted": _credits,
    "deadline_set": _deadline_set,
    "time_shifted": _times,
    "year_opened": _year_opened,
    "turn_submitted": _nothing,
    "submission_stored": _submission_stored,
    "submission_numbered": _submission_numbered,
    "paid": _credits,
    "moved": _moved,
    "stopped": _nothing,
    "combat_roll": _nothing,
    "casualty": _casualty,
    "zone_taken": _zone_taken,
    "zone_neutral": _zone_neutral,
    "factory_captured": _nothing,
    "player_eliminated": _player_eliminated,
    "forces_removed": _forces_removed,
    "placed": _placed,
    "not_produced": _nothing,
    "refunded": _credits,
    "income": _income,
    "year_resolved": _nothing,
    "game_ended": _game_ended,
}
"""Event type -> what it does, for every type of the game."""
