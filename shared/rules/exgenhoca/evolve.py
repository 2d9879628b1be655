"""The state after one event. Nothing is decided here: every value comes from the event (EXG-68)."""

from collections.abc import Callable, Mapping
from typing import Any

from shared.rules.exgenhoca.forms import inventory_of, penalties_of, policy_of
from shared.rules.exgenhoca.state import ELIMINATED, ENDED, NOBODY, RUNNING, State, objective_of
from shared.rules.interface import Event

Data = Mapping[str, Any]


def evolve(state: State, event: Event) -> State:
    """Apply an event in place and return the state. Raises KeyError for a type that the game does not have."""
    _APPLY[event.type](state, event.data)
    return state


def _nothing(state: State, data: Data) -> None:
    """Told for those who watch; the state learns it from other events."""


def _dealt(state: State, data: Data) -> None:
    for territory, seat in data["owners"].items():
        state.set_owner(state.board.index[territory], seat)


def _tokens_placed(state: State, data: Data) -> None:
    for territory, effect in data["tokens"].items():
        state.token[state.board.index[territory]] = effect


def _objective(state: State, data: Data) -> None:
    state.edit(data["seat"]).objective = objective_of(state.board, data["objective"])


def _policy_set(state: State, data: Data) -> None:
    state.edit(data["seat"]).policy = policy_of(state.board, data["policy"])


def _deadline_set(state: State, data: Data) -> None:
    state.round_deadline = data["deadline"]


def _time_shifted(state: State, data: Data) -> None:
    state.round_opened_at = data["opened_at"]
    state.round_deadline = data["deadline"]


def _round_opened(state: State, data: Data) -> None:
    """EXG-15: what a round begins with; cooldowns that ban nothing any more are dropped."""
    number = data["round"]
    state.phase = RUNNING
    state.round = number
    state.round_opened_at = data["opened_at"]
    state.round_deadline = data["deadline"]
    state.attack_count = 0
    rights, counts_idle = data["attacks_left"], set(data["counts_idle"])
    banned_since = number - state.config.cooldown_rounds
    for known in state.players:
        player = state.edit(known.seat)
        player.attacks_left = rights[str(player.seat)]
        player.global_attacks = player.attacks_made = 0
        player.repeat_used = player.passed = False
        player.attacked_this_round = set()
        player.counts_idle = player.seat in counts_idle
        if player.cooldown:
            player.cooldown = {item: last for item, last in player.cooldown.items() if last >= banned_since}


def _round_closed(state: State, data: Data) -> None:
    for known in state.players:
        if known.attacks_left or known.global_attacks:
            player = state.edit(known.seat)
            player.attacks_left = player.global_attacks = 0


def _attack_resolved(state: State, data: Data) -> None:
    """EXG-25, EXG-51: the target is banned, and she was not idle."""
    player, target = state.edit(data["attacker"]), state.board.index[data["target"]]
    state.attack_count = data["attack"]
    player.cooldown[target] = data["round"]
    player.attacked_this_round.add(target)
    player.attacks_left = data["attacks_left"]
    player.global_attacks = data["global_attacks"]
    player.attacks_made = data["attacks_made"]
    player.repeat_used = data["repeat_used"]
    player.conquests = data["conquests"]
    player.idle_row = 0


def _extra_attack(state: State, data: Data) -> None:
    player = state.edit(data["seat"])
    player.attacks_left = data["attacks_left"]
    player.global_attacks = data["global_attacks"]


def _captured(state: State, data: Data) -> None:
    state.set_owner(state.board.index[data["territory"]], data["to"])


def _sa_swapped(state: State, data: Data) -> None:
    state.set_owner(state.board.index[data["given"]], data["to"])


def _effect_revealed(state: State, data: Data) -> None:
    state.token[state.board.index[data["territory"]]] = None


def _effect_applied(state: State, data: Data) -> None:
    player = state.edit(data["seat"])
    player.inventory = inventory_of(data["inventory"])
    player.penalties = penalties_of(data["penalties"])


def _inventory(state: State, data: Data) -> None:
    state.edit(data["seat"]).inventory = inventory_of(data["inventory"])


def _penalties_changed(state: State, data: Data) -> None:
    state.edit(data["seat"]).penalties = penalties_of(data["penalties"])


def _choice_pending(state: State, data: Data) -> None:
    state.edit(data["seat"]).pending = data["choice"]


def _choice_lapsed(state: State, data: Data) -> None:
    state.edit(data["seat"]).pending = None


def _swapped(state: State, data: Data) -> None:
    index, other = state.board.index, data["other"]
    state.set_owner(index[data["take"]], data["seat"])
    state.set_owner(index[data["give"]], NOBODY if other is None else other)
    state.edit(data["seat"]).pending = None


def _territory_lost(state: State, data: Data) -> None:
    state.set_owner(state.board.index[data["territory"]], NOBODY)
    state.edit(data["seat"]).pending = None


def _passed(state: State, data: Data) -> None:
    state.edit(data["seat"]).passed = True


def _player_eliminated(state: State, data: Data) -> None:
    """EXG-54: items, rights and pending choices vanish."""
    player = state.edit(data["seat"])
    player.status = ELIMINATED
    player.eliminated_at = data["round"], data["order"]
    player.eliminated_by = data["by"]
    player.inventory = ()
    player.pending = None
    player.attacks_left = player.global_attacks = 0


def _territories_released(state: State, data: Data) -> None:
    for territory in data["territories"]:
        state.set_owner(state.board.index[territory], NOBODY)


def _idle_counted(state: State, data: Data) -> None:
    for seat, counted in data["players"].items():
        player = state.edit(int(seat))
        player.idle_row = counted["idle_row"]
        player.idle_total = counted["idle_total"]


def _game_ended(state: State, data: Data) -> None:
    state.phase = ENDED
    state.round_deadline = None
    state.winner = data["winner"]
    state.end_reason = data["reason"]
    state.ranking = list(data["ranking"])
    state.points = {int(seat): points for seat, points in data["points"].items()}
    for known in state.players:
        player = state.edit(known.seat)
        player.pending = None
        player.attacks_left = player.global_attacks = 0


_APPLY: Mapping[str, Callable[[State, Data], None]] = {
    "game_created": _nothing,
    "map_territories": _nothing,
    "dealt": _dealt,
    "tokens_placed": _tokens_placed,
    "objectives_shuffled": _nothing,
    "objective_dealt": _objective,
    "policy_set": _policy_set,
    "deadline_set": _deadline_set,
    "time_shifted": _time_shifted,
    "round_opened": _round_opened,
    "round_closed": _round_closed,
    "attack_rolled": _nothing,
    "attack_resolved": _attack_resolved,
    "extra_attack": _extra_attack,
    "captured": _captured,
    "sa_swapped": _sa_swapped,
    "effect_revealed": _effect_revealed,
    "effect_applied": _effect_applied,
    "item_used": _inventory,
    "items_expired": _inventory,
    "penalties_changed": _penalties_changed,
    "choice_pending": _choice_pending,
    "choice_lapsed": _choice_lapsed,
    "swapped": _swapped,
    "territory_lost": _territory_lost,
    "passed": _passed,
    "player_eliminated": _player_eliminated,
    "territories_released": _territories_released,
    "objective_changed": _objective,
    "idle_counted": _idle_counted,
    "objectives_revealed": _nothing,
    "game_ended": _game_ended,
}
"""Event type -> what it does, for every type of the game."""
