"""Commands that go to an intake together: keys, refusals and budgets mean what they mean to each alone."""

import pytest

from services.gateway.budgets import CommandBudget
from shared.events import input_id
from tests.unit.gateway.house import House, Player
from tests.unit.gateway.test_accounts_api import code
from tests.unit.gateway.test_lean import ASYNC, environ, together
from tests.unit.gateway.test_writes import answer_of


@pytest.fixture(scope="module")
def war(house: House, operator: Player) -> str:
    return house.war(operator)


@pytest.fixture
def ana(house: House, war: str) -> Player:
    return known(house.recruit(war, "red", "dunmere"), war)


@pytest.fixture
def bia(house: House, war: str) -> Player:
    return known(house.recruit(war, "red", "cliffe"), war)


def known(player: Player, war: str) -> Player:
    """Somebody whose token this process knows from a moment ago; others go alone."""
    player.command(war, "energize", **ASYNC)
    return player


def sent(house: House, war: str, *commands: tuple[Player, object, str]) -> list[tuple[int, str, dict[str, object]]]:
    """Status, Location and body of orders to defend, with their keys, that are handed over as one group."""
    calls = house.intakes.calls
    environs = [
        environ(str(player.token), war, {"type": "set_order", "payload": {"defend": value}}, Idempotency_Key=key)
        for player, value, key in commands
    ]
    found = together(house, environs)
    assert house.intakes.calls == calls + 1
    return [(status, headers.get("Location", ""), body) for status, headers, body in found]


def test_the_same_key_twice_in_a_group_is_one_input_with_one_answer(house: House, war: str, ana: Player) -> None:
    first, again = sent(house, war, (ana, 2, "twice"), (ana, 2, "twice"))
    assert first[0] == again[0] == 202
    assert first[2]["id"] == again[2]["id"] == input_id(war, ana.account, "twice")
    assert first[2] | {"at": 0} == again[2] | {"at": 0}  # until it is judged a repeat has a time of its own
    assert first[1] == again[1]
    assert answer_of(ana, first[1])["status"] == "accepted"


def stored_order(player: Player, location: str) -> object:
    """What the accepted order of this place defends with."""
    [event] = answer_of(player, location)["outcome"]
    return event["data"]["defend"]


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_another_body_under_a_key_of_the_group_is_refused(
    house: House, war: str, ana: Player, order: tuple[int, int]
) -> None:
    key = f"other-{order[0]}"
    first, other = sent(house, war, *((ana, value, key) for value in order))
    assert stored_order(ana, first[1]) == order[0]
    assert code(ana.get(other[1])) == (422, "key_reused")


def test_the_key_of_another_player_in_the_group_means_nothing(house: House, war: str, ana: Player, bia: Player) -> None:
    mine, hers = sent(house, war, (ana, 1, "shared"), (bia, 2, "shared"))
    assert mine[2]["id"] != hers[2]["id"]
    assert stored_order(ana, mine[1]) == 1
    assert stored_order(bia, hers[1]) == 2


def test_one_that_is_refused_before_the_log_leaves_those_beside_it_stored(
    house: House, war: str, ana: Player, bia: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is not well-formed, one is beyond the budget of its account."""
    monkeypatch.setattr(house.context.writes, "_budget", CommandBudget(2))
    found = sent(house, war, (ana, 1, "a1"), (ana, "x", "a2"), (ana, 3, "a3"), (bia, 4, "b1"))
    assert [(status, body.get("code")) for status, _, body in found] == [
        (202, None),
        (400, "malformed"),
        (429, "too_many_requests"),
        (202, None),
    ]
    for player, index in ((ana, 0), (bia, 3)):
        assert answer_of(player, found[index][1])["status"] == "accepted"
    for key in ("a2", "a3"):
        assert code(ana.get(f"/games/{war}/inputs/{input_id(war, ana.account, key)}")) == (404, "not_found")
