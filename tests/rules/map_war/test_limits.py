"""Amounts stay integers that every reader of JSON holds, whatever is configured and however often is traded."""

from typing import Any

from shared.canonical import MAX_INTEGER
from shared.rules.interface import Refusal
from shared.rules.map_war import RULES
from shared.rules.map_war.config import MOST_CENTS, MOST_STOCK
from tests.rules.map_war.small import Game, running

DEAREST: dict[str, Any] = {
    "start_stock": dict.fromkeys(("currency", "resources", "food", "technology"), MOST_CENTS),
    "unit_value": 10_000,
    "sale_food": [10, 1],
    "sale_resource": [1_000_000, 100_000],
    "sale_zone": [10, 1],
    "sale_payer": "bank",
    "land_claim_cost": MOST_CENTS,
    "sea_claim_cost": {"currency": MOST_CENTS, "resources": MOST_CENTS},
    "non_adjacent_factor": 1_000,
    "defense_multiplier": 1_000,
    "defense_build_resources": {"land": [MOST_CENTS] * 3, "water": [MOST_CENTS] * 3},
    "home_resource_bonus": MOST_CENTS,
    "trade_food_pct": 1_000,
}


def largest(value: Any) -> int:
    """The integer of the largest magnitude in a JSON value."""
    if isinstance(value, dict):
        return max(map(largest, value.values()), default=0)
    if isinstance(value, list | tuple):
        return max(map(largest, value), default=0)
    return abs(value) if isinstance(value, int) else 0


def sold(game: Game, deal: int, amount: int) -> None:
    """Food changes hands, the bank pays the seller, and the turn is resolved; all of its integers are exact."""
    seller, buyer = ("ana", "bia") if deal % 2 else ("bia", "ana")
    game.done(seller, "offer", kind="sale", to=buyer, good="food", amount=amount)
    game.done(buyer, "accept", deal=deal)
    before = {id_: dict(nation) for id_, nation in game.state["nations"].items()}
    game.all_submit()
    assert largest([event.data for event in game.events()]) <= MAX_INTEGER
    entries = [entry for event in game.events() for entry in event.data.get("ledger", ())]
    for id_, nation in game.state["nations"].items():
        for good in ("currency", "resources", "food", "technology"):
            booked = sum(entry[good] for entry in entries if entry["nation"] == id_)
            assert nation[good] - before[id_][good] == booked, (id_, good)


def test_a_stock_grows_up_to_its_limit_and_the_ledger_tells_what_is_lost() -> None:
    """MAP-99."""
    game = running(**DEAREST)
    for deal in range(1, 5):
        sold(game, deal, MOST_CENTS // 2)
    assert game.state["nations"]["ana"]["currency"] == MOST_STOCK
    limits = [entry for event in game.events() for entry in event.data.get("ledger", ()) if entry["cause"] == "limit"]
    assert {entry["nation"] for entry in limits} == {"ana", "bia"}
    assert all(entry["currency"] < 0 for entry in limits)


def test_a_debt_ends_at_its_limit_and_what_lies_beyond_may_come_back() -> None:
    game = running()
    game.give(nations={"ana": {"currency": -MOST_STOCK}, "bia": {"resources": -MOST_STOCK - 500}})
    game.give(zones={"t": {"levels": {"city": 2}}})
    game.all_submit()
    assert game.state["nations"]["ana"]["currency"] == -MOST_STOCK + 100
    assert game.state["nations"]["bia"]["resources"] >= -MOST_STOCK - 500


def test_prices_of_the_dearest_configuration_are_told() -> None:
    game = running(**DEAREST)
    food = {"type": "quote", "order": "sale", "good": "food", "amount": MOST_STOCK}
    dearest = RULES.advise(game.view("ana"), food)
    assert not isinstance(dearest, Refusal)
    assert dearest["price"] == 1_000 * MOST_STOCK
    for question in (
        {"order": "sale", "good": "resources", "amount": MOST_STOCK},
        {"order": "sale", "zone": "h"},
        {"order": "claim", "zone": "s"},
        {"order": "claim", "zone": "v"},
        {"order": "conquest", "zone": "u"},
        {"order": "build", "zone": "h", "structure": "defense"},
    ):
        answer = RULES.advise(game.view("ana"), {"type": "quote", **question})
        assert not isinstance(answer, Refusal), answer
        assert largest(answer) <= MAX_INTEGER
