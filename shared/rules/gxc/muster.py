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
    players, now = state.players, state.turn
    defend_all = state.config.idle_policy == "defend_all"
    orders, energized_turn, team_of = players.order, players.energized_turn, players.team
    location, energy, attack, defence = turn.location, turn.energy, turn.attack, turn.defence
    owner = state.owner
    neighbours, move_cost = state.board.neighbours, state.geography.move_cost
    protected = {territory for team in state.teams for territory in team.protected}
    attackers, targets = turn.attackers, turn.targets
    revealed: list[tuple[Json, ...]] = []
    voided: list[Event] = []
    moving, costs = Placing(), list[int]()
    movers, before, goals = moving.players, moving.before, moving.places
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
            steps = order.steps if own else 0
            cost = (1 << steps) - 1 if steps else move_cost(place, move_to, has) if own else None
            if cost is not None and cost + staked <= has:
                has -= cost
                movers.append(player)
                before.append(place)
                goals.append(move_to)
                costs.append(cost)
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
    turn.place(moving, _moved(turn, moving, costs))
    _line_up(turn)


def _moved(turn: Turn, moving: Placing, costs: list[int]) -> list[Event]:
    names, ids = turn.state.players.ids, turn.state.board.ids
    told = zip(moving.players, moving.before, moving.places, costs, strict=True)
    return [
        _new(Event, ("moved", {"player": names[player], "from": ids[place], "to": ids[goal], "cost": cost}, PUBLIC, 0))
        for player, place, goal, cost in told
    ]


def _line_up(turn: Turn) -> None:
    """Attackers by the edge that they attack over.

    In a walk of its own, as the events of moves are made: of 100,000 players mustering takes a fifth less than in one
    walk, which has orders, paths, edges and names in its way at once, more than the cache holds.
    """
    location, by_edge, size = turn.location, turn.by_edge, len(turn.owner)
    for player, target in zip(turn.attackers, turn.targets, strict=True):
        edge = location[player] * size + target
        if edge not in by_edge:
            by_edge[edge] = []
        by_edge[edge].append(player)


def _fault_of_attack(turn: Turn, player: int, place: int, target: int) -> str:
    """Why an attack has become impossible (GXC-40)."""
    state = turn.state
    if target not in state.board.neighbours[place]:
        return "not_adjacent"
    return "own_territory" if state.owner[target] == state.players.team[player] else "target_shielded"


def _order_voided(turn: Turn, player: int, order: Order, part: str, code: str) -> Event:
    data = {"player": turn.state.players.ids[player], "part": part, "code": code, **encode_order(turn.state, order)}
    return Event("order_voided", data)
