"""The budget of commands: a minute's worth at once, then as much as time gives; each account has its own."""

from pathlib import Path

import pytest

from services.gateway import budgets
from services.gateway.budgets import CommandBudget
from shared.calls import Caller
from shared.errors import Problem
from tests.unit.gateway.house import House
from tests.unit.gateway.test_accounts_api import code

ANA, BIA, OPERATOR = Caller("ana", "player"), Caller("bia", "player"), Caller("op", "operator")


class Seconds:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


def test_a_minutes_worth_may_come_at_once_and_the_next_is_refused_with_the_time_to_wait(seconds: Seconds) -> None:
    budget = CommandBudget(600, seconds)
    for _ in range(600):
        budget.take(ANA)
    with pytest.raises(Problem) as refused:
        budget.take(ANA)
    assert (refused.value.status, refused.value.code) == (429, "too_many_requests")
    assert refused.value.headers["Retry-After"] == "1"
    budget.take(BIA)


def test_room_comes_back_with_time_and_refusals_take_none(seconds: Seconds) -> None:
    budget = CommandBudget(4, seconds)
    for _ in range(4):
        budget.take(ANA)
    for _ in range(10):
        with pytest.raises(Problem) as refused:
            budget.take(ANA)
    assert refused.value.headers["Retry-After"] == "15"
    seconds.now += 15
    budget.take(ANA)
    with pytest.raises(Problem):
        budget.take(ANA)
    seconds.now += 3_600
    for _ in range(4):
        budget.take(ANA)


def test_operators_have_no_limit(seconds: Seconds) -> None:
    budget = CommandBudget(1, seconds)
    for _ in range(50):
        budget.take(OPERATOR)


def test_accounts_whose_room_is_full_again_are_forgotten(seconds: Seconds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "_SWEPT_FROM", 10)
    budget = CommandBudget(60, seconds)
    for number in range(1000):
        budget.take(Caller(f"p{number}", "player"))
        seconds.now += 1
    assert len(budget._full_at) <= 10


def test_commands_beyond_the_limit_reach_no_intake(tmp_path: Path) -> None:
    house = House(tmp_path, WARLEDGER_COMMANDS_A_MINUTE="4")
    house.run()
    try:
        game = house.war(house.somebody("operator"))
        player = house.somebody()
        answers = [player.command(game, "energize") for _ in range(4)]
        assert {answer.status_code for answer in answers} == {422}
        calls = house.intakes.calls
        refused = player.command(game, "energize")
        assert code(refused) == (429, "too_many_requests")
        assert 1 <= int(refused.headers["Retry-After"]) <= 15
        assert house.intakes.calls == calls
    finally:
        house.close()
