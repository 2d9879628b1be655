"""Advice on drafts, reach and chances, made from nothing but a view (GXC-33 to GXC-45, GXC-91)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from shared.dice import Script
from shared.rules.gxc import RULES
from shared.rules.gxc.chances import LARGEST_STACK, row_permille, win_permille
from shared.rules.interface import Refusal, Role
from shared.scenarios.table import Table
from tests.rules.conformance.play import SEEDS, deal, step_by_step

pytestmark = pytest.mark.slow

Draft = Mapping[str, Any]


def _territory(x: int, *neighbours: str, special: str | None = None) -> Mapping[str, Any]:
    return {"name": f"Land {x}", "neighbours": neighbours, "centroid": {"x": x, "y": 0}, "special": special}


def _table(energy: int = 10, **config: Any) -> Table:
    """Red holds A, B, C in a row, blue D behind C and E beside A; r1 stands energized on A, b1 on D."""
    territories = {
        "A": _territory(0, "B", "E"),
        "B": _territory(10, "A", "C"),
        "C": _territory(20, "B", "D"),
        "D": _territory(30, "C", special="fortified"),
        "E": _territory(40, "A"),
    }
    table = Table(RULES, "00" * 32)
    table.create(
        {
            "map": {"territories": territories},
            "teams": {"red": {"territories": ["A", "B", "C"]}, "blue": {"territories": ["D", "E"]}},
            "config": {"recruitment_turns": 0, "base_energy": energy, **config},
        }
    )
    _say(table, "r1", "join", team="red")
    _say(table, "b1", "join", team="blue")
    _say(table, "r1", "place", territory="A")
    _say(table, "b1", "place", territory="D")
    _say(table, "operator", "start_game")
    _say(table, "r1", "energize")
    return table


def _say(table: Table, actor: str, type: str, **payload: Any) -> None:
    number = len(table.journal)
    role: Role = "operator" if actor == "operator" else "player"
    assert table.say(f"s{number}", actor, role, type, payload, number, Script([]))[-1].code == "accepted"


def _ask(table: Table, viewer: str, **question: Any) -> dict[str, Any] | Refusal:
    who = table.documents.viewer(viewer)
    return RULES.advise(RULES.view(table.documents.of(who), who), question)


def _answer(table: Table, viewer: str = "r1", **question: Any) -> dict[str, Any]:
    answer = _ask(table, viewer, **question)
    assert not isinstance(answer, Refusal), answer
    return answer


def _faults(table: Table, draft: Draft) -> list[tuple[str, str]]:
    return [(item["place"], item["code"]) for item in _answer(table, type="set_order", payload=draft)["faults"]]


def test_amounts_beyond_all_energy_are_summed_within_53_bits() -> None:
    """ENG-7; what is negative is a fault of its own and saves nothing."""
    most = 2**53 - 1
    draft = {"attack": {"target": "D", "energy": most}, "defend": most}
    answer = _answer(_table(), type="set_order", payload=draft)
    assert -most <= answer["left"] < 0 < answer["spent"] <= most
    assert _answer(_table(), type="set_order", payload={"defend": -most})["spent"] == 0


def test_a_draft_without_fault_tells_its_costs() -> None:
    draft = {"move_to": "C", "attack": {"target": "D", "energy": 4}, "defend": 2}
    answer = _answer(_table(), type="set_order", payload=draft)
    assert answer["faults"] == []
    assert answer["move"] == {"cost": 3, "steps": 2}
    assert (answer["energy"], answer["spent"], answer["left"]) == (10, 9, 1)


@pytest.mark.parametrize(
    ("draft", "faults"),
    [
        ({"move_to": "D"}, [("move_to", "not_own_territory")]),
        ({"move_to": "A"}, [("move_to", "same_territory")]),
        ({"attack": {"target": "D", "energy": 1}}, [("attack.target", "not_adjacent")]),
        ({"attack": {"target": "B", "energy": 1}}, [("attack.target", "own_territory")]),
        ({"defend": 11}, [("", "insufficient_energy")]),
        ({"move_to": "C", "defend": 8}, [("", "insufficient_energy")]),
        ({"attack": {"target": "E", "energy": 0}}, [("attack.energy", "bad_amount")]),
        ({"defend": -1}, [("defend", "bad_amount")]),
        ({"attack": {"target": "nowhere", "energy": 1}}, [("attack.target", "unknown_id")]),
        ({"attack": 3}, [("attack", "malformed")]),
        (
            {"attack": {"target": 7}, "wish": 1},
            [("", "malformed"), ("attack.target", "malformed"), ("attack.energy", "malformed")],
        ),
        ({"move_to": "D", "defend": -2}, [("defend", "bad_amount"), ("move_to", "not_own_territory")]),
        (
            {"move_to": "B", "attack": {"target": "D", "energy": 1}, "defend": -2},
            [("defend", "bad_amount"), ("attack.target", "not_adjacent")],
        ),
        ({"move_to": "D", "attack": {"target": "E", "energy": 1}}, [("move_to", "not_own_territory")]),
    ],
)
def test_the_faults_of_a_draft_are_named_with_their_places(draft: Draft, faults: list[tuple[str, str]]) -> None:
    assert _faults(_table(), draft) == faults


def test_a_fault_cites_its_rule_and_says_what_would_be_right() -> None:
    answer = _answer(_table(), type="set_order", payload={"move_to": "D"})
    assert answer["faults"] == [
        {
            "place": "move_to",
            "code": "not_own_territory",
            "rule": "GXC-34",
            "detail": "move to a territory that your team owns",
        }
    ]


def test_during_recruitment_an_attack_is_a_fault_and_nothing_is_in_reach_of_one() -> None:
    table = _table(recruitment_turns=1)
    assert _faults(table, {"attack": {"target": "E", "energy": 1}}) == [("attack", "recruitment_mode")]
    assert _answer(table, type="reach")["targets"] == []


def test_without_energize_that_alone_is_the_fault() -> None:
    table = _table()
    answer = _answer(table, "b1", type="set_order", payload={"move_to": "A", "defend": -1})
    assert [item["code"] for item in answer["faults"]] == ["not_energized"]


def test_reach_names_moves_that_can_be_paid_and_targets_from_each() -> None:
    """GXC-35: one step costs 1, two cost 3."""
    assert _answer(_table(), type="reach") == {
        "energy": 10,
        "location": "A",
        "targets": ["E"],
        "moves": {
            "B": {"cost": 1, "steps": 1, "targets": []},
            "C": {"cost": 3, "steps": 2, "targets": ["D"]},
        },
    }
    assert set(_answer(_table(energy=2), type="reach")["moves"]) == {"B"}


def test_chances_use_the_ground_and_the_strength_that_is_seen() -> None:
    table = _table()
    _say(table, "b1", "energize")
    _say(table, "operator", "close_turn", turn=1)
    _say(table, "r1", "energize")
    draft = {"move_to": "C", "attack": {"target": "D", "energy": 9}}
    assert _answer(table, type="set_order", payload=draft)["chance"] == {
        "exchange_pct": {"began_there": 30, "came_later": 45},
        "players": 1,
        "energy": 10,
        "permille": win_permille(9, 10, 30),
    }


def test_hidden_strengths_give_no_chance_against_them() -> None:
    table = _table(public_energy=False)
    draft = {"attack": {"target": "E", "energy": 1}}
    assert set(_answer(table, type="set_order", payload=draft)["chance"]) == {"exchange_pct"}


def test_advice_is_for_the_own_team_and_for_operators() -> None:
    table = _table()
    assert _answer(table, "operator", type="reach", player="r1")["location"] == "A"
    for viewer, question in (
        ("b1", {"type": "reach", "player": "r1"}),
        ("public", {"type": "reach", "player": "r1"}),
        ("stranger", {"type": "reach"}),
    ):
        refused = _ask(table, viewer, **question)
        assert isinstance(refused, Refusal)
        assert refused.code == "not_authorised"


@pytest.mark.parametrize(
    "question", [{}, {"type": "oracle"}, {"type": "reach", "player": 3}, {"type": "reach", "more": 1}]
)
def test_a_question_of_another_form_is_malformed(question: Mapping[str, Any]) -> None:
    refused = _ask(_table(), "r1", **question)
    assert isinstance(refused, Refusal)
    assert refused.code == "malformed"
    nobody = _ask(_table(), "public", type="reach")
    assert isinstance(nobody, Refusal)
    assert nobody.code == "malformed"


@pytest.mark.parametrize("seed", SEEDS)
def test_advice_agrees_with_the_judgement(seed: int) -> None:
    """What is accepted has no fault, what is refused has the code of the refusal among its faults."""
    table = deal(RULES, seed)
    asked = 0
    moves = step_by_step(table, seed)
    before = {name: _view(table, name) for name in RULES.encode(table.state)["players"]}
    for judged in moves:
        last = judged[-1]
        if last.input.type == "set_order" and len(judged) == 1 and last.input.actor in before:
            seen = before[last.input.actor]
            answer = RULES.advise(seen, {"type": "set_order", "payload": last.input.payload})
            if isinstance(answer, Refusal):
                assert last.refusal is not None
            else:
                codes = [item["code"] for item in answer["faults"]]
                wanted = [] if last.refusal is None else [last.refusal.code]
                assert codes[:1] == wanted or "target_shielded" in wanted
                asked += 1
        before = {name: _view(table, name) for name in RULES.encode(table.state)["players"]}
    assert asked > 3


def _view(table: Table, name: str) -> dict[str, Any]:
    viewer = table.documents.viewer(name)
    return RULES.view(table.documents.of(viewer), viewer)


@cache
def _chance(attack: int, defence: int, pct: int) -> Fraction:
    """The duel walked exchange by exchange."""
    if defence == 0:
        return Fraction(1)
    if attack == 0:
        return Fraction(0)
    win = Fraction(pct, 100)
    return win * _chance(attack, defence - 1, pct) + (1 - win) * _chance(attack - 1, defence, pct)


@pytest.mark.parametrize("pct", [0, 1, 30, 45, 60, 100])
def test_chances_of_a_duel_are_exact(pct: int) -> None:
    for attack in range(12):
        for defence in range(12):
            wanted = int(_chance(attack, defence, pct) * 1000) if attack else 0
            assert win_permille(attack, defence, pct) == wanted


def test_huge_stacks_have_no_exact_chance() -> None:
    assert win_permille(LARGEST_STACK, LARGEST_STACK, 45) is not None
    assert win_permille(LARGEST_STACK + 1, 5, 45) is None


def test_single_rolls_multiply() -> None:
    assert row_permille(0, 45) == 1000
    assert row_permille(2, 45) == 202
