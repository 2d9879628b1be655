"""Advice agrees with judgement: faults of drafts, quotes with the rows that make them, and deals (MAP-38, MAP-78)."""

from random import Random
from typing import Any

import pytest

from shared.rules.interface import Refusal
from shared.rules.map_war import RULES
from shared.scenarios.table import Table
from tests.rules.conformance.players.map_war import orders
from tests.rules.map_war.play import a_game, turns

SALE = {"kind": "sale", "to": "bia", "good": "food"}
TWO = {
    "h": {"kind": "land", "neighbours": ["t"], "city_max": 6},
    "t": {"kind": "land", "neighbours": ["h", "u"], "city_max": 2},
    "u": {"kind": "land", "neighbours": ["t"], "city_max": 0},
}


def ask(table: Table, name: str, **question: Any) -> Any:
    viewer = table.documents.viewer(name)
    return RULES.advise(RULES.view(table.documents.of(viewer), viewer), question)


def small() -> Table:
    """ana at h, bia at t, with stocks."""
    stock = {"currency": 10_000, "resources": 5_000, "food": 1_000, "technology": 3_000}
    table = Table(RULES, "0" * 64)
    table.create({"map": {"zones": TWO}, "players": ["ana", "bia"], "config": {"start_stock": stock}})
    table.say("s", "operator", "operator", "start_game", {}, 1)
    for number, (name, zone) in enumerate((("ana", "h"), ("bia", "t"))):
        payload = {"zone": zone, "name": name, "color": f"#AA00{number:02}"}
        table.say(f"c{name}", name, "player", "choose_start", payload, 2 + number)
    return table


@pytest.mark.parametrize("seed", range(3))
def test_the_faults_of_a_draft_are_those_that_are_stored(seed: int) -> None:
    table, random = a_game(seed), Random(seed)
    for _ in turns(table, seed, 8):
        if RULES.over(table.state):
            return
        canonical = RULES.encode(table.state)
        payload = orders(random, canonical, "ana")
        payload["builds"] = [*payload.get("builds", []), {"zone": min(canonical["zones"]), "structure": "research"}]
        answer = ask(table, "ana", type="submit_turn", payload=payload)
        at = canonical["opened_at"] + 1
        judged = table.say(f"draft-{canonical['turn']}", "ana", "player", "submit_turn", payload, at)[-1]
        if judged.refusal is not None:
            return
        stored = next(event.data for event in judged.events if event.type == "turn_submitted")
        assert [fault["place"] for fault in answer["faults"]] == stored["items"]
        assert [fault["code"] for fault in answer["faults"]] == stored["faults"]
        assert all(fault["rule"].startswith("MAP-") and fault["detail"] for fault in answer["faults"])


def test_a_structure_in_the_wrong_place_is_told_where_it_may_stand() -> None:
    builds = [{"zone": "h", "structure": "agriculture"}, {"zone": "h", "structure": "city"}]
    faults = ask(small(), "ana", type="submit_turn", payload={"builds": builds})["faults"]
    assert [fault["code"] for fault in faults] == ["not_allowed_here"]
    assert faults[0]["detail"] == "h is no place for agriculture, which stands on land with city_max of at most 2"


def test_a_quote_of_a_conquest_lists_the_rows_that_make_it() -> None:
    answer = ask(small(), "ana", type="quote", order="conquest", zone="t")
    assert answer["cost"] == {"currency": 1000, "resources": 300}
    assert [(row["what"], row["rule"]) for row in answer["rows"]] == [("zone", "MAP-38")]


def test_without_an_order_the_price_list_is_told() -> None:
    prices = ask(small(), "ana", type="quote")
    assert prices["claims"]["sea"] == {"currency": 500, "resources": 500}
    assert prices["conquest"]["defense"][2] == {"currency": 13_600, "resources": 3_800}


def places(answer: Any) -> list[tuple[str, str]]:
    return [(fault["place"], fault["code"]) for fault in answer["faults"]]


