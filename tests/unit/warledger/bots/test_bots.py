"""Both bots: legal play, and what the stronger one weighs."""

from typing import Any

import pytest

from shared.rules.exgenhoca.default_map import default_map
from tests.unit.warledger.bots.positions import item, sight
from warledger.bots.bot import Command
from warledger.bots.planner import PlannerBot
from warledger.bots.roster import BOTS

AFRICA = "argelia egito sudao congo africa_do_sul madagascar"
SOUTH_AMERICA = "venezuela peru brasil argentina"
EVERYTHING = " ".join(default_map()["territories"])


def chosen(holdings: dict[str, str], objective: dict[str, Any] | None = None, **ana: Any) -> Command:
    """What the stronger bot does."""
    command = PlannerBot("1").choose(sight(holdings, objective, **ana))
    assert command is not None
    return command


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_passes_when_nothing_is_left_to_attack(name: str) -> None:
    seen = sight(
        {"ana": "argentina"}, cooldown={"brasil": 2, "peru": 2}, attacked_this_round=["brasil", "peru"], attacks_left=1
    )
    assert BOTS[name]("1").choose(seen) == Command("pass_round", {})


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_without_rights_has_nothing_to_do(name: str) -> None:
    assert BOTS[name]("1").choose(sight({"ana": "brasil"}, attacks_left=0)) is None
    assert BOTS[name]("1").choose(sight({"ana": "brasil"}, passed=True)) is None
    assert BOTS[name]("1").choose(sight({"bia": "brasil"}, status="eliminated")) is None


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_answers_what_is_pending_before_it_attacks(name: str) -> None:
    lost = BOTS[name]("1").choose(sight({"ana": "brasil", "bia": "congo"}, pending="loss"))
    assert lost == Command("resolve_loss", {"territory": "brasil"})
    swap = BOTS[name]("1").choose(sight({"ana": "brasil", "bia": "congo"}, pending="swap"))
    assert swap is not None
    assert swap.type == "resolve_swap"


@pytest.mark.parametrize("name", BOTS)
def test_an_attack_at_any_distance_is_used(name: str) -> None:
    command = BOTS[name]("1").choose(sight({"ana": "brasil"}, global_attacks=1))
    assert command is not None
    assert command.payload["use"]["global"] is True


def test_the_planner_completes_the_continent_that_its_objective_names() -> None:
    own = AFRICA.replace(" congo", "")
    command = chosen({"ana": own, "bia": "franca congo"}, {"continents": ["africa"]})
    assert command == Command("attack", {"target": "congo", "use": {}})


def test_the_planner_goes_for_the_player_whom_its_objective_names() -> None:
    holdings = {"ana": "egito", "bia": "sudao oriente_medio franca", "caio": "polonia japao"}
    assert chosen(holdings, {"eliminate": 3}).payload["target"] == "polonia"


def test_the_planner_attacks_where_the_chance_makes_up_for_the_worth() -> None:
    """China has more borders to hold; penalty N2 takes 5 from its owner's next defence."""
    holdings = {"ana": "japao", "bia": "china", "caio": "vladivostok"}
    weak = {"penalties": {"minus_defence": 1}}
    assert chosen(holdings, {"min_total": 15}).payload["target"] == "vladivostok"
    assert chosen(holdings, {"min_total": 15}, bia=weak).payload["target"] == "china"


def test_the_planner_keeps_plus_five_for_what_is_dear() -> None:
    inventory = [item("P1")]
    cheap = chosen({"ana": "japao brasil argentina peru"}, inventory=inventory, cooldown={"venezuela": 1})
    dear = chosen(
        {"ana": "brasil argentina peru", "bia": "venezuela"}, {"continents": ["south_america"]}, inventory=inventory
    )
    last = chosen({"ana": "japao"}, inventory=[item("P1", last=2)])
    assert [command.payload["use"].get("plus5", False) for command in (cheap, dear, last)] == [False, True, True]
    assert dear.payload["target"] == "venezuela"


def test_the_planner_repeats_an_attack_that_decides() -> None:
    tried = {"cooldown": {"venezuela": 2}, "attacked_this_round": ["venezuela"], "attacks_left": 2, "attacks_made": 1}
    command = chosen({"ana": "brasil argentina peru", "bia": "venezuela"}, {"continents": ["south_america"]}, **tried)
    assert command == Command("attack", {"target": "venezuela", "use": {"repeat": True}})


def test_the_planner_sets_its_policy_when_it_has_something_to_defend_with() -> None:
    command = chosen({"ana": SOUTH_AMERICA + " mexico"}, inventory=[item("P2"), item("P3"), item("P3")])
    assert command == Command("set_policy", {"defence_plus5": "next", "defence_rerolls": 2, "sa_give": ["mexico"]})


def test_the_planner_swaps_for_the_last_territory_of_its_continent_and_declines_a_bad_swap() -> None:
    own = {"ana": "brasil argentina peru japao", "bia": "venezuela"}
    good = chosen(own, {"continents": ["south_america"]}, pending="swap")
    assert good == Command("resolve_swap", {"give": "japao", "take": "venezuela"})
    assert chosen({"ana": SOUTH_AMERICA}, {"continents": ["south_america"]}, pending="swap").payload == {
        "decline": True
    }
