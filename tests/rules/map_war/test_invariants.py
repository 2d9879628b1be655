"""What holds in every game whatever is played (MAP-99), over random maps and random orders of 50 turns."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from shared.rules.interface import Event
from shared.rules.map_war import RULES
from shared.rules.map_war.codec import encode
from shared.rules.map_war.config import GOODS
from shared.rules.map_war.creation import initial
from shared.rules.map_war.tables import STRUCTURES, highest_level
from shared.scenarios.table import Judgement, Table
from tests.rules.map_war.play import a_game, turns

TURNS = 50
Stocks = dict[str, dict[str, int]]


def book(stocks: Stocks, event: Event) -> None:
    """The ledger of an event: entries sum up to the change, and what stands behind them is said (MAP-99)."""
    if "ledger" not in event.data:
        return
    for entry in event.data["ledger"]:
        account = stocks.setdefault(entry["nation"], dict.fromkeys(GOODS, 0))
        for good in GOODS:
            account[good] += entry[good]
    for nation, after in event.data["stocks"].items():
        assert stocks.setdefault(nation, dict.fromkeys(GOODS, 0)) == after, (event.type, event.data)


def check_pollution(before: Mapping[str, int], judged: list[Judgement]) -> None:
    """MAP-57: what spreads was there before; what moves is neither more nor less."""
    pollution = dict(before)
    for event in (event for item in judged for event in item.events):
        if event.type in ("pollution_moved", "pollution_emitted", "pollution_absorbed"):
            after = {**pollution, **event.data["pollution"]}
            if event.type == "pollution_moved":
                assert sum(after.values()) == sum(pollution.values())
            pollution = after
        assert min(pollution.values()) >= 0


def check(state: Mapping[str, Any], table: Table) -> None:
    """The invariants of one canonical state."""
    board = table.state.board
    for nation in state["nations"].values():
        assert nation["food"] >= 0
        assert nation["technology"] >= 0
        assert (nation["status"] == "active") or not any(nation[good] for good in GOODS)
    for zone, id_ in enumerate(board.ids):
        entry = state["zones"][id_]
        for structure in STRUCTURES:
            assert 0 <= entry["levels"][structure] <= highest_level(board.sea[zone], board.city_max[zone], structure)
        if entry["owner"] is not None:
            assert state["nations"][entry["owner"]]["status"] == "active"
    on_land = Counter(
        piece["zone"] for piece in state["pieces"].values() if piece["kind"] == "army" and not piece["aboard"]
    )
    aboard = Counter(piece["aboard"] for piece in state["pieces"].values() if piece["aboard"])
    assert max(on_land.values(), default=0) <= 4
    assert max(aboard.values(), default=0) <= 2
    for piece in state["pieces"].values():
        at_sea = state["zones"][piece["zone"]]["kind"] == "sea"
        assert at_sea == (piece["kind"] == "ship" or piece["aboard"] is not None)
        if piece["kind"] == "army" and not piece["aboard"]:
            assert state["zones"][piece["zone"]]["owner"] == piece["nation"]


@pytest.mark.parametrize("seed", range(12))
def test_stocks_are_what_the_ledger_says_and_nothing_breaks_in_fifty_turns(seed: int) -> None:
    table = a_game(seed)
    stocks: Stocks = {}
    for judgement in table.journal:
        for event in judgement.events:
            book(stocks, event)
    technology: dict[str, int] = {}
    before = {id_: zone["pollution"] for id_, zone in RULES.encode(table.state)["zones"].items()}
    for judged in turns(table, seed, TURNS):
        for item in judged:
            for event in item.events:
                book(stocks, event)
        state = RULES.encode(table.state)
        check(state, table)
        check_pollution(before, judged)
        before = {id_: zone["pollution"] for id_, zone in state["zones"].items()}
        for nation in state["nations"].values():
            assert {good: nation[good] for good in GOODS} == stocks[nation["id"]]
            if nation["status"] == "active":
                assert nation["technology"] >= technology.get(nation["id"], 0)
                technology[nation["id"]] = nation["technology"]


def test_a_fold_of_the_events_alone_is_the_state() -> None:
    table = a_game(7)
    for _ in turns(table, 7, 12):
        pass
    made = initial(table.journal[0].input)
    assert isinstance(made, tuple)
    state, announced = made
    for event in [event for item in table.journal[1:] for event in item.events]:
        state = RULES.evolve(state, event)
    assert announced == list(table.journal[0].events)
    assert encode(state) == encode(table.state)


def test_the_games_show_what_they_are_for() -> None:
    seen: Counter[str] = Counter()
    for seed in range(4):
        table = a_game(seed)
        for judged in turns(table, seed, TURNS):
            seen.update(event.type for item in judged for event in item.events)
    wanted = {"zone_claimed", "zone_conquered", "construction_done", "piece_built", "piece_moved", "order_failed"}
    wanted |= {"agreement_begun", "agreement_ended", "deal_done", "deal_void", "hungry", "zone_fell"}
    assert wanted <= set(seen)
