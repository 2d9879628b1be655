"""Orders are checked again, idle players get their standing order, everybody moves (GXC-61 to GXC-63)."""

from collections.abc import Sequence

from shared.rules.gxc.codec import encode_order
from shared.rules.gxc.events import parts_of
from shared.rules.gxc.state import NOBODY, Order
from shared.rules.gxc.turn import Turn
from shared.rules.interface import Event, Json


def muster(turn: Turn) -> None:
    """Reveal the orders, void what has become impossible, move, and line up attackers and defenders (GXC-62).

    Only what an order names takes part; the rest carries over (GXC-38). Moves come before the fighting, also into a
    territory that falls in it (GXC-60).
    """
    state = turn.state
    players, now = state.players, state.turn
    defend_all = state.config.idle_policy == "defend_all"
    ids, orders, energized_turn, team_of = players.ids, players.order, players.energized_turn, players.team
    names: Sequence[str | None] = (*state.board.ids, None)  # NOBODY is the last one
    location, energy, attack, defence = turn.location, turn.energy, turn.attack, turn.defence
    by_edge, by_target, standing = turn.by_edge, turn.by_target, turn.standing
    neighbours, owner = state.board.neighbours, state.owner
    protected = {territory for team in state.teams for territory in team.protected}
    revealed: list[tuple[Json, ...]] = []  # tuples, which garbage collection passes by: 10 % of a close
    voided: list[Event] = []
    moved: list[Event] = []
    for player in players.canonical():
        place = location[player]
        if energized_turn[player] != now or place < 0:
            continue
        order = orders[player]
        if order is None:
            if defend_all and energy[player]:  # GXC-39
                defence[player] = energy[player]
                standing[place].append(player)
            continue
        move_to, target, stack, defend, _ = order
        revealed.append((ids[player], names[move_to], names[target], stack, defend))
        if move_to >= 0:
            cost, code = _judge_move(turn, player, order)
            if code is None:
                moved.append(_move(turn, player, move_to, cost))
                place = move_to
            else:
                order = order._replace(move_to=NOBODY)
                voided.append(_order_voided(turn, player, order, "move", code))
        if target >= 0:
            if target in neighbours[place] and owner[target] != team_of[player] and target not in protected:
                attack[player] = stack
                by_edge[place, target].append(player)
                by_target[target].append(player)
            else:
                defend += stack
                order = order._replace(target=NOBODY, attack=0, defend=defend)
                code = _fault_of_attack(turn, player, place, target)
                voided.append(_order_voided(turn, player, order, "attack", code))
        if defend:
            defence[player] = defend
            standing[place].append(player)
    for part, parts, entries in parts_of(revealed):
        data = {"part": part, "parts": parts, "turn": now, "orders": entries}
        turn.events.append(Event("orders_revealed", data))
    turn.events += voided
    turn.events += moved


def _judge_move(turn: Turn, player: int, order: Order) -> tuple[int, str | None]:
    """Cost of a move, or the code that says why it has become impossible (GXC-40)."""
    state, energy = turn.state, turn.energy[player]
    if state.owner[order.move_to] != state.players.team[player]:
        return 0, "not_own_territory"
    cost = state.geography.move_cost(turn.location[player], order.move_to, energy)
    if cost is None:
        return 0, "no_path"
    return cost, "insufficient_energy" if cost + order.attack + order.defend > energy else None


def _fault_of_attack(turn: Turn, player: int, place: int, target: int) -> str:
    """Why an attack has become impossible (GXC-40)."""
    state = turn.state
    if target not in state.board.neighbours[place]:
        return "not_adjacent"
    return "own_territory" if state.owner[target] == state.players.team[player] else "target_shielded"


def _order_voided(turn: Turn, player: int, order: Order, part: str, code: str) -> Event:
    data = {"player": turn.state.players.ids[player], "part": part, "code": code, **encode_order(turn.state, order)}
    return Event("order_voided", data)


def _move(turn: Turn, player: int, goal: int, cost: int) -> Event:
    """Pay and go, all at once: no move changes what another one may do (GXC-35, GXC-63)."""
    ids, start = turn.state.board.ids, turn.location[player]
    turn.energy[player] -= cost
    turn.location[player] = goal
    return Event("moved", {"player": turn.state.players.ids[player], "from": ids[start], "to": ids[goal], "cost": cost})
