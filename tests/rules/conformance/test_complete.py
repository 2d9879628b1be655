"""What a game brings besides its rules: a game that is listed and lacks some of it is told here what to add.

The order of work, and what each of these is for, is in docs/adding-a-game.md.
"""

import re
from collections.abc import Set
from pathlib import Path
from typing import Any

import click
import pytest

from shared.rules import GAMES
from shared.rules.interface import Registration, Rules
from shared.scenarios.coverage import rules_in
from tests.unit.tools.loading import load
from warledger.commands.demo import demo

ROOT = Path(__file__).parents[3]
BROUGHT = {
    "docs/rules/{game}.md": "the rules",
    "tests/scenarios/{game}": "scenarios, from the text of the rules",
    "tests/rules/conformance/players/{package}.py": "PLAYER, who plays the game in this suite",
    "tests/rules/{package}/test_order_of_checks.py": "a test that of several faults the first in order decides",
    "tests/seasons/{package}.py": "play(season), the season that is recorded once",
    "tests/leaks/{package}.py": "STORY, the same game told with other secrets",
    "tests/faults/loads/{package}.py": "LOAD, how it is played while processes are killed",
    "tests/faults/clocks/{package}.py": "CLOCKS, what its clock does at the shortest periods",
}
"""File or folder -> what it holds."""
WORDS = {
    "README.md": "a sentence that it runs",
    "docs/players.md": "its commands, with a link to its rules",
    "docs/scenarios.md": "the forms of its creation, texts and documents, with a link to its rules",
}
"""Page -> what it says of each game; each names its rules file."""
HOLDS_DICE = {"scope", "draws"}

games = pytest.mark.parametrize("listed", GAMES, ids=lambda item: f"{item.game}-{item.version}")


def with_dice(rules: Rules[Any]) -> Set[str]:
    """Names of the events that record dice."""
    return {name for name, event in rules.events.items() if set(event.data.fields) >= HOLDS_DICE}


@games
def test_rules_are_numbered_with_letters_of_their_own(listed: Registration[Any]) -> None:
    assert re.fullmatch("[A-Z]{2,5}", listed.prefix), (
        f'the registration of {listed.game} in shared/rules/__init__.py needs the letters of its rules, e.g. "EXG"'
    )
    others = {item.game for item in GAMES if item.prefix == listed.prefix} - {listed.game}
    assert not others, f"{listed.prefix} numbers the rules of {', '.join(sorted(others))} too; choose other letters"
    stated = rules_in((ROOT / "docs" / "rules" / f"{listed.game}.md").read_text(), listed.prefix)
    assert stated, f"docs/rules/{listed.game}.md states no rule as **{listed.prefix}-12**"


@games
@pytest.mark.parametrize("place", BROUGHT)
def test_everything_is_there(listed: Registration[Any], place: str) -> None:
    path = ROOT / place.format(game=listed.game, package=listed.package)
    assert path.exists(), f"add {path.relative_to(ROOT)}: {BROUGHT[place]} (docs/adding-a-game.md)"


@games
@pytest.mark.parametrize("page", WORDS)
def test_the_pages_speak_of_every_game(listed: Registration[Any], page: str) -> None:
    named = f"rules/{listed.game}.md" in (ROOT / page).read_text()
    assert named, f"{page} does not name rules/{listed.game}.md; add {WORDS[page]}"


@games
def test_a_demo_plays_it(listed: Registration[Any]) -> None:
    choices = next(item.type for item in demo.params if item.name == "game")
    assert isinstance(choices, click.Choice)
    assert listed.game in choices.choices, f"add {listed.game} to SHOWS of warledger/demo/shows.py, with bots"


@games
def test_a_stranger_knows_its_scopes(listed: Registration[Any]) -> None:
    known = load().SCOPES.get(listed.game)
    wanted = rf"({listed.scopes})\Z"
    assert known is not None, f'add {listed.game!r}: re.compile(r"{wanted}") to SCOPES of tools/verify_turn.py'
    assert known.pattern == wanted.replace("[A-Za-z0-9_-]{1,64}", load().ID), (
        f"SCOPES of tools/verify_turn.py and the registration in shared/rules/__init__.py differ on {listed.game}: "
        f'there it must be re.compile(r"{wanted}")'
    )


@games
def test_a_stranger_knows_its_events_with_dice(listed: Registration[Any]) -> None:
    wanted, known = with_dice(listed.load()), load().DICE.get(listed.game)
    lacking = wanted - (set() if known is None else known.EVENTS)
    assert not lacking, (
        f"{', '.join(sorted(lacking))} of {listed.game} record scope and draws: a class in DICE of "
        "tools/verify_turn.py must draw them anew and name them in EVENTS"
    )


@games
def test_a_stranger_knows_what_is_left_out_of_digests(listed: Registration[Any]) -> None:
    """ENG-7: talk, and private commands."""
    commands = listed.load().commands.items()
    unknown = {name for name, row in commands if not row.in_digest} - load().TALK
    assert not unknown, f"add {', '.join(sorted(unknown))} to TALK of tools/verify_turn.py: it is left out of digests"
    wrong = {name for name, row in commands if row.in_digest} & load().TALK
    assert not wrong, f"{', '.join(sorted(wrong))} of {listed.game} is in digests, and TALK of verify_turn.py denies it"
    private = {name for name, row in commands if row.private}
    assert load().PRIVATE.get(listed.game, set()) == private, f"PRIVATE of tools/verify_turn.py must name {private}"


@games
def test_private_commands_are_given_by_players_and_tell_nobody_else(listed: Registration[Any]) -> None:
    """ENG-7: they are certified apart, and so would prove nothing to others."""
    for name, row in listed.load().commands.items():
        assert not row.private or (row.roles == {"player"} and row.in_digest), name
