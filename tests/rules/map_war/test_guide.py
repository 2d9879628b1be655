"""The player's page is played as it stands: every command, every question (docs/map-war.md)."""

import re

from shared.rules.map_war import RULES
from tests.rules.guide import Guide

GUIDE = Guide("map-war.md", RULES)
STORED = re.compile(r"\*\*stored\*\* with the fault `(\w+)`")
OF_THE_QUESTIONS = 6
"""The turn in which they are asked."""


def test_every_command_on_the_page_does_what_the_page_says() -> None:
    table, shown = GUIDE.created(), set()
    for line in GUIDE.played(table):
        shown.add(line.type)
        assert line.judged.code == line.expected, line
        events = line.judged.events
        faults = [fault for event in events if event.type == "turn_submitted" for fault in event.data["faults"]]
        assert faults == STORED.findall(line.told)[:1], line
        assert not [event.data for event in events if event.type == "order_failed"], line
    assert shown == set(RULES.commands)
    assert RULES.over(table.state)


def test_pieces_and_nations_are_those_that_the_page_tells_of() -> None:
    table = GUIDE.created()
    for _ in GUIDE.played(table):
        if table.state.turn > OF_THE_QUESTIONS:
            break
    state = RULES.encode(table.state)
    assert {number: piece["kind"] for number, piece in state["pieces"].items()} == {"1": "army", "2": "ship"}
    assert state["nations"]["cai"]["status"] == "eliminated"
    assert state["zones"]["mill"]["owner"] == "ana"


def test_every_question_on_the_page_is_answered() -> None:
    table = GUIDE.created()
    for _ in GUIDE.played(table):
        if table.state.turn == OF_THE_QUESTIONS:
            break
    assert {type_ for type_, _ in GUIDE.answers(table)} == set(RULES.questions)
