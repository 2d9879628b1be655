"""Fighting beyond the worked examples: independence of places, what a battle's event tells, reports in parts."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.interface import Event
from tests.rules.gxc.play import Game, creation, territory

# Two wars far from each other: red against blue over A - B, green against gold over C - D.
MAP = {
    "A": territory("B", x=0),
    "B": territory("A", x=1),
    "C": territory("D", x=100),
    "D": territory("C", x=101),
    "Z": territory(x=500),
}
TEAMS = {"red": ["A"], "blue": ["B"], "green": ["C"], "gold": ["D"], "grey": ["Z"]}


def _war(stacks: dict[str, tuple[int, int]], targets: dict[str, str], *, checked: bool = True) -> list[Event]:
    game = Game(creation(MAP, TEAMS, {"base_energy": 50}), checked=checked)
    home = {"red": "A", "blue": "B", "green": "C", "gold": "D", "grey": "Z"}
    game.settle(**{player: home[player.split("_")[0]] for player in stacks})
    for player, (attack, defend) in stacks.items():
        team = player.split("_")[0]
        order: dict[str, Any] = {"defend": defend}
        if attack and team in targets:
            order["attack"] = {"target": targets[team], "energy": attack}
        assert game.say(player, "set_order", **order) == "accepted"
    return game.close()


def _fights(events: list[Event], places: str) -> list[tuple[str, int, list[Any]]]:
    """What happened at some places, without the numbers of steps, which count over the whole turn."""
    return [
        (event.data["scope"], event.data["draws"], [duel[1:] for duel in event.data["duels"]])
        for event in events
        if event.type == "battle" and set(event.data["place"].split(":")) <= set(places)
    ]


stack = st.tuples(st.integers(1, 20), st.integers(0, 10))


@settings(max_examples=20, deadline=None)
@given(st.lists(stack, min_size=6, max_size=6), st.integers(0, 2))
def test_taking_one_order_away_leaves_the_dice_of_every_other_place_alone(
    stacks: list[tuple[int, int]], missing: int
) -> None:
    """ENG-8."""
    names = ["red_1", "red_2", "blue_1", "green_1", "green_2", "gold_1"]
    war = dict(zip(names, stacks, strict=True))
    targets = {"red": "B", "blue": "A", "green": "D", "gold": "C"}
    whole = _war(war, targets)
    del war[names[missing]]
    assert _fights(_war(war, targets), "CD") == _fights(whole, "CD") != []


def test_a_battle_of_many_duels_comes_in_parts_of_500() -> None:
    stacks = {f"red_{number:04d}": (1, 0) for number in range(1200)} | {"blue_1": (0, 50), "grey_1": (0, 0)}
    events = [event.data for event in _war(stacks, {"red": "B"}, checked=False) if event.type == "battle"]
    duels = [len(event["duels"]) for event in events]
    assert all(size == 500 for size in duels[:-1])
    assert [(event["part"], event["parts"]) for event in events] == [(i + 1, len(events)) for i in range(len(events))]
    steps = [duel[0] for event in events for duel in event["duels"]]
    assert steps == list(range(1, len(steps) + 1))


def test_the_number_of_draws_of_a_stage_is_shuffles_picks_and_exchanges() -> None:
    stacks = {"red_1": (5, 0), "red_2": (5, 0), "blue_1": (0, 3), "blue_2": (0, 3), "grey_1": (0, 0)}
    (battle,) = [event.data for event in _war(stacks, {"red": "B"}) if event.type == "battle"]
    left = {"red_1": 5, "red_2": 5, "blue_1": 3, "blue_2": 3}
    living, drawn = {"blue_1", "blue_2"}, 1  # the shuffle of two attackers
    for _, attacker, defender, winner, rest in battle["duels"]:
        drawn += len(living) > 1
        after = {attacker: 0, defender: 0, winner: rest}
        drawn += left[attacker] + left[defender] - after[attacker] - after[defender]
        left |= after
        living = {name for name in living if left[name]}
    assert battle["draws"] == drawn


def test_orders_in_the_event_are_those_given_and_hold_no_seq() -> None:
    stacks = {"red_1": (5, 2), "blue_1": (0, 3), "grey_1": (0, 0)}
    (revealed,) = [event for event in _war(stacks, {"red": "B"}) if event.type == "orders_revealed"]
    assert revealed.to == ("public",)
    assert [list(order) for order in revealed.data["orders"]] == [
        ["blue_1", None, None, 0, 3],
        ["grey_1", None, None, 0, 0],
        ["red_1", None, "B", 5, 2],
    ]
