"""A creation that no rules could take is refused before the log."""

import copy
from typing import Any

import pytest

from shared.calls import Caller
from shared.events import read_submitted
from tests.rules.gxc.play import creation, territory
from tests.unit.intake.test_intake import GAME, Intake, orders

__all__ = ["orders"]
OPERATOR = Caller("op", "operator")
SHA256 = "ab" * 32
GOOD = creation({"T": territory("U"), "U": territory("T")}, {"red": ["T"], "blue": ["U"]})


def send(intake: Intake, payload: Any) -> tuple[int, str, str]:
    """Status, code and detail."""
    body = {"game": GAME, "kind": "host", "rules": "", "type": "create_game", "payload": payload}
    answer = intake.send(body, OPERATOR)
    data = answer.get_json()
    return answer.status_code, data.get("code", ""), data.get("detail", "")


def with_change(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(GOOD), **changes}


@pytest.mark.parametrize(
    ("create", "said"),
    [
        (None, "payload.create must be an object"),
        ([], "payload.create must be an object"),
        ({}, "payload.create.map is missing"),
        ({"foo": 1}, "payload.create has the unknown field 'foo'"),
        ({"foo": {"sha256": SHA256}}, "payload.create has the unknown field 'foo'"),
        (with_change(map=None), "payload.create.map must be an object"),
        (with_change(map={}), "payload.create.map.territories is missing"),
        (with_change(map={"sha256": "abc"}), "payload.create.map.sha256 must be a SHA-256 in 64 hex digits"),
        (with_change(teams=[]), "payload.create.teams must be an object"),
        (with_change(teams={"red": {}}), "payload.create.teams.red.territories is missing"),
        (with_change(config=7), "payload.create.config must be an object"),
    ],
)
def test_a_malformed_creation_is_refused_with_its_place_and_not_stored(orders: Intake, create: Any, said: str) -> None:
    status, code, detail = send(orders, {"game": "gxc", "create": create})
    assert (status, code) == (400, "malformed")
    assert said in detail
    assert orders.stored() == []


@pytest.mark.parametrize("named", [{"game": "chess"}, {"game": "gxc", "rules": "99"}])
def test_a_creation_for_rules_that_are_not_installed_is_not_stored(orders: Intake, named: dict[str, str]) -> None:
    status, code, detail = send(orders, {**named, "create": GOOD})
    assert (status, code) == (400, "unknown_rules")
    assert "known: gxc 1" in detail
    assert orders.stored() == []


def test_a_creation_over_the_limit_of_the_log_is_not_stored(orders: Intake) -> None:
    teams = {f"team-{number}": {"territories": [f"t{number}"]} for number in range(10_000)}
    status, code, detail = send(orders, {"game": "gxc", "create": with_change(teams=teams)})
    assert (status, code) == (413, "too_large")
    assert "an input has at most" in detail
    assert orders.stored() == []


@pytest.mark.parametrize("create", [GOOD, with_change(map={"sha256": SHA256}), with_change(teams={"sha256": SHA256})])
def test_a_creation_of_the_right_form_is_stored_as_it_came(orders: Intake, create: Any) -> None:
    assert send(orders, {"game": "gxc", "create": create})[0] == 202
    (record,) = orders.stored()
    assert read_submitted(record.value).payload["create"] == create