DRAFTS: tuple[tuple[Any, list[tuple[str, str]]], ...] = (
    (7, [("", "malformed")]),
    ({"claims": "all"}, [("claims", "malformed")]),
    ({"wish": 1}, [("", "malformed")]),
    ({"turn": "two"}, [("turn", "malformed")]),
    ({"moves": [{"piece": 1}]}, [("moves.0", "malformed")]),
    ({"claims": ["x"]}, [("claims.0", "unknown_id")]),
    (
        {"claims": ["u", "x", "h"], "builds": [{"zone": "y", "structure": "city"}, {"zone": "t", "structure": "city"}]},
        [
            ("claims.1", "unknown_id"),
            ("builds.0.zone", "unknown_id"),
            ("claims.2", "zone_taken"),
            ("builds.1", "not_own_zone"),
        ],
    ),
    (
        {
            "claims": ["t", 7, "z"],
            "conquests": [{"zone": "t", "support": [1, "two"]}, {"zone": "h", "support": [9]}, {"support": []}],
            "builds": [{"zone": "h", "structure": "tower"}, {"zone": "h", "structure": "agriculture"}],
            "moves": [{"piece": 1, "to": "h", "board": 2}, {"piece": 1, "to": "q"}],
        },
        [
            ("claims.1", "malformed"),
            ("conquests.0.support.1", "malformed"),
            ("conquests.2.zone", "malformed"),
            ("builds.0.structure", "malformed"),
            ("moves.0", "malformed"),
            ("claims.2", "unknown_id"),
            ("moves.1.to", "unknown_id"),
            ("conquests.1.support.0", "unknown_id"),
            ("moves.1.piece", "unknown_id"),
            ("claims.0", "zone_taken"),
            ("builds.1", "not_allowed_here"),
        ],
    ),
)


@pytest.mark.parametrize(("payload", "faults"), DRAFTS)
def test_a_draft_that_is_malformed_or_names_what_is_not_there_has_each_fault_at_its_place(
    payload: Any, faults: list[tuple[str, str]]
) -> None:
    """The first one is that of the judgement; items without such a fault are judged as if they stood alone."""
    table = small()
    answer = ask(table, "ana", type="submit_turn", payload=payload)
    assert places(answer) == faults
    judged = table.say("i", "ana", "player", "submit_turn", payload, 9)[-1].refusal
    assert judged is not None
    first = answer["faults"][0]
    assert (first["code"], first["rule"], first["detail"]) == (judged.code, judged.rule, judged.detail)


def test_a_cancel_that_is_faulty_leaves_the_building_alone() -> None:
    """MAP-109: nothing is cancelled where nothing is being built."""
    item = {"zone": "h", "structure": "city"}
    answer = ask(small(), "ana", type="submit_turn", payload={"builds": [item], "cancels": [item]})
    assert places(answer) == [("cancels.0", "not_building")]


OFFERS: tuple[tuple[Any, list[tuple[str, str]]], ...] = (
    ({"kind": "sale", "to": "bia", "good": 7, "amount": "1"}, [("good", "malformed"), ("amount", "malformed")]),
    ({"kind": "sale", "to": "bia"}, [("", "malformed")]),
    ({"kind": "sale", "to": "nobody", "zone": "x"}, [("zone", "unknown_id"), ("to", "unknown_id")]),
    ({"kind": "sale", "to": "bia", "zone": "h", "turn": 9}, [("turn", "wrong_turn")]),
    (
        {"kind": "sale", "to": "ana", "good": "gold", "amount": 0, "until_turn": 1},
        [("to", "not_a_trader"), ("good", "bad_good"), ("until_turn", "bad_amount"), ("amount", "bad_amount")],
    ),
    ({**SALE, "amount": 1_000_000}, [("amount", "insufficient_goods")]),
    ({"kind": "sale", "to": "bia", "zone": "t"}, [("zone", "not_own_zone")]),
    ({"kind": "exchange", "to": "bia"}, [("", "bad_amount")]),
    (
        {"kind": "exchange", "to": "bia", "give": {"zones": ["h"], "food": -1}, "get": {"zones": ["h", "t"]}},
        [("give.food", "bad_amount"), ("get.zones.0", "bad_amount")],
    ),
    (
        {"kind": "exchange", "to": "bia", "give": {"currency": 10**6, "food": 10**6}, "get": {"zones": ["u", "h"]}},
        [
            ("get.zones.0", "not_own_zone"),
            ("get.zones.1", "not_own_zone"),
            ("give.currency", "insufficient_currency"),
            ("give.food", "insufficient_goods"),
        ],
    ),
)


@pytest.mark.parametrize(("payload", "faults"), OFFERS)
def test_all_that_speaks_against_an_offer_is_told_at_its_place(payload: Any, faults: list[tuple[str, str]]) -> None:
    table = small()
    answer = ask(table, "ana", type="deal", payload=payload)
    assert places(answer) == faults
    assert answer["price"] is None
    judged = table.say("i", "ana", "player", "offer", payload, 9)[-1].refusal
    assert judged is not None
    assert answer["faults"][0]["detail"] == judged.detail


