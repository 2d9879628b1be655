"""What a game says of its periods and of the parts of its view is so (docs/decisions/0007).

The host shows, closes and proves a game by these words alone.
"""

from collections.abc import Mapping
from typing import Any

from shared.rules.interface import RESOLVED, Decision, Dice, Input, Period, Refusal, Registration, Rules
from shared.rules.shapes import fault
from shared.scenarios.table import Table
from tests.rules.conformance.marks import games, seeds
from tests.rules.conformance.play import LONG_AGO, again, deal, played, replay, say
from tests.rules.conformance.players import Move
from tests.rules.conformance.test_laws import Proxy

LOOKED_EVERY = 4
"""Moves between two looks at what is shown of places."""


def view_of(table: Table, name: str = "public") -> dict[str, Any]:
    """What somebody may see, everybody if no name is given."""
    viewer = table.documents.viewer(name)
    return table.rules.view(table.documents.of(viewer), viewer)


def shown_of_period(table: Table) -> dict[str, Any]:
    """What everybody is told of the open period: by the one document that a list of games is made of."""
    viewer = table.documents.viewer("public")
    return table.rules.view([item for item in table.documents.of(viewer) if item.kind == "game"], viewer)


class NotesLabels(Proxy):
    """Keeps the labels of what was resolved."""

    def __init__(self, rules: Rules[Any]) -> None:
        super().__init__(rules)
        self.labels: list[str] = []

    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        decision = self.rules.decide(state, command, dice)
        if not isinstance(decision, Refusal):
            self.labels += [event.data["label"] for event in decision if event.type == RESOLVED]
        return decision


@games
@seeds
def test_a_resolution_has_the_number_of_the_period_that_is_open(registered: Registration[Any], seed: int) -> None:
    proxy = NotesLabels(registered.load())
    period = proxy.rules.period
    if period is None:
        return
    table = deal(proxy, seed)
    numbers: list[int] = []
    before = shown_of_period(table)
    for judged in again(table, played(registered, seed)):
        found = [number for label in proxy.labels if (number := period.number_of(label)) is not None]
        new = found[len(numbers) :]
        assert new == [] or new[0] == before[period.name]
        numbers, before = found, shown_of_period(table)
        assert judged
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 1


@games
@seeds
def test_the_view_tells_the_deadline_of_the_open_period(registered: Registration[Any], seed: int) -> None:
    rules = registered.load()
    if rules.period is None:
        return
    closing = {item.command for item in rules.period.closings.values()}
    table = deal(rules, seed)
    for _ in again(table, played(registered, seed)):
        due = rules.due(table.state)
        if due is not None and due.type in closing:
            assert shown_of_period(table)[rules.period.deadline] == due.at


@games
@seeds
def test_an_operator_closes_the_open_period_as_the_game_says(registered: Registration[Any], seed: int) -> None:
    rules = registered.load()
    if rules.period is None:
        return
    for moves in (0, 40, 80):
        table = replay(rules, registered, seed, moves)
        closing = rules.period.closings.get(view_of(table)["phase"])
        if closing is None or rules.over(table.state):
            continue
        payload = payload_of(closing.fields, view_of(table))
        assert "operator" in rules.commands[closing.command].roles
        assert fault(rules.commands[closing.command].payload, payload) is None
        at = max(LONG_AGO, table.journal[-1].input.at)
        judged = say(table, "close", Move("operator", "operator", closing.command, payload), at)
        assert judged[-1].refusal is None


def payload_of(fields: tuple[str, ...], view: Mapping[str, Any]) -> dict[str, Any]:
    """The payload of a closing, as gateway and command line make it."""
    return {name: view[name] for name in fields}


@games
@seeds
def test_places_and_sides_are_in_the_view_as_the_game_says(registered: Registration[Any], seed: int) -> None:
    rules = registered.load()
    parts = rules.parts
    table = deal(rules, seed)
    counted: set[str] = set()
    for number, _ in enumerate(again(table, played(registered, seed))):
        if number % LOOKED_EVERY:
            continue
        shown = view_of(table, "operator").get(parts.places or "", {}).values()
        counted |= {count for count in parts.counts if any(type(item.get(count)) is int for item in shown)}
    assert counted == set(parts.counts)
    view = view_of(table)
    kinds = {kind for page in rules.pages.values() for kind in page.kinds}
    assert set(parts.side_kinds) <= kinds
    assert parts.players in view
    if parts.places is None or parts.sides is None:
        return
    key = parts.side_key
    sides = {id if key is None else item[key] for id, item in view[parts.sides].items()} - {None}
    owners = {item.get("owner") for item in view[parts.places].values()} - {None}
    assert owners
    assert owners <= sides


def test_a_label_belongs_to_the_period_that_it_begins_with() -> None:
    rounds = Period("round", "round_deadline", {})
    labels = (
        "round:2:attack:5",
        "round:12:close",
        "round:7",
        "setup",
        "turn:3",
        "round",
        "round:",
        "round:x",
        "rounds:1",
    )
    assert [rounds.number_of(label) for label in labels] == [2, 12, 7, None, None, None, None, None, None]
