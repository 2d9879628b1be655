"""The player's page is played as it stands: every command, every question (docs/map-war.md)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.rules.interface import Refusal
from shared.rules.map_war import RULES
from shared.scenarios.table import Judgement, Table

PAGE = (Path(__file__).parents[3] / "docs" / "map-war.md").read_text()
COMMAND = re.compile(r"^\| (\w+) \| `(\w+)` \| `(\{.*?\})` \|(.*)\|$", re.MULTILINE)
QUESTION = re.compile(r"^\| (\w+) \| `(\{.*\})` \|$", re.MULTILINE)
REFUSED = re.compile(r"\*\*refused\*\* `(\w+)`")
STORED = re.compile(r"\*\*stored\*\* with the fault `(\w+)`")
OF_THE_QUESTIONS = 6
"""The turn in which they are asked."""


def created() -> Table:
    table = Table(RULES, "0" * 64)
    block = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    assert table.create(json.loads(block[1])).refusal is None
    return table


def played(table: Table) -> Iterator[tuple[str, Judgement, str]]:
    """Command, judgement and what the page says of it, line by line."""
    for number, (who, type_, payload, told) in enumerate(COMMAND.findall(PAGE), 1):
        role: Any = "operator" if who == "operator" else "player"
        yield type_, table.say(f"i{number}", who, role, type_, json.loads(payload), number)[-1], told


def first(found: "re.Match[str] | None") -> list[str]:
    return [] if found is None else [found[1]]


def test_every_command_on_the_page_does_what_the_page_says() -> None:
    table, shown = created(), set()
    for type_, judged, told in played(table):
        shown.add(type_)
        assert judged.code == (first(REFUSED.search(told)) or ["accepted"])[0], (type_, told, judged.refusal)
        faults = [fault for event in judged.events if event.type == "turn_submitted" for fault in event.data["faults"]]
        assert faults == first(STORED.search(told)), (type_, told)
        assert not [event.data for event in judged.events if event.type == "order_failed"], (type_, told)
    assert shown == set(RULES.commands)
    assert RULES.over(table.state)


def test_pieces_and_nations_are_those_that_the_page_tells_of() -> None:
    table = created()
    for _ in played(table):
        if table.state.turn > OF_THE_QUESTIONS:
            break
    state = RULES.encode(table.state)
    assert {number: piece["kind"] for number, piece in state["pieces"].items()} == {"1": "army", "2": "ship"}
    assert state["nations"]["cai"]["status"] == "eliminated"
    assert state["zones"]["mill"]["owner"] == "ana"


def test_every_question_on_the_page_is_answered() -> None:
    table = created()
    for _ in played(table):
        if table.state.turn == OF_THE_QUESTIONS:
            break
    asked = set()
    for who, text in QUESTION.findall(PAGE):
        question = json.loads(text)
        viewer = table.documents.viewer(who)
        answer = RULES.advise(RULES.view(table.documents.of(viewer), viewer), question)
        assert not isinstance(answer, Refusal), (question, answer)
        assert answer.get("faults", []) == [], answer
        asked.add(question["type"])
    assert asked == set(RULES.questions)
