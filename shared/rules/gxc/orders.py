"""Giving and taking back orders (GXC-32 to GXC-38)."""

from collections.abc import Mapping
from typing import Any

from shared.rules.gxc import sight
from shared.rules.gxc.codec import encode_order
from shared.rules.gxc.state import NOBODY, Order, State
from shared.rules.interface import OPERATORS, Event, Input, Refusal


def set_order(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-33, its checks in their order."""
    player = state.players.index[command.actor]
    order = _order_of(state, command)
    if refusal := _not_energized(state, player) or _bad_amount(order, command.payload.get("attack")):
        return refusal
    cost = 0 if order.move_to == NOBODY else _cost_of_move(state, player, order)
    if isinstance(cost, Refusal):
        return cost
    if order.target != NOBODY and (refusal := _attack_refused(state, player, order)):
        return refusal
    energy = state.players.energy[player]
    if cost + order.attack + order.defend > energy:
        detail = f"move cost, attack and defence together must be at most your energy, {energy}"
        return Refusal("insufficient_energy", "GXC-33", detail)
    number = Event("order_numbered", {"player": command.actor, "seq": command.seq}, OPERATORS)
    return [order_event("order_set", state, player, order), number, *sight.after_order(state, player, order)]


def clear_order(state: State, command: Input) -> list[Event] | Refusal:
    """GXC-32. Without an order there is nothing to clear, and nothing changes."""
    player = state.players.index[command.actor]
    if refusal := _not_energized(state, player):
        return refusal
    if state.players.order[player] is None:
        return []
    team = state.teams[state.players.team[player]].id
    data = {"player": command.actor, "team": team, "turn": state.turn}
    return [Event("order_cleared", data, (f"team:{team}",)), *sight.after_order(state, player, None)]


def order_event(type_: str, state: State, player: int, order: Order) -> Event:
    """An order as its team sees it, without seq (GXC-100)."""
    team = state.teams[state.players.team[player]].id
    data = {"player": state.players.ids[player], "team": team, "turn": state.turn, **encode_order(state, order)}
    return Event(type_, data, (f"team:{team}",))


def _order_of(state: State, command: Input) -> Order:
    index, payload = state.board.index, command.payload
    move_to, attack = payload.get("move_to"), payload.get("attack")
    return Order(
        NOBODY if move_to is None else index[move_to],
        NOBODY if attack is None else index[attack["target"]],
        0 if attack is None else attack["energy"],
        payload.get("defend", 0),
        command.seq,
    )


def _not_energized(state: State, player: int) -> Refusal | None:
    if state.players.energized_turn[player] == state.turn:
        return None
    return Refusal("not_energized", "GXC-25", "energize in this turn before you give an order")


def _bad_amount(order: Order, attack: Mapping[str, Any] | None) -> Refusal | None:
    if order.defend < 0:
        return Refusal("bad_amount", "GXC-33", "defend must be 0 or more")
    if attack is not None and order.attack < 1:
        return Refusal("bad_amount", "GXC-33", "an attack needs at least 1 energy")
    return None


def _cost_of_move(state: State, player: int, order: Order) -> int | Refusal:
    players, ids = state.players, state.board.ids
    if state.owner[order.move_to] != players.team[player]:
        return Refusal("not_own_territory", "GXC-34", "move to a territory that your team owns")
    location = players.location[player]
    if order.move_to == location:
        return Refusal("same_territory", "GXC-33", f"you stand on {ids[location]}; move elsewhere or not at all")
    cost = state.geography.move_cost(location, order.move_to, players.energy[player])
    if cost is None:
        detail = f"no path over territories of your team leads from {ids[location]} to {ids[order.move_to]}"
        return Refusal("no_path", "GXC-34", detail)
    return cost


def _attack_refused(state: State, player: int, order: Order) -> Refusal | None:
    place = state.players.location[player] if order.move_to == NOBODY else order.move_to
    ids, owner = state.board.ids, state.owner[order.target]
    if state.turn <= state.config.recruitment_turns:
        first = state.config.recruitment_turns + 1
        return Refusal("recruitment_mode", "GXC-23", f"attacks are possible from turn {first}")
    if order.target not in state.board.neighbours[place]:
        return Refusal("not_adjacent", "GXC-33", f"attack a neighbour of {ids[place]}, from where the order acts")
    if owner == state.players.team[player]:
        return Refusal("own_territory", "GXC-37", "attack a territory that your team does not own")
    if owner != NOBODY and order.target in state.teams[owner].protected:
        return Refusal("target_shielded", "GXC-81", f"{ids[order.target]} is protected by a shield; attack another one")
    return None
