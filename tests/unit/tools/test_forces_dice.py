"""verify_turn.py draws the dice of FORCES anew, and says so when one of them is another (FOR-57, FOR-59, FOR-103)."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from shared.dice import Stream
from shared.rules import rules_of
from shared.rules.interface import Refusal
from shared.scenarios.table import Table
from tests.rules.conformance.players.forces import zones
from tests.unit.tools.loading import load

SEED = bytes(range(32))


class Told:
    """A line of an export as far as a checker of dice reads it."""

    def __init__(self, number: int, type: str, data: dict[str, Any]) -> None:
        self.number, self.type, self.data = number, f"warledger.forces.{type}.v1", data


class Seeded:
    """Every resolution on one seed that is known here."""

    def resolve(self, label: str, /) -> Any:
        return self

    seal = resolve

    def stream(self, scope: str, /) -> Stream:
        return Stream(SEED, scope)


def a_start() -> list[Told]:
    """Seats and zones by lot, on the seed."""
    rules = rules_of("forces")
    table = Table(rules, "0" * 64)
    config = {"auto_pick": True, "seat_order": "shuffle"}
    table.create({"map": {"zones": zones(Random(7), 12)}, "config": config})
    for at, name in enumerate(("caio", "ana", "bia")):
        table.say(f"j{at}", name, "player", "join", {}, at)
    command = table.journal[-1].input
    started = type(command)("x", command.game, "op", "operator", "start_game", {}, command.salt, 9, 9)
    events = [event for item in table.journal for event in item.events]
    decision = rules.decide(table.state, started, Seeded())
    assert not isinstance(decision, Refusal)
    events += [event for event in decision if event.type != "resolved"]
    return [Told(number, event.type, dict(event.data)) for number, event in enumerate(events)]


def a_combat() -> Iterator[Told]:
    stream = Stream(SEED, "combat:Z")
    for number, (seat, type_, odds) in enumerate(((1, "troop", 30), (2, "tank", 50)), 1):
        r = stream.int(100)
        data = {"zone": "Z", "seat": seat, "type": type_, "odds": odds, "r": r, "hit": r < odds, "number": number}
        yield Told(number, "combat_roll", {"scope": "combat:Z", "draws": 1, **data})
    pick = stream.int(3)
    yield Told(3, "casualty", {"scope": "combat:Z", "draws": 1, "zone": "Z", "of": 3, "pick": pick})
    yield Told(4, "casualty", {"scope": None, "draws": 0, "zone": "Z", "of": 1, "pick": None})


def wrong_in(lines: list[Told]) -> list[str]:
    found: list[str] = []
    dice = load().DICE["forces"](lambda line, reason: found.append(f"{line.type.split('.')[2]}: {reason}"))
    for line in lines:
        dice.saw(line)
    dice.rolled([line for line in lines if "scope" in line.data], "setup", SEED)
    return found


def test_what_the_seed_gives_is_found_right() -> None:
    assert wrong_in(a_start()) == []
    assert wrong_in(list(a_combat())) == []


@pytest.mark.parametrize(
    ("number", "changes", "reason"),
    [
        (1, {"r": 0, "hit": True}, "combat_roll: the seed gives the roll"),
        (2, {"hit": None}, "combat_roll: the seed gives the roll"),
        (3, {"pick": 9}, "casualty: the seed picks"),
        (3, {"scope": "combat:Y"}, "casualty: these dice have the scope combat:Z"),
        (4, {"pick": 0}, "casualty: what has no scope has no draws"),
    ],
)
def test_another_roll_or_pick_is_found(number: int, changes: dict[str, Any], reason: str) -> None:
    lines = list(a_combat())
    lines[number - 1].data.update(changes)
    assert wrong_in(lines)[0].startswith(reason)


@pytest.mark.parametrize("name", ["seats_given", "zones_shuffled"])
def test_another_deal_is_found(name: str) -> None:
    lines = a_start()
    (dealt,) = [line for line in lines if line.type.split(".")[2] == name]
    key = "seats" if name == "seats_given" else "zones"
    dealt.data[key] = [*dealt.data[key][1:], dealt.data[key][0]]
    assert wrong_in(lines)[0].startswith(f"{name}: the seed")
