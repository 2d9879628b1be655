"""The player's page is played as it stands: every command, every question (docs/forces.md)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.rules.forces import RULES
from shared.rules.interface import Refusal
from shared.scenarios.table import Table

PAGE = (Path(__file__).parents[3] / "docs" / "forces.md").read_text()
COMMAND = re.compile(r"^\| (\w+) \| `(\w+)` \| `(\{.*?\})` \|(.*)\|$", re.MULTILINE)
QUESTION = re.compile(r"^\| (\w+) \| `(\{.*\})` \|$", re.MULTILINE)
REFUSED = re.compile(r"\*\*refused\*\* `(\w+)`")


def created() -> Table:
    table = Table(RULES, "0" * 64)
    block = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    assert table.create(json.loads(block[1])).refusal is None
    return table


def played(table: Table) -> Iterator[tuple[str, str, str, str]]:
    """Command, verdict and what the page says of it, line by line."""
    for number, (who, type_, payload, told) in enumerate(COMMAND.findall(PAGE), 1):
        role: Any = "operator" if who == "operator" else "player"
        judged = table.say(f"i{number}", who, role, type_, json.loads(payload), number)
        yield who, type_, judged[-1].code, told


def test_every_command_on_the_page_does_what_the_page_says() -> None:
    table = created()
    shown = set()
    for who, type_, code, told in played(table):
        refused = REFUSED.search(told)
        assert code == ("accepted" if refused is None else refused[1]), (who, type_)
        shown.add(type_)
    assert shown == set(RULES.commands)
    assert RULES.over(table.state)


def test_every_question_on_the_page_is_answered() -> None:
    table = created()
    for _, type_, _, _ in played(table):
        if type_ == "choose_capital" and table.state.phase == "year":
            break
    asked = set()
    for who, text in QUESTION.findall(PAGE):
        question = json.loads(text)
        viewer = table.documents.viewer(who)
        answer = RULES.advise(RULES.view(table.documents.of(viewer), viewer), question)
        assert not isinstance(answer, Refusal), answer
        assert answer.get("refusal") is None, answer
        assert answer.get("faults", []) == [], answer
        asked.add(question["type"])
    assert asked == set(RULES.questions)
