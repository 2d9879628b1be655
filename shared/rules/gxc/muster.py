"""Orders are checked again, idle players get their standing order, everybody moves (GXC-61 to GXC-63)."""

from dataclasses import replace

from shared.rules.gxc.codec import encode_order
from shared.rules.gxc.events import parts_of
from shared.rules.gxc.state import NOBODY, Order
from shared.rules.gxc.turn import Placing, Turn
from shared.rules.interface import PUBLIC, Event, Json

_new = tuple.__new__
"""For events of which there are thousands: what the constructor of a NamedTuple adds is a tenth of mustering."""


def muster(turn: Turn) -> None:
    """Reveal the orders, void what has become impossible, move, and line up attackers and defenders (GXC-62).

    Only what an order names takes part; the rest carries over (GXC-38). Moves come before the fighting, also into a
    territory that falls in it (GXC-60), all at once: no move changes what another one may do (GXC-35, GXC-63).
    """
    state = turn.state
    players, now, ids = state.players, state.turn, state.players.ids
    defend_all = state.config.idle_policy == "defend_all"
    orders, energized_turn, team_of = players.order, players.energized_turn, players.team
    names = state.board.ids
    location, energy, attack, defence = turn.location, turn.energy, turn.attack, turn.defence
    by_edge, owner = turn.by_edge, state.owner
    neighbours, move_cost, size = state.board.neighbours, state.geography.move_cost, len(names)
    # Most paths are known since the order was given; asked for here, without two calls, a move takes a third less.
    short = {} if state.board.transport else state.geography.short
    protected = {territory for team in state.teams for territory in team.protected}
    attackers, targets = turn.attackers, turn.targets
    revealed: list[tuple[Json, ...]] = []
    voided: list[Event] = []
    moving = Placing("moved")
    moved, movers, goals = moving.events, moving.players, moving.places
    for player in players.canonical():
        place = location[player]
        if energized_turn[player] != now or place < 0:
            continue
        order = orders[player]
        if order is None:
            if defend_all:  # GXC-39
                defence[player], energy[player] = energy[player], 0
            continue
        move_to, target, stack, defend = order.move_to, order.target, order.attack, order.defend
        revealed.append(order.revealed)
        has, staked = energy[player], stack + defend
        if move_to >= 0:
            own = owner[move_to] == team_of[player]
            steps = short.get(place * size + move_to) if own else 0
            cost = (1 << steps) - 1 if steps else move_cost(place, move_to, has) if own else None
            if cost is not None and cost + staked <= has:
                data = {"player": ids[player], "from": names[place], "to": names[move_to], "cost": cost}
                moved.append(_new(Event, ("moved", data, PUBLIC, 0)))
                has -= cost
                movers.append(player)
                goals.append(move_to)
                location[player] = place = move_to
            else:
                code = "not_own_territory" if not own else "no_path" if cost is None else "insufficient_energy"
                order = replace(order, move_to=NOBODY)
                voided.append(_order_voided(turn, player, order, "move", code))
        if target >= 0:
            beside = order.near == place or target in neighbours[place]
            if beside and owner[target] != team_of[player] and target not in protected:
                attack[player] = stack
                attackers.append(player)
                targets.append(target)
                edge = place * size + target
                if edge in by_edge:
                    by_edge[edge].append(player)
                else:
                    by_edge[edge] = [player]
            else:
                defend += stack
                order = replace(order, target=NOBODY, attack=0, defend=defend)
                code = _fault_of_attack(turn, player, place, target)
                voided.append(_order_voided(turn, player, order, "attack", code))
        defence[player] = defend
        energy[player] = has - staked
    for part, parts, entries in parts_of(revealed):
        turn.events.append(Event("orders_revealed", {"part": part, "parts": parts, "turn": now, "orders": entries}))
    turn.events += voided
    turn.place(moving)


def _fault_of_attack(turn: Turn, player: int, place: int, target: int) -> str:
    """Why an attack has become impossible (GXC-40)."""
    state = turn.state
    if target not in state.board.neighbours[place]:
        return "not_adjacent"
    return "own_territory" if state.owner[target] == state.players.team[player] else "target_shielded"


def _order_voided(turn: Turn, player: int, order: Order, part: str, code: str) -> Event:
    data = {"player": turn.state.players.ids[player], "part": part, "code": code, **encode_order(turn.state, order)}
    return Event("order_voided", data)