def test_a_quote_of_a_claim_far_away_has_the_row_of_the_distance() -> None:
    answer = ask(small(), "ana", type="quote", order="claim", zone="u")
    assert answer["cost"] == {"currency": 1500, "resources": 0}
    assert [row["rule"] for row in answer["rows"]] == ["MAP-22", "MAP-37"]


def test_a_quote_of_a_building_says_every_instalment() -> None:
    answer = ask(small(), "ana", type="quote", order="build", zone="h", structure="defense")
    assert answer["first"] == {"currency": 500, "resources": 200}
    assert answer["turns"] == 1
    assert [row["rule"] for row in answer["rows"]] == ["MAP-31", "MAP-29"]
    city = ask(small(), "ana", type="quote", order="build", zone="h", structure="city")
    assert (city["turns"], city["cost"]["currency"]) == (len(city["rows"]), sum(r["currency"] for r in city["rows"]))
    refused = ask(small(), "ana", type="quote", order="build", zone="h", structure="agriculture")
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.rule) == ("not_allowed_here", "MAP-24")


def test_a_sale_has_its_fixed_price_before_it_is_offered() -> None:
    answer = ask(small(), "ana", type="deal", payload={**SALE, "amount": 1000})
    assert answer == {"faults": [], "price": 750}
    assert ask(small(), "ana", type="quote", order="sale", good="resources", amount=1000)["price"] == 666
    zone = ask(small(), "ana", type="quote", order="sale", zone="h")
    for quoted in (zone, ask(small(), "ana", type="quote", order="sale", good="food", amount=1001)):
        assert quoted["price"] == sum(row["currency"] for row in quoted["rows"])
        assert {row["rule"] for row in quoted["rows"]} == {"MAP-78"}
    worse = ask(small(), "ana", type="deal", payload={**SALE, "amount": 1_000_000})
    assert [fault["code"] for fault in worse["faults"]] == ["insufficient_goods"]


def test_a_quote_with_the_fields_of_another_order_is_refused() -> None:
    answer = ask(small(), "ana", type="quote", order="claim", zone="u", structure="city")
    assert isinstance(answer, Refusal)
    assert answer.detail == "a quote of a claim has the fields zone"


def test_a_quote_of_a_zone_that_cannot_be_had_says_why() -> None:
    for order, zone, code in (
        ("claim", "t", "zone_taken"),
        ("claim", "h", "zone_taken"),
        ("conquest", "h", "not_foreign"),
    ):
        answer = ask(small(), "ana", type="quote", order=order, zone=zone)
        assert isinstance(answer, Refusal)
        assert answer.code == code


def test_a_draft_for_another_turn_has_that_fault() -> None:
    answer = ask(small(), "ana", type="submit_turn", payload={"turn": 7})
    assert [(fault["place"], fault["code"]) for fault in answer["faults"]] == [("turn", "wrong_turn")]


def test_in_the_correction_a_draft_has_a_fault_for_whoever_has_nothing_to_mend() -> None:
    table = small()
    table.say("a", "ana", "player", "submit_turn", {"builds": [{"zone": "t", "structure": "city"}]}, 10)
    table.say("b", "bia", "player", "submit_turn", {}, 11)
    table.say("c", "operator", "operator", "close_turn", {"turn": 2}, 12)
    assert ask(table, "ana", type="submit_turn", payload={})["faults"] == []
    faults = ask(table, "bia", type="submit_turn", payload={})["faults"]
    assert [(fault["place"], fault["code"]) for fault in faults] == [("", "wrong_phase")]


@pytest.mark.parametrize(
    ("name", "player", "code"),
    [("public", None, "malformed"), ("nobody", None, "not_authorised"), ("bia", "ana", "not_authorised")],
)
def test_who_may_not_ask_is_refused(name: str, player: str | None, code: str) -> None:
    answer = ask(small(), name, type="quote", **({} if player is None else {"player": player}))
    assert isinstance(answer, Refusal)
    assert answer.code == code


def test_a_game_master_asks_for_a_player() -> None:
    question = {"type": "quote", "order": "claim", "zone": "u"}
    assert ask(small(), "operator", player="ana", **question) == ask(small(), "ana", **question)
