"""Orders are checked again, idle players get their standing order, everybody moves (GXC-61 to GXC-63)."""

from collections.abc import Sequence

from shared.rules.gxc.codec import encode_order
from shared.rules.gxc.events import parts_of
from shared.rules.gxc.state import NOBODY, Order
from shared.rules.gxc.turn import Turn
from shared.rules.interface import Event, Json


def muster(turn: Turn) -> None:
    """Reveal the orders, void what has become impossible, move, and line up attackers and defenders."""
    state = turn.state
    players, now = state.players, state.turn
    defend_all = state.config.idle_policy == "defend_all"
    ids, orders, energized_turn = players.ids, players.order, players.energized_turn
    names: Sequence[str | None] = (*state.board.ids, None)  # NOBODY is the last one
    location, energy, attack, defence = turn.location, turn.energy, turn.attack, turn.defence
    by_edge, by_target, standing = turn.by_edge, turn.by_target, turn.standing
    revealed: list[list[Json]] = []
    voided: list[Event] = []
    moved: list[Event] = []
    for player in players.canonical():
        if energized_turn[player] != now or location[player] < 0:
            continue
        order = orders[player]
        if order is None:
            defend, target = energy[player] if defend_all else 0, NOBODY  # GXC-39
        else:
            move_to, target, stack, defend, _ = order
            revealed.append([ids[player], names[move_to], names[target], stack, defend])
            if move_to >= 0 or target >= 0:
                order = _recheck(turn, player, order, voided)
                move_to, target, stack, defend, _ = order
            if move_to >= 0:
                moved.append(_move(turn, player, order))
            if target >= 0:
                attack[player] = stack
                by_edge[location[player], target].append(player)
                by_target[target].append(player)
        if defend:
            defence[player] = defend
            standing[location[player]].append(player)
    for part, parts, entries in parts_of(revealed):
        data = {"part": part, "parts": parts, "turn": now, "orders": entries}
        turn.events.append(Event("orders_revealed", data))
    turn.events += voided
    turn.events += moved


def _recheck(turn: Turn, player: int, order: Order, voided: list[Event]) -> Order:
    """The order as it is carried out; what has become impossible becomes defence where she is (GXC-40)."""
    state, place = turn.state, turn.location[player]
    team = state.players.team[player]
    if order.move_to >= 0:
        code = _fault_of_move(turn, player, order)
        if code is None:
            place = order.move_to
        else:
            order = order._replace(move_to=NOBODY)
            voided.append(_order_voided(turn, player, order, "move", code))
    target = order.target
    if target >= 0:
        code = _fault_of_attack(turn, place, target, team)
        if code is not None:
            order = _without_attack(order)
            voided.append(_order_voided(turn, player, order, "attack", code))
    return order


def _fault_of_move(turn: Turn, player: int, order: Order) -> str | None:
    state, energy = turn.state, turn.energy[player]
    if state.owner[order.move_to] != state.players.team[player]:
        return "not_own_territory"
    cost = state.geography.move_cost(turn.location[player], order.move_to, energy)
    if cost is None:
        return "no_path"
    return "insufficient_energy" if cost + order.attack + order.defend > energy else None


def _fault_of_attack(turn: Turn, place: int, target: int, team: int) -> str | None:
    state = turn.state
    owner = state.owner[target]
    if target not in state.board.neighbours[place]:
        return "not_adjacent"
    if owner == team:
        return "own_territory"
    return "target_shielded" if owner >= 0 and target in state.teams[owner].protected else None


def _without_attack(order: Order) -> Order:
    return order._replace(target=NOBODY, attack=0, defend=order.defend + order.attack)


def _order_voided(turn: Turn, player: int, order: Order, part: str, code: str) -> Event:
    data = {"player": turn.state.players.ids[player], "part": part, "code": code, **encode_order(turn.state, order)}
    return Event("order_voided", data)


def _move(turn: Turn, player: int, order: Order) -> Event:
    """Pay and go, all at once: no move changes what another one may do (GXC-35, GXC-63)."""
    state, start = turn.state, turn.location[player]
    cost = state.geography.move_cost(start, order.move_to, turn.energy[player]) or 0
    turn.energy[player] -= cost
    turn.location[player] = order.move_to
    ids = state.board.ids
    data = {"player": state.players.ids[player], "from": ids[start], "to": ids[order.move_to], "cost": cost}
    return Event("moved", data)
