"""Advice on drafts, reach, paths and odds, made from what the asking player sees."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from shared.rules.forces import RULES
from shared.rules.forces.chances import Combat, outcome_of, owners_after
from shared.rules.forces.combat import exposed_to, groups_in
from shared.rules.interface import Refusal
from tests.rules.forces.play import Game, running
from tests.rules.guide import DOCS


def codes(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(fault["place"], fault["code"]) for fault in answer["faults"]]


def test_every_fault_of_a_draft_is_told_with_its_place_that_of_the_judgement_first() -> None:
    """FOR-31, FOR-41."""
    game = running(starting_credits=50)
    draft: dict[str, Any] = {
        "purchases": [
            {"type": "ship", "zone": "C", "count": 1},
            {"type": "factory", "zone": "W", "count": 1},
            {"type": "factory", "zone": "D", "count": 2},
            {"type": "tank", "zone": "C", "count": 4},
        ],
        "moves": [
            {"from": "C", "type": "tank", "count": 1, "path": ["D", "B"]},
            {"from": "C", "type": "tank", "count": 1, "path": ["B", "A", "W"]},
            {"from": "C", "type": "tank", "count": 2, "path": ["B"]},
        ],
    }
    answer = game.ask("caio", "submit_turn", draft)
    assert codes(answer) == [
        ("purchases.0.type", "unknown_type"),
        ("purchases.1.zone", "water_zone"),
        ("purchases.2.count", "duplicate_factory"),
        ("purchases", "not_enough_credits"),
        ("moves.0.path.1", "bad_path"),
        ("moves.1.path", "too_far"),
        ("moves.2.count", "not_enough_forces"),
    ]
    assert all(fault["rule"].startswith("FOR-") and fault["detail"] for fault in answer["faults"])
    assert game.say("caio", "submit_turn", **draft) == "unknown_type"


def test_a_draft_without_fault_tells_cost_and_rest() -> None:
    """FOR-32."""
    answer = running(starting_credits=50).ask(
        "caio", "submit_turn", {"purchases": [{"type": "tank", "zone": "C", "count": 2}]}
    )
    assert answer == {"faults": [], "credits": 50, "cost": 30, "left": 20}


def test_a_draft_of_a_wrong_form_or_year_is_told_as_it_would_be_refused() -> None:
    game = running()
    assert codes(game.ask("ana", "submit_turn", {"wish": 1})) == [("", "malformed")]
    assert codes(game.ask("ana", "submit_turn", {"year": 1})) == [("year", "wrong_turn")]
    strange = {
        "purchases": [{"type": "tank", "zone": "X", "count": 1}],
        "moves": [{"from": "B", "type": "tank", "count": 1, "path": ["C", "Y"]}],
    }
    assert codes(game.ask("ana", "submit_turn", strange)) == [
        ("purchases.0.zone", "unknown_id"),
        ("moves.0.path.1", "unknown_id"),
    ]
    assert codes(game.ask("ana", "submit_turn", {"purchases": [{"type": 7, "zone": "X"}], "moves": "all"})) == [
        ("purchases.0.type", "malformed"),
        ("purchases.0.count", "malformed"),
        ("moves", "malformed"),
    ]


def test_an_unknown_zone_is_told_with_its_place_and_the_rest_of_the_draft_is_judged() -> None:
    """ENG-5, FOR-31: `unknown_id` comes before what the rules say of other items."""
    draft: dict[str, Any] = {
        "purchases": [
            {"type": "ship", "zone": "C", "count": 1},
            {"type": "tank", "zone": "X", "count": 1},
        ],
        "moves": [
            {"from": "Y", "type": "tank", "count": 1, "path": ["Z"]},
            {"from": "C", "type": "tank", "count": 1, "path": ["D", "Z"]},
            {"from": "C", "type": "tank", "count": 2, "path": ["D"]},
        ],
    }
    game = running(starting_credits=50)
    answer = game.ask("caio", "submit_turn", draft)
    assert codes(answer) == [
        ("purchases.1.zone", "unknown_id"),
        ("moves.0.from", "unknown_id"),
        ("moves.1.path.1", "unknown_id"),
        ("purchases.0.type", "unknown_type"),
        ("moves.2.count", "not_enough_forces"),
    ]
    assert game.say("caio", "submit_turn", **draft) == "unknown_id"
    assert codes(game.ask("caio", "submit_turn", {**draft, "year": 1}))[2:] == [
        ("moves.1.path.1", "unknown_id"),
        ("year", "wrong_turn"),
    ]


def test_the_largest_counts_of_a_draft_are_summed_exactly() -> None:
    """FOR-108: an item is for at most a million, so that five thousand of them still have a cost that JSON holds."""
    game = running()
    item = {"type": "factory", "zone": "C", "count": 1_000_000}
    assert game.ask("caio", "submit_turn", {"purchases": [item] * 50})["cost"] == 50 * 45 * 1_000_000
    answer = game.ask("caio", "submit_turn", {"purchases": [{**item, "count": 1_000_001}]})
    assert [fault["code"] for fault in answer["faults"]] == ["malformed"]
    assert "purchases.0.count must be an integer of at most 1000000" in answer["faults"][0]["detail"]
    assert game.say("caio", "submit_turn", purchases=[{**item, "count": 1_000_001}]) == "malformed"


def test_a_player_may_order_up_to_her_share_of_the_forces_of_a_game() -> None:
    """FOR-34, FOR-54: 50,000 for three players are 16,666 each; when one is out, 25,000."""
    game = running(starting_credits=1_000_000_000)

    def faults(count: int) -> list[tuple[str, str]]:
        return codes(game.ask("caio", "submit_turn", {"purchases": [{"type": "tank", "zone": "C", "count": count}]}))

    assert faults(16_665) == []
    assert faults(16_666) == [("purchases.0.count", "too_many_forces")]
    game.say("ana", "resign")
    assert faults(24_999) == []
    assert faults(25_000) == [("purchases.0.count", "too_many_forces")]
    halves = [{"type": type_, "zone": "C", "count": 12_500} for type_ in ("tank", "troop")]
    answer = game.ask("caio", "submit_turn", {"purchases": halves})
    assert codes(answer) == [("purchases.1.count", "too_many_forces")]
    assert "you may order 12499 more" in answer["faults"][0]["detail"]


def test_reach_is_what_a_year_allows() -> None:
    """FOR-37: a tank two steps and back, a troop one; water is no goal."""
    game = running()
    tank = game.ask("caio", "reach")["zones"]["C"]["tank"]
    assert tank == {
        "count": 1,
        "goals": {"A": ["B", "A"], "B": ["B"], "C": ["B", "C"], "D": ["D"], "E": ["D", "E"]},
    }
    assert game.ask("bia", "reach")["zones"]["E"]["troop"]["goals"] == {"D": ["D"]}
    for goal, path in tank["goals"].items():
        move = {"from": "C", "type": "tank", "count": 1, "path": path}
        assert game.ask("caio", "submit_turn", {"moves": [move]})["faults"] == [], goal


def test_who_is_pinned_reaches_nothing() -> None:
    """FOR-38."""
    game = running()
    for name, zone, path in (("caio", "C", ["D", "E"]), ("bia", "E", ["D"])):
        type_ = "tank" if name == "caio" else "troop"
        game.say(name, "submit_turn", moves=[{"from": zone, "type": type_, "count": 1, "path": path}])
    game.say("ana", "submit_turn")
    view = game.view("caio")
    contested = [id_ for id_, zone in view["zones"].items() if len(zone["forces"]) > 1]
    answer = game.ask("caio", "reach")["zones"]
    assert all(answer[id_]["refusal"]["code"] == "pinned" for id_ in contested if id_ in answer)
    assert all(answer[id_]["tank"]["goals"] == {} for id_ in contested if id_ in answer)


def test_a_path_is_the_shortest_over_land() -> None:
    """FOR-37, FOR-51."""
    game = running()
    answer = game.ask("ana", "path", {"from": "B", "to": "E", "type": "troop"})
    assert answer == {"refusal": None, "path": ["A", "D", "E"], "steps": 3, "years": 3, "stops": []}
    assert game.ask("ana", "path", {"from": "B", "to": "E", "type": "tank"})["years"] == 2
    assert game.ask("ana", "path", {"from": "B", "to": "W", "type": "tank"})["refusal"]["code"] == "water_zone"
    assert game.ask("ana", "path", {"from": "B"})["refusal"]["code"] == "malformed"
    assert game.ask("ana", "path", {"from": "B", "to": "X", "type": "tank"})["refusal"]["code"] == "unknown_id"
    stopped = game.ask("ana", "path", {"from": "B", "to": "D", "type": "tank"})
    assert (stopped["path"], stopped["stops"]) == (["A", "D"], [])


def test_the_odds_of_a_lone_tank_against_a_lone_tank() -> None:
    """FOR-E14: 35, 15, 15 and 35 per cent."""
    answer = running().ask("ana", "odds", {"zone": "C", "forces": {"1": {"tank": 1}, "3": {"tank": 1}}})
    assert answer["exact"]
    assert {tuple(item["seats"]): item["permille"] for item in answer["left"]} == {
        (1,): 350,
        (3,): 150,
        (): 150,
        (1, 3): 350,
    }
    assert [(item["owner"], item["numerator"], item["denominator"]) for item in answer["owner_after"]] == [
        (1, "7", "20"),
        (3, "13", "20"),
    ]


@pytest.mark.parametrize("rule", ["random", "cheapest", "owner_first"])
@pytest.mark.parametrize("owner", [0, 1])
def test_odds_are_those_of_all_rolls_and_picks(rule: str, owner: int) -> None:
    """FOR-56 to FOR-59: weights of a fight of three, counted by hand over hit or miss and every pick."""
    forces = {1: (1, 1), 2: (1, 0), 3: (0, 1)}
    combat = Combat(owner, forces, "attack", rule)
    outcome = outcome_of(combat)
    assert outcome is not None
    assert sum(outcome.weights.values()) == outcome.denominator
    wanted = _by_hand(combat)
    for seats, weight in outcome.weights.items():
        numerator, denominator = wanted[seats]
        assert weight * denominator == numerator * outcome.denominator, seats
    assert sum(
        item.numerator * outcome.denominator // item.denominator for item in owners_after(combat, outcome).values()
    ) == (outcome.denominator)


def _by_hand(combat: Combat) -> dict[tuple[int, ...], tuple[int, int]]:
    """Seats with Forces left -> a fraction over 100 ** 4 and what the picks divide by."""
    scale = 100**4 * 12**4
    dice = [
        (group.seat, (30 if group.seat == combat.owner else (15, 50)[group.type]))
        for group in groups_in(combat.forces)
        for _ in range(group.size)
    ]
    found: dict[tuple[int, ...], int] = {}
    for rolled in product((True, False), repeat=len(dice)):
        weight = 12**4
        for hit, (_, odds) in zip(rolled, dice, strict=True):
            weight *= odds if hit else 100 - odds
        hits = [seat for hit, (seat, _) in zip(rolled, dice, strict=True) if hit]
        for seats, part in _assigned(combat, dict(combat.forces), hits, weight):
            found[seats] = found.get(seats, 0) + part
    return {seats: (weight, scale) for seats, weight in found.items()}


def _assigned(combat: Combat, forces: dict[int, Sequence[int]], hits: list[int], weight: int) -> Any:
    if not hits:
        yield tuple(sorted(forces)), weight
        return
    exposed = exposed_to(hits[0], groups_in(forces), combat.owner, combat.casualty_rule)
    single = [group for group in exposed for _ in range(group.size)]
    if combat.casualty_rule == "cheapest":
        single = single[:1]
    if not single:
        yield from _assigned(combat, forces, hits[1:], weight)
    for group in single:
        counts = list(forces[group.seat])
        counts[group.type] -= 1
        left = {**forces, group.seat: tuple(counts)}
        if not any(counts):
            del left[group.seat]
        yield from _assigned(combat, left, hits[1:], weight // len(single))


EXACT = ((2, 100), (3, 10), (4, 5), (5, 3), (6, 2), (7, 1), (10, 1))
"""Players, and Forces of each, up to which odds are exact; docs/forces.md says so."""


@pytest.mark.parametrize("rule", ["random", "cheapest", "owner_first"])
@pytest.mark.parametrize(("players", "each"), EXACT)
def test_odds_are_exact_as_far_as_the_guide_says(players: int, each: int, rule: str) -> None:
    forces = dict.fromkeys(range(1, players + 1), (each - each // 2, each // 2))
    outcome = outcome_of(Combat(1, forces, "attack", rule))
    assert outcome is not None
    assert sum(outcome.weights.values()) == outcome.denominator
    assert all(len(str(weight)) < 1_000 for weight in outcome.weights.values())


@pytest.mark.parametrize(("players", "each"), [*EXACT[:-2], EXACT[-1]])
def test_odds_of_one_force_more_each_are_not(players: int, each: int) -> None:
    forces = dict.fromkeys(range(1, players + 1), (each + 1, 0))
    assert outcome_of(Combat(1, forces, "attack", "random")) is None


def test_the_guide_says_how_far_odds_are_exact() -> None:
    (_, two), *between, (_, _), (last, _) = EXACT
    said = ", ".join(f"{players} with {each}" for players, each in between)
    guide = (DOCS / "forces.md").read_text()
    assert f"2 players with up to {two} Forces each, {said} and 7 to {last} with one each;" in guide


def test_a_combat_that_is_too_large_tells_hits_on_average_alone() -> None:
    many = {"1": {"troop": 90}, "2": {"tank": 90}, "3": {"tank": 90}}
    answer = running().ask("ana", "odds", {"zone": "C", "forces": many})
    assert not answer["exact"]
    assert answer["expected_hits_percent"] == {"1": 1350, "2": 4500, "3": 2700}
    assert "left" not in answer


def test_without_forces_the_odds_are_of_what_stands_there() -> None:
    answer = running().ask("ana", "odds", {"zone": "C"})
    assert (answer["owner"], answer["contested"], answer["exact"]) == (3, False, False)
    assert answer["forces"] == {"3": {"troop": 0, "tank": 1}}
    assert running().ask("ana", "odds", {"zone": "C", "forces": {"4": {"tank": 1}}})["refusal"]["code"] == "unknown_id"


@pytest.mark.parametrize(
    ("name", "question", "code"),
    [
        ("public", {"type": "reach"}, "malformed"),
        ("public", {"type": "reach", "player": "ana"}, "not_authorised"),
        ("bia", {"type": "submit_turn", "player": "ana"}, "not_authorised"),
        ("stranger", {"type": "odds"}, "not_authorised"),
        ("ana", {"type": "victory"}, "malformed"),
    ],
)
def test_who_may_not_ask_is_refused(name: str, question: dict[str, Any], code: str) -> None:
    """FOR-79."""
    answer = RULES.advise(running().view(name), question)
    assert isinstance(answer, Refusal)
    assert answer.code == code


def test_nobody_is_advised_before_the_first_year_or_when_she_is_out() -> None:
    answer = RULES.advise(Game().view("operator"), {"type": "reach", "player": "ana"})
    assert isinstance(answer, Refusal)
    game = running()
    game.say("ana", "resign")
    answer = RULES.advise(game.view("ana"), {"type": "reach"})
    assert isinstance(answer, Refusal)
    assert answer.code == "eliminated"
