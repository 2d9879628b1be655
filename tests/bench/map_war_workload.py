"""A world of Map War 3 in which everything happens: owners, structures, pollution, pieces, orders of all nations."""

from functools import cache
from math import isqrt
from random import Random
from typing import Any

from shared.rules.interface import RESOLVED, Input
from shared.rules.map_war import RULES
from shared.rules.map_war.state import State
from shared.scenarios.dice import GAME, Chain, CommandDice
from shared.scenarios.table import NO_SALT, Table

SEED = f"{1:064x}"
STOCK = {"currency": 500_000, "resources": 200_000, "food": 100_000, "technology": 5_000}
SEAS, OWNED, BUILT_UP, DEFENDED, GUARDED = 0.3, 0.85, 0.6, 0.1, 0.8
"""Shares: of zones at sea; of zones with an owner; of these with structures, with defense; of the last with a piece."""


@cache
def world(nations: int, zones: int) -> dict[str, Any]:
    """The canonical state of a turn for which everybody has submitted without faults."""
    random = Random(1)
    side = isqrt(zones)
    board = {_name(number): _zone(random, number, side, zones) for number in range(zones)}
    names = [f"n{number:03}" for number in range(nations)]
    table = Table(RULES, SEED)
    config = {"start_stock": STOCK, "inactive_turns_to_rulerless": None}
    table.create({"map": {"zones": board}, "players": names, "config": config})
    table.say("s", "operator", "operator", "start_game", {}, 1)
    share = zones // nations
    for number, name in enumerate(names):
        start = {"zone": _name(number * share), "name": name, "color": f"#{number + 1:06X}"}
        table.say(f"c{name}", name, "player", "choose_start", start, 2 + number)
    state = RULES.encode(table.state)
    for number in range(zones):
        if random.random() < OWNED:
            _settle(random, state, state["zones"][_name(number)], names[min(nations - 1, number // share)])
    state["pieces_made"] = len(state["pieces"])
    for number, name in enumerate(names):
        state["nations"][name]["submission"] = _submission(random, state, name, number + 1)
    return state


def closed(state: State) -> None:
    """Close the turn and fold its events."""
    payload = {"turn": state.turn}
    command = Input("close", GAME, "operator", "operator", "close_turn", payload, NO_SALT, state.opened_at or 0, 9_999)
    events = RULES.decide(state, command, CommandDice(Chain(SEED), None, None))
    assert isinstance(events, list), events
    for event in events:
        if event.type != RESOLVED:
            RULES.evolve(state, event)


def _name(number: int) -> str:
    return f"z{number:05}"


def _zone(random: Random, number: int, side: int, zones: int) -> dict[str, Any]:
    beside = [number - side, number + side, *([number - 1] if number % side else []), number + 1]
    near = [item for item in beside if 0 <= item < zones and (item != number + 1 or item % side)]
    sea = random.random() < SEAS
    city_max = 0 if sea else random.randint(0, 6)
    return {"kind": "sea" if sea else "land", "neighbours": [_name(item) for item in near], "city_max": city_max}


def _settle(random: Random, state: dict[str, Any], zone: dict[str, Any], owner: str) -> None:
    """Give a zone an owner and what has been built there."""
    levels, land = zone["levels"], zone["kind"] == "land"
    zone["owner"], zone["acquired_turn"] = owner, 1
    if random.random() < BUILT_UP:
        levels["industry"] = random.randint(0, 2)
        if land:
            levels["city"] = random.randint(0, min(4, zone["city_max"]))
            levels["agriculture" if zone["city_max"] <= 2 else "commerce"] = random.randint(0, 3)
    zone["pollution"] = random.choice((0, 0, 3, 8, 20))
    if random.random() < DEFENDED:
        levels["defense"] = random.randint(1, 3)
        if random.random() < GUARDED:
            number = len(state["pieces"]) + 1
            kind = "army" if land else "ship"
            piece = {"id": number, "kind": kind, "nation": owner, "zone": zone["id"], "aboard": None, "moved_turn": 0}
            state["pieces"][str(number)] = piece


def _submission(random: Random, state: dict[str, Any], name: str, seq: int) -> dict[str, Any]:
    """Two claims, two conquests and four constructions."""
    zones = state["zones"]
    own = [id_ for id_, zone in zones.items() if zone["owner"] == name]
    near = sorted({other for id_ in own for other in zones[id_]["neighbours"]})
    free = [id_ for id_ in near if zones[id_]["owner"] is None]
    foreign = [id_ for id_ in near if zones[id_]["owner"] not in (None, name)]
    built = random.sample(own, min(4, len(own)))
    return {
        "seq": seq,
        "claims": free[:2],
        "conquests": [
            {"zone": id_, "support": [], "advance": True} for id_ in random.sample(foreign, min(2, len(foreign)))
        ],
        "builds": [
            {"zone": id_, "structure": "industry" if zones[id_]["levels"]["industry"] < 2 else "defense"}
            for id_ in built
        ],
        "cancels": [],
        "moves": [],
        "faults": [],
        "items": [],
    }
