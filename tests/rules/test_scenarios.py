"""Every scenario file holds, one test a file (docs/scenarios.md)."""

from functools import cache
from pathlib import Path

import pytest

from shared.rules import GAMES
from shared.scenarios import Result, describe, run_file

FOLDER = Path(__file__).parent.parent / "scenarios"
FILES = sorted(FOLDER.glob("*/*.json"))


@cache
def ran(file: Path) -> Result:
    """The result of a file, which is run once."""
    return run_file(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_scenario(file: Path) -> None:
    result = ran(file)
    assert result.passed, describe(result)
    assert result.game == file.parent.name


@pytest.mark.parametrize("game", sorted({item.game for item in GAMES}))
def test_every_game_has_scenarios(game: str) -> None:
    assert [file for file in FILES if file.parent.name == game]


@pytest.mark.parametrize("game", sorted({item.game for item in GAMES}))
def test_every_error_code_of_a_game_is_shown_by_a_scenario(game: str) -> None:
    """`deadline_passed` needs a host that breaks ENG-3; a test of the rules holds it (test_late_inputs.py)."""
    rules = next(item for item in GAMES if item.game == game).load()
    shown = {
        code
        for file in FILES
        if file.parent.name == game
        for _, judgement in ran(file).judgements
        if (code := judgement.code) != "accepted"
    }
    assert set(rules.errors) - shown - {"deadline_passed"} == set()


@pytest.mark.parametrize("game", sorted({item.game for item in GAMES}))
def test_every_event_of_a_game_is_shown_by_a_scenario(game: str) -> None:
    rules = next(item for item in GAMES if item.game == game).load()
    emitted = {
        event.type
        for file in FILES
        if file.parent.name == game
        for _, judgement in ran(file).judgements
        for event in judgement.events
    }
    assert set(rules.events) - emitted == set()
