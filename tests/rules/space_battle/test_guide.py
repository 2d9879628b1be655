"""The player's page says every command; tests/e2e/test_docs.py runs it (docs/space-battle.md)."""

import re
from pathlib import Path

from shared.rules.space_battle import RULES

PAGE = Path(__file__).parents[3] / "docs" / "space-battle.md"


def test_every_command_but_that_of_the_clock_alone_is_run_on_the_page() -> None:
    blocks = re.findall(r"^```sh$(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    said = {type_ for block in blocks for type_ in re.findall(r"^say \w+ (\w+) ", block, re.MULTILINE)}
    of_the_clock = {name for name, row in RULES.commands.items() if row.roles == {"clock"}}
    assert of_the_clock == {"tick"}
    assert said == set(RULES.commands) - of_the_clock
