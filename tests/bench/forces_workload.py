"""A year of FORCES for measurements: players on a torus of zones, many Forces, each of them in a move of its own."""

from collections.abc import Iterator
from math import isqrt
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from shared.rules import rules_of
from shared.rules.interface import Event, Input
from shared.scenarios.dice import GAME, Chain, CommandDice
from shared.scenarios.paths import merge
from shared.scenarios.table import NO_SALT, Table

SEED = "0" * 64
COLUMNS = 50


class Workload(NamedTuple):
    """The open year with all submissions but the last; `orders` counts the moves of all."""

    canonical: dict[str, Any]
    submissions: list[tuple[str, dict[str, Any]]]
    orders: int


def workload(players: int, zones: int, forces: int) -> Workload:
    """A game of so many players, a square number, and so many combat Forces, a third of them tanks.

    Each player has an area as wide as it is high.
    """
    chance = Random(1)
    table = Table(rules_of("forces"), SEED)
    land = _torus(zones)
    table.create({"map": {"zones": land}, "config": {"auto_pick": True, "starting_credits": 0}})
    names = [f"p{number:02}" for number in range(players)]
    for at, name in enumerate(names):
        table.say(f"j{at}", name, "player", "join", {}, at)
    table.say("start", "operator", "operator", "start_game", {}, players)
    state = rules_of("forces").encode(table.state)
    for number, name in enumerate(names):
        own = next(id_ for id_, zone in state["zones"].items() if zone["owner"] == number + 1)
        table.say(f"c{number}", name, "player", "choose_capital", {"zone": own}, players + 1)
    standing: dict[str, dict[str, int]] = {id_: {"troop": 0, "tank": 0} for id_ in land}
    ids = sorted(land)
    for number in range(forces):
        standing[chance.choice(ids)]["tank" if number % 3 == 0 else "troop"] += 1
    areas = {id_: _area(id_, players, zones) for id_ in ids}
    given = {
        id_: {"owner": areas[id_], "forces": {str(areas[id_]): counts} if any(counts.values()) else {}}
        for id_, counts in standing.items()
    }
    capitals = {name: {"capital": next(id_ for id_ in ids if areas[id_] == seat)} for seat, name in enumerate(names, 1)}
    canonical = merge(rules_of("forces").encode(table.state), {"zones": given, "players": capitals})
    submissions = [(name, {"moves": list(_moves(canonical, name, chance))}) for name in names]
    return Workload(canonical, submissions, sum(len(payload["moves"]) for _, payload in submissions))


def _torus(zones: int) -> dict[str, Any]:
    rows = zones // COLUMNS

    def name(row: int, column: int) -> str:
        return f"z{row % rows:02}{column % COLUMNS:02}"

    return {
        name(row, column): {
            "kind": "land",
            "income": 2,
            "neighbours": sorted(
                {name(row + 1, column), name(row - 1, column), name(row, column + 1), name(row, column - 1)}
            ),
        }
        for row in range(rows)
        for column in range(COLUMNS)
    }


def _area(id_: str, players: int, zones: int) -> int:
    """The seat whose area a zone lies in: as many areas side by side as one above the other."""
    side, rows = isqrt(players), zones // COLUMNS
    row, column = int(id_[1:3]), int(id_[3:5])
    return 1 + row * side // rows * side + column * side // COLUMNS


def _moves(state: dict[str, Any], name: str, chance: Random) -> Iterator[dict[str, Any]]:
    """One move for each Force, to a neighbour, a tank perhaps two steps."""
    seat = str(state["players"][name]["seat"])
    for id_, zone in sorted(state["zones"].items()):
        for type_, count in zone["forces"].get(seat, {}).items():
            for _ in range(count):
                path = [chance.choice(zone["neighbours"])]
                if type_ == "tank" and chance.random() < 0.5:
                    path.append(chance.choice(state["zones"][path[0]]["neighbours"]))
                yield {"from": id_, "type": type_, "count": 1, "path": path}


def resolve(work: Workload) -> tuple[float, list[Event]]:
    """Seconds for the judgement of all submissions and the year, decided and evolved; and its events."""
    rules = rules_of("forces")
    state = rules.decode(work.canonical)
    chain, told = Chain(SEED), []
    commands = [
        Input(f"s{number}", GAME, name, "player", "submit_turn", payload, NO_SALT, 1_000 + number, number + 1)
        for number, (name, payload) in enumerate(work.submissions)
    ]
    started = perf_counter()
    for command in commands:
        events = rules.decide(state, command, CommandDice(chain, "0" * 64, None))
        assert isinstance(events, list), events
        for event in events:
            if event.type != "resolved":
                state = rules.evolve(state, event)
        told += events
    seconds = perf_counter() - started
    assert any(event.type == "year_resolved" for event in told)
    return seconds, told
