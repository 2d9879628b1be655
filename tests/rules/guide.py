"""A game's page for players, read as a script: each line of its tables is said at a table, each question asked."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from shared.rules.interface import Json, Refusal, Rules
from shared.scenarios.table import Judgement, Table

DOCS = Path(__file__).parents[2] / "docs"
COMMAND = re.compile(r"^\| (\w+) \| `(\w+)` \| `(\{.*?\})` \|(.*)\|$", re.MULTILINE)
QUESTION = re.compile(r"^\| (\w+) \| `(\{.*\})` \|$", re.MULTILINE)
REFUSED = re.compile(r"\*\*refused\*\* `(\w+)`")


class Line(NamedTuple):
    """A command of the page: what became of it, and what the page says of it."""

    type: str
    judged: Judgement
    told: str

    @property
    def expected(self) -> str:
        """The code that the page promises."""
        refused = REFUSED.search(self.told)
        return "accepted" if refused is None else refused[1]


class Guide:
    """The page of a game, by its name in docs/."""

    def __init__(self, name: str, rules: Rules[Any]) -> None:
        self._text = (DOCS / name).read_text()
        self._rules = rules

    def created(self) -> Table:
        """A table with the game whose creation the page shows."""
        table = Table(self._rules, "0" * 64)
        block = re.search(r"```json\n(.*?)```", self._text, re.DOTALL)
        assert block is not None
        assert table.create(json.loads(block[1])).refusal is None
        return table

    def played(self, table: Table) -> Iterator[Line]:
        """Every command of the page, line by line."""
        for number, (who, type_, payload, told) in enumerate(COMMAND.findall(self._text), 1):
            role: Any = "operator" if who == "operator" else "player"
            yield Line(type_, table.say(f"i{number}", who, role, type_, json.loads(payload), number)[-1], told)

    def answers(self, table: Table) -> Iterator[tuple[str, Mapping[str, Json]]]:
        """Every question of the page with its answer now, which is no refusal and finds no fault."""
        for who, text in QUESTION.findall(self._text):
            question = json.loads(text)
            viewer = table.documents.viewer(who)
            answer = self._rules.advise(self._rules.view(table.documents.of(viewer), viewer), question)
            assert not isinstance(answer, Refusal), (question, answer)
            assert answer.get("refusal") is None, answer
            assert answer.get("faults", []) == [], answer
            yield question["type"], answer
