"""The workload of the GXC rows: one close of a turn of many players, decided and evolved without hash, JSON and I/O.

12 teams; territories on a triangular grid with mean degree 5, owned in patches of about ten; players uniform over the
territories with 60 energy; 60 % attack a foreign neighbour with 1 to 20, 25 % move to an own territory within three
steps, all reserve 1 to 10 for defence; uniform, seeded. Whoever has nothing to attack or nowhere to go does without.
"""

import argparse
import gc
import random
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from shared.dice import Stream
from shared.rules import rules_of
from shared.rules.interface import Event, Input, Refusal, Resolution, Role

TEAMS = 12
ENERGY = 60
DAY_MS = 86_400_000
PATCH = 10


class Streams:
    """The streams of one resolution."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def stream(self, scope: str, /) -> Stream:
        return Stream(self._seed, scope)


class SeededDice:
    """Real dice from a fixed seed; every resolution gets the same one."""

    def __init__(self, seed: int) -> None:
        self._seed = seed.to_bytes(32, "big")

    def resolve(self, _label: str, /) -> Resolution:
        return Streams(self._seed)

    def seal(self, label: str, /) -> Resolution:
        raise LookupError(f"GXC has no sealed resolution {label}")


class Workload(NamedTuple):
    """A state with its orders in, its canonical form, and the input that closes the turn."""

    state: Any
    orders: int
    close: Input
    canonical: Mapping[str, Any]


def grid(territories: int, chance: random.Random) -> dict[str, dict[str, Any]]:
    """Territories on a triangular grid; one edge in six is taken away, so that the mean degree is about 5."""
    width = max(2, round(territories**0.5))
    names = [f"t{number:05d}" for number in range(territories)]
    edges: list[set[int]] = [set() for _ in names]
    for number in range(territories):
        row, column = divmod(number, width)
        shift = row % 2
        for down, across in ((0, 1), (1, shift - 1), (1, shift)):
            other = (row + down) * width + column + across
            inside = 0 <= column + across < width and other < territories
            if inside and chance.random() < 5 / 6:
                edges[number].add(other)
                edges[other].add(number)
    return {
        name: {
            "name": name,
            "neighbours": [names[other] for other in sorted(edges[number])],
            "centroid": {"x": 20 * (number % width) + 10 * (number // width % 2), "y": 17 * (number // width)},
            "special": None,
        }
        for number, name in enumerate(names)
    }


def patches(territories: Mapping[str, Any], chance: random.Random) -> dict[str, list[str]]:
    """Owners in connected patches grown from random seeds, one territory at a time."""
    names = list(territories)
    owner: dict[str, int] = {}
    seeds = chance.sample(names, max(TEAMS, len(names) // PATCH))
    frontier = []
    for number, name in enumerate(seeds):
        owner[name] = number % TEAMS
        frontier.append(name)
    while frontier:
        place = chance.randrange(len(frontier))
        frontier[place], frontier[-1] = frontier[-1], frontier[place]
        free = [item for item in territories[frontier[-1]]["neighbours"] if item not in owner]
        if not free:
            frontier.pop()
            continue
        taken = chance.choice(free)
        owner[taken] = owner[frontier[-1]]
        frontier.append(taken)
    for name in names:
        owner.setdefault(name, chance.randrange(TEAMS))
    return {f"team{team:02d}": [name for name in names if owner[name] == team] for team in range(TEAMS)}


def creation(
    territories: int, chance: random.Random
) -> tuple[dict[str, Any], dict[str, dict[str, Any]], dict[str, list[str]]]:
    """What a creation holds, its territories, and the territories of each team."""
    board = grid(territories, chance)
    teams = patches(board, chance)
    config = {
        "recruitment_turns": 0,
        "base_energy": ENERGY,
        "empire_bonus": 0,
        "empire_step": 0,
        "shield_max_territories": 0,
    }
    create = {
        "map": {"territories": board},
        "teams": {team: {"name": team, "territories": owned} for team, owned in teams.items()},
        "config": config,
    }
    return create, board, teams


def workload(players: int, territories: int, seed: int = 1) -> Workload:
    """Play a game up to the close of its first turn; the same arguments give the same state."""
    rules, chance = rules_of("gxc"), random.Random(seed)
    create, board, teams = creation(territories, chance)
    dice = SeededDice(seed)
    begun = rules.initial(Input("c", "bench", "operator", "operator", "create_game", create, "", 0, 1))
    if isinstance(begun, Refusal):
        raise ValueError(begun.detail)
    state, seq = begun[0], 1
    orders = 0
    for actor, role, type_, payload in commands(players, board, teams, chance):
        seq += 1
        answer = rules.decide(state, Input(f"i{seq}", "bench", actor, role, type_, payload, "", 1, seq), dice)
        if isinstance(answer, Refusal):
            raise ValueError(f"{type_} of {actor}: {answer}")
        for event in answer:
            state = rules.evolve(state, event)
        orders += type_ == "set_order"
    close = Input("close", "bench", "clock", "clock", "close_turn", {"turn": 1}, "", DAY_MS + 1, seq + 1)
    return Workload(state, orders, close, rules.encode(state))


def commands(
    players: int, board: Mapping[str, Any], teams: Mapping[str, list[str]], chance: random.Random
) -> Iterator[tuple[str, Role, str, dict[str, Any]]]:
    """Actor, role, type and payload of each command up to the close of the first turn."""
    names = list(board)
    owner = {name: team for team, owned in teams.items() for name in owned}
    places = {f"p{number:06d}": chance.choice(names) for number in range(players)}
    for player, place in places.items():
        yield player, "player", "join", {"team": owner[place]}
        yield player, "player", "place", {"territory": place}
    yield "operator", "operator", "start_game", {}
    for player, place in places.items():
        yield player, "player", "energize", {}
        yield player, "player", "set_order", order_of(board, owner, place, chance)


def order_of(board: Mapping[str, Any], owner: Mapping[str, str], place: str, chance: random.Random) -> dict[str, Any]:
    """The payload of an order of somebody who stands at this place."""
    move_to = None
    if chance.random() < 0.25:
        within = _own_within(board, owner, place, 3)
        move_to = chance.choice(within) if within else None
    attack = None
    if chance.random() < 0.6:
        foreign = [item for item in board[move_to or place]["neighbours"] if owner[item] != owner[place]]
        attack = {"target": chance.choice(foreign), "energy": chance.randint(1, 20)} if foreign else None
    return {"move_to": move_to, "attack": attack, "defend": chance.randint(1, 10)}


def _own_within(board: Mapping[str, Any], owner: Mapping[str, str], place: str, steps: int) -> list[str]:
    found, frontier = {place}, [place]
    for _ in range(steps):
        frontier = [
            item
            for name in frontier
            for item in board[name]["neighbours"]
            if owner[item] == owner[place] and item not in found
        ]
        found.update(frontier)
    return sorted(found - {place})


def resolve(work: Workload, seed: int = 1) -> tuple[float, float, list[Event]]:
    """Close the turn once: seconds of decide, seconds of evolve, the events. The state is used up."""
    rules, dice = rules_of("gxc"), SeededDice(seed)
    started = time.perf_counter()
    answer = rules.decide(work.state, work.close, dice)
    decided = time.perf_counter()
    if isinstance(answer, Refusal):
        raise ValueError(answer.detail)
    for event in answer[:-1]:
        rules.evolve(work.state, event)
    return decided - started, time.perf_counter() - decided, list(answer)


def main() -> None:
    """Print orders a second for one size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--territories", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    work = workload(given.players, given.territories)
    rules = rules_of("gxc")
    for _ in range(given.runs):
        fresh = work._replace(state=rules.decode(work.canonical))
        gc.collect()
        decide, evolve, events = resolve(fresh)
        rate = work.orders / (decide + evolve)
        print(f"{work.orders} orders: decide {decide * 1e3:.1f} ms, evolve {evolve * 1e3:.1f} ms", end=", ")
        print(f"{len(events)} events, {rate:,.0f} orders/s")


if __name__ == "__main__":
    main()
