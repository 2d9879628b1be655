"""What holds in every game whatever is played (FOR-83): no Force appears or vanishes without an event that says so."""

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.forces import RULES
from shared.rules.interface import Event
from shared.scenarios.table import Table
from tests.rules.conformance.play import LONG_AGO
from tests.rules.conformance.players.forces import READINGS, submission, zones

State = dict[str, Any]
Standing = Counter[tuple[str, int, str]]
"""(zone, seat, type) -> combat Forces."""
YEARS = 50
COMBAT = ("troop", "tank")


def standing(state: State) -> Standing:
    found: Standing = Counter()
    for id_, zone in state["zones"].items():
        for seat, counts in zone["forces"].items():
            for type_ in COMBAT:
                found[id_, int(seat), type_] += counts[type_]
    return +found


class Ledger:
    """Every Force by the events that are allowed to change it, counted apart from the rules."""

    def __init__(self) -> None:
        self.forces: Standing = Counter()
        self.fought: set[tuple[int, str]] = set()
        self.closed: set[tuple[int, str]] = set()

    def enter(self, event: Event) -> None:
        """Amounts alone are believed; what an event says is left must come out (FOR-82)."""
        data = event.data
        match event.type:
            case "zone_picked":
                self._add(data["zone"], data["seat"], data["forces"], 1)
            case "moved":
                self._add(data["from"], data["seat"], {data["type"]: data["count"]}, -1)
                self._add(data["to"], data["seat"], {data["type"]: data["count"]}, 1)
                assert self.forces[data["from"], data["seat"], data["type"]] == data["left"]
                assert self.forces[data["to"], data["seat"], data["type"]] == data["there"]
            case "casualty":
                assert data["by"] != data["seat"]
                self._add(data["zone"], data["seat"], {data["type"]: 1}, -1)
                assert self.forces[data["zone"], data["seat"], data["type"]] == data["left"]
                self.closed.add((data["year"], data["zone"]))
            case "combat_roll":
                assert (data["year"], data["zone"]) not in self.closed, "one round a year: rolls, then casualties"
                self.fought.add((data["year"], data["zone"]))
            case "forces_removed":
                self._add(data["zone"], data["seat"], data["forces"], -1)
            case "placed" if data["type"] in COMBAT:
                self._add(data["zone"], data["seat"], {data["type"]: data["count"]}, 1)

    def _add(self, zone: str, seat: int, counts: dict[str, int], sign: int) -> None:
        for type_, count in counts.items():
            self.forces[zone, seat, type_] += sign * count
            assert self.forces[zone, seat, type_] >= 0


def check(state: State, factories: int) -> None:
    """The invariants of one canonical state."""
    seats = {player["seat"] for player in state["players"].values()}
    assert sum(zone["factory"] for zone in state["zones"].values()) >= factories
    for zone in state["zones"].values():
        assert zone["owner"] is None or zone["owner"] in seats
        if zone["kind"] == "water":
            assert (zone["owner"], zone["factory"], zone["forces"]) == (None, False, {})
    for player in state["players"].values():
        assert player["credits"] >= 0
        if player["status"] == "eliminated":
            assert all(str(player["seat"]) not in zone["forces"] for zone in state["zones"].values())


def income_of(state: State, seat: int) -> int:
    return sum(zone["income"] for zone in state["zones"].values() if zone["owner"] == seat)


def check_purses(before: State, after: State, events: list[Event]) -> None:
    """Credits change by what is paid, given back and received, and income is that of the board at the end."""
    for name, player in after["players"].items():
        change = 0
        for event in events:
            if event.data.get("seat") == player["seat"] and event.type in ("paid", "refunded", "income"):
                change += -event.data["amount"] if event.type == "paid" else event.data["amount"]
                if event.type == "income":
                    owns = after["zones"][player["capital"]]["owner"] == player["seat"]
                    assert event.data["amount"] == (income_of(after, player["seat"]) if owns else 0)
        assert player["credits"] == before["players"][name]["credits"] + change


def begin(chance: Random) -> Table:
    """A game on a random map whose first year is open; nobody wins early."""
    config = {key: chance.choice(values) for key, values in READINGS.items() if chance.random() < 0.5}
    config |= {"early_victory": [], "pick_hours": None, "capital_hours": None, "year_hours": None}
    table = Table(RULES, f"{chance.getrandbits(256):064x}")
    created = table.create({"map": {"zones": zones(chance, chance.randint(6, 16))}, "config": config})
    assert created.refusal is None
    for name in ("ana", "bia", "caio", "duda")[: chance.randint(2, 4)]:
        say(table, name, "join")
    say(table, "operator", "start_game")
    while (state := RULES.encode(table.state))["phase"] == "picking":
        free = [id_ for id_, zone in state["zones"].items() if zone["kind"] == "land" and zone["owner"] is None]
        say(table, RULES.waiting(table.state)[0], "pick_zone", zone=chance.choice(sorted(free)))
    for name, player in state["players"].items():
        own = [id_ for id_, zone in state["zones"].items() if zone["owner"] == player["seat"]]
        say(table, name, "choose_capital", zone=chance.choice(sorted(own)))
    assert table.state.phase == "year"
    return table


def say(table: Table, actor: str, type: str, **payload: Any) -> list[Event]:
    role: Any = "operator" if actor == "operator" else "player"
    judged = table.say(f"i{len(table.journal)}", actor, role, type, payload, LONG_AGO + len(table.journal))
    return list(judged[-1].events)


def play_a_year(table: Table, chance: Random) -> list[Event]:
    """Everybody hands in what is mostly legal; what was refused is empty instead."""
    events: list[Event] = []
    for name in RULES.waiting(table.state):
        state = RULES.encode(table.state)
        events += say(table, name, "submit_turn", **submission(chance, state, name)) or say(table, name, "submit_turn")
    return events


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32))
def test_no_force_appears_or_vanishes_without_an_event_in_fifty_years(seed: int) -> None:
    """FOR-65, FOR-83."""
    chance = Random(seed)
    table = begin(chance)
    ledger, factories = Ledger(), 0
    for judgement in table.journal:
        for event in judgement.events:
            ledger.enter(event)
    for _ in range(YEARS):
        before = RULES.encode(table.state)
        if before["phase"] == "ended":
            break
        events = play_a_year(table, chance)
        for event in events:
            ledger.enter(event)
        after = RULES.encode(table.state)
        assert standing(after) == +ledger.forces
        check(after, factories)
        check_purses(before, after, events)
        factories = sum(zone["factory"] for zone in after["zones"].values())


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_counted_along_is_what_stands_on_the_map(seed: int) -> None:
    """FOR-66, FOR-75: zones and incomes of a seat, and the free land, as they are read anew."""
    chance = Random(seed)
    table = begin(chance)
    for _ in range(6):
        play_a_year(table, chance)
        read = RULES.decode(RULES.encode(table.state))
        for counted, anew in zip(table.state.seats, read.seats, strict=True):
            assert (counted.zones, counted.income) == (anew.zones, anew.income)
        assert table.state.free == read.free
