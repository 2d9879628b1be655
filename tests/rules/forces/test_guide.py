"""The player's page is played as it stands: every command, every question (docs/forces.md)."""

from shared.rules.forces import RULES
from tests.rules.guide import Guide

GUIDE = Guide("forces.md", RULES)


def test_every_command_on_the_page_does_what_the_page_says() -> None:
    table, shown = GUIDE.created(), set()
    for line in GUIDE.played(table):
        assert line.judged.code == line.expected, line
        shown.add(line.type)
    assert shown == set(RULES.commands)
    assert RULES.over(table.state)


def test_every_question_on_the_page_is_answered() -> None:
    table = GUIDE.created()
    for line in GUIDE.played(table):
        if line.type == "choose_capital" and table.state.phase == "year":
            break
    assert {type_ for type_, _ in GUIDE.answers(table)} == set(RULES.questions)
