"""What holds in every battle whatever is played (SPB-84), and that the damage of each shot is accounted for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.interface import Event
from shared.rules.space_battle import RULES
from shared.rules.space_battle.advise import moves_of, targets_of
from shared.rules.space_battle.config import config_of
from shared.rules.space_battle.gunnery import damage_of
from shared.rules.space_battle.state import C, D
from tests.rules.conformance.play import deal, step_by_step
from tests.rules.space_battle.play import Room

State = Mapping[str, Any]
KINDS = ("scout", "fighter", "corvette", "frigate", "destroyer", "cruiser", "battleship", "dreadnought")
MOVES = 50


def config_at_random(chance: Random) -> dict[str, Any]:
    """A grid of any shape and size, and any reading of every key that a battle depends on."""
    columns, rows = chance.randint(6, 16), chance.randint(3, 12)
    depth = chance.randint(1, 2)
    return {
        "columns": columns,
        "rows": rows,
        "base_row": chance.randint(1, rows),
        "challenger_ranks": list(range(1, depth + 1)),
        "defender_ranks": list(range(columns - depth + 1, columns + 1)),
        "mine_ranks": list(range(depth + 1, columns - depth + 1)),
        "falloff_pct": chance.choice((0, 7, 10, 33, 100)),
        "falloff_mode": chance.choice(("linear", "compound")),
        "out_of_range": chance.choice(("reject", "waste")),
        "mine_effect": chance.choice(("destroy", "damage")),
        "mine_power": chance.choice((1, 25, 100)),
        "shots_detonate_mines": chance.random() < 0.5,
        "first_mover": chance.choice(("defender", "random")),
        "base_loss_forfeits_fleet": chance.random() < 0.5,
        "quiet_moves_draw": chance.choice((None, 20)),
        "mines_per_player": chance.randint(0, 6),
        "challenge_fleet": 2,
    }


def battle_at_random(chance: Random) -> Room:
    """A battle that has just started, its fleets and mines placed at random."""
    room = Room(**config_at_random(chance))
    config = room.state.config
    number = chance.randint(1, min(6, config.most_craft))
    room.agree(number)
    for name, side in (("ana", C), ("bia", D)):
        base = [*config.base_square(side)]
        free = [[x, y] for x in config.ranks(side) for y in range(1, config.rows + 1) if [x, y] != base]
        craft = [
            {"id": f"c{item}", "class": chance.choice(KINDS), "at": at}
            for item, at in enumerate(chance.sample(free, number))
        ]
        room.give(players={name: {"hangar": dict.fromkeys(KINDS, 9)}})
        field = [[x, y] for x in config.mine_ranks for y in range(1, config.rows + 1)]
        mines = chance.sample(field, chance.randint(0, config.mines_per_player))
        room.done(name, "deploy", base=base, craft=craft, mines=mines)
        room.done(name, "ready")
    room.clock(1_000_000)
    return room


def part_at_random(chance: Random, room: Room) -> None:
    """A legal displacement or shot of the side to move, or the end of its move; now and then its time runs out."""
    state = room.state
    side = state.to_move or ""
    name = "ana" if side == C else "bia"
    if chance.random() < 0.03:
        room.clock(room.at + 70_000)
        return
    craft = chance.choice(state.living(side))
    if not state.moved_this_move and chance.random() < 0.5 and (ends := moves_of(state, craft)):
        room.done(name, "move_craft", craft=craft.id, to=chance.choice(ends)["to"])
        return
    targets = [target for target, told in targets_of(state, craft).items() if told["allowed"]]
    if targets:
        room.done(name, "fire", craft=craft.id, target=chance.choice(targets))
    else:
        room.done(name, "end_move")


def check_step(before: State, after: State) -> None:
    """SPB-84, for two states that follow one another in a battle."""
    squares = Counter((item["col"], item["row"]) for item in after["craft"].values() if item["alive"])
    assert set(squares.values()) <= {1}
    for name, item in after["craft"].items():
        was = before["craft"][name]
        assert item["shots_left"] <= was["shots_left"]
        assert item["damage"] >= was["damage"]
        assert was["alive"] or not item["alive"]
        moves = after["config"]["classes"][item["class"]]["move"]
        assert moves or (item["col"], item["row"]) == (was["col"], was["row"])
        assert 1 <= item["col"] <= after["config"]["columns"]
        assert 1 <= item["row"] <= after["config"]["rows"]
    assert all(was["live"] or not after["mines"][name]["live"] for name, was in before["mines"].items())


def check_parts(told: Sequence[Event]) -> None:
    """SPB-84: at most one displacement and one shot a move, and the displacement comes first (SPB-35)."""
    parts: dict[int, list[str]] = {}
    for event in told:
        if event.type in ("craft_moved", "shot_fired"):
            parts.setdefault(event.data["move_no"], []).append(event.type)
    assert all(found in (["craft_moved"], ["shot_fired"], ["craft_moved", "shot_fired"]) for found in parts.values())


def check_damage(told: Sequence[Event], state: State) -> None:
    """Each hit adds up in full, destroys a craft whose shield was down, or has no effect; nothing else hurts."""
    config = config_of(state["config"])
    damage = dict.fromkeys(state["craft"], 0)
    shots = {name: config.classes[item["class"]].shots for name, item in state["craft"].items()}
    alive = set(damage)
    hits: list[tuple[str, int]] = []
    by_craft = False  # whether mines explode by a craft that moves, or by a shot that passes (SPB-105)
    for event in told:
        data = event.data
        match event.type:
            case "craft_moved":
                by_craft = True
            case "shot_fired":
                assert not hits
                by_craft = False
                power = config.classes[state["craft"][data["from"]]["class"]].power
                assert data["damage"] == damage_of(config, power, data["distance"])
                shots[data["from"]] -= 1
                assert data["shots_left"] == shots[data["from"]] >= 0
                hits = [(data["hit"], data["damage"])] if data["damage"] else []
            case "mine_exploded" if by_craft:
                assert not hits
                assert data["craft"] in alive
                deadly = config.mine_effect == "destroy"
                hits = [(data["craft"], 0)] if deadly else [(data["craft"], config.mine_power)] * data["count"]
            case "craft_damaged":
                (name, amount), *hits = hits
                shield = config.classes[state["craft"][name]["class"]].shield
                assert (data["craft"], data["hit"]) == (name, amount)
                assert damage[name] <= shield
                damage[name] += amount
                assert data["damage"] == damage[name]
            case "craft_destroyed":
                (name, amount), *_ = hits
                assert data["craft"] == name
                shield = config.classes[state["craft"][name]["class"]].shield
                assert amount == 0 or damage[name] > shield
                alive.remove(name)
                hits = []
            case "move_ended" | "battle_ended":
                assert not hits
    assert damage == {name: item["damage"] for name, item in state["craft"].items()}
    assert shots == {name: item["shots_left"] for name, item in state["craft"].items()}
    assert alive == {name for name, item in state["craft"].items() if item["alive"]}


def check_hangars(before: State, after: State) -> None:
    """SPB-67: what hangars lose is what was destroyed, or with a lost base and that reading all that fought."""
    lost = {name: Counter(item["hangar"]) for name, item in before["players"].items()}
    for name, side in (("ana", "C"), ("bia", "D")):
        gone = lost[name] - Counter(after["players"][name]["hangar"])
        own = [item for item in after["craft"].values() if item["side"] == side]
        forfeits = (
            after["config"]["base_loss_forfeits_fleet"]
            and after["result"] == "base_destroyed"
            and after["winner"] != side
        )
        assert gone == Counter(item["class"] for item in own if forfeits or not item["alive"])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_invariants_hold_after_every_command_of_a_battle(seed: int) -> None:
    """SPB-84, SPB-45 to SPB-51: 50 moves of legal parts on a grid of any shape, under any reading."""
    chance = Random(seed)
    room = battle_at_random(chance)
    start = room.canonical
    while room.state.move_no <= MOVES and not RULES.over(room.state):
        before = room.canonical
        part_at_random(chance, room)
        check_step(before, room.canonical)
    check_parts(room.told)
    check_damage(room.told, room.canonical)
    if RULES.over(room.state):
        check_hangars(start, room.canonical)


@pytest.mark.parametrize("seed", range(12))
def test_invariants_hold_in_the_games_of_the_suite(seed: int) -> None:
    """SPB-84, with refusals, expiries and times that move."""
    table = deal(RULES, seed)
    before = RULES.encode(table.state)
    for _ in step_by_step(table, seed):
        after = RULES.encode(table.state)
        if before["phase"] == "running":
            check_step(before, after)
        before = after
    check_parts([event for item in table.journal for event in item.events])


def test_a_fork_shares_nothing_that_is_written() -> None:
    """Whatever a play does to its fork, the state stays; each slot is carried over."""
    room = battle_at_random(Random(7))
    before = room.canonical
    fork = room.state.fork()
    assert RULES.encode(fork) == before
    assert all(getattr(fork, name) == getattr(room.state, name) for name in type(fork).__slots__)
    for event in room.told:
        if event.type == "side_ready":
            RULES.evolve(fork, event)
    fork.craft.clear()
    fork.square.clear()
    fork.set_player("ana", fork.players["bia"])
    assert fork.fought is not None
    fork.set_challenges(fork.fought._replace(number=1, status="ended"))
    for mine in list(fork.mines.values()):
        fork.set_mine(mine._replace(live=False))
    assert room.canonical == before
