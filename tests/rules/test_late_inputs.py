"""GXC-106: an input that a host hands in too late is refused, though a host that keeps ENG-3 never does so."""

from typing import Any

import pytest

from shared.canonical import canonical
from shared.rules.gxc import RULES
from shared.rules.interface import Input, Refusal
from shared.scenarios.dice import Chain, CommandDice
from shared.scenarios.table import Table
from tests.rules.conformance.play import say
from tests.rules.conformance.players import Move

DAY_MS = 86_400_000
DEADLINE = DAY_MS + 10
CREATE: dict[str, Any] = {
    "map": {
        "territories": {
            "T": {"name": "T", "neighbours": ["U"], "centroid": {"x": 0, "y": 0}, "special": None},
            "U": {"name": "U", "neighbours": ["T"], "centroid": {"x": 1, "y": 0}, "special": None},
        }
    },
    "teams": {"red": {"name": "Red", "territories": ["T"]}, "blue": {"name": "Blue", "territories": ["U"]}},
    "config": {"recruitment_turns": 0},
}


@pytest.fixture
def table() -> Table:
    """A running game of r1 in turn 1, whose deadline is DEADLINE."""
    table = Table(RULES, "0" * 64)
    table.create(CREATE)
    say(table, "1", Move("r1", "player", "join", {"team": "red"}), 1)
    say(table, "2", Move("r1", "player", "place", {"territory": "T"}), 2)
    say(table, "3", Move("operator", "operator", "start_game", {}), 10)
    return table


def answer(table: Table, at: int, actor: str = "r1", type: str = "energize") -> str:
    """What `decide` says to an input, whatever is due."""
    role: Any = "player" if actor == "r1" else actor
    payload = {} if type == "energize" else {"turn": table.rules.encode(table.state)["turn"]}
    command = Input("late", "scenario", actor, role, type, payload, "", at, len(table.journal) + 1)
    before = canonical(table.rules.encode(table.state))
    decision = table.rules.decide(table.state, command, CommandDice(Chain("0" * 64), None, None))
    assert canonical(table.rules.encode(table.state)) == before
    return decision.code if isinstance(decision, Refusal) else "accepted"


@pytest.mark.parametrize(("at", "expected"), [(DEADLINE, "accepted"), (DEADLINE + 1, "deadline_passed")])
def test_after_the_deadline_and_before_the_close_it_is_too_late(table: Table, at: int, expected: str) -> None:
    assert answer(table, at) == expected


@pytest.mark.parametrize(("at", "expected"), [(DEADLINE, "deadline_passed"), (DEADLINE + 1, "accepted")])
def test_after_a_close_by_the_clock_it_must_be_later_than_that_deadline(table: Table, at: int, expected: str) -> None:
    table.run_clock(DEADLINE)
    assert answer(table, at) == expected


def test_a_close_by_an_operator_sets_no_such_bound(table: Table) -> None:
    say(table, "4", Move("operator", "operator", "close_turn", {"turn": 1}), 500)
    assert answer(table, 400) == "accepted"


def test_a_paused_turn_has_no_deadline_to_pass(table: Table) -> None:
    say(table, "4", Move("operator", "operator", "set_deadline", {"deadline": None, "reason": "pause"}), 500)
    assert answer(table, 10 * DEADLINE) == "accepted"


def test_the_clock_may_close_at_the_deadline_and_later_but_not_before(table: Table) -> None:
    """GXC-107."""
    assert answer(table, DEADLINE - 1, "clock", "close_turn") == "too_early"
    assert answer(table, DEADLINE, "clock", "close_turn") == "accepted"
    assert answer(table, DEADLINE - 1, "operator", "close_turn") == "accepted"
