"""A submission that is seen to be sound at once is judged as one that is looked at item by item."""

from random import Random
from typing import Any

import pytest

from shared.rules.forces import RULES, submission
from shared.rules.interface import Input
from shared.scenarios.dice import GAME, Chain, CommandDice
from shared.scenarios.table import NO_SALT
from tests.rules.forces.play import running

ZONES = ("A", "B", "C", "D", "E", "W", "nowhere", "", 3, ["C"])
TYPES = ("troop", "tank", "factory", "ship", None, ["troop"])
COUNTS = (0, 1, 2, 10**20, True, "1")


def move(chance: Random) -> dict[str, Any]:
    """A move that is legal now and then, and wrong in any way."""
    length = chance.choice((0, 1, 1, 1, 2, 2, 3))
    given: dict[str, Any] = {
        "from": chance.choice(ZONES[:5] if chance.random() < 0.9 else ZONES),
        "type": chance.choice(TYPES[:2] if chance.random() < 0.9 else TYPES),
        "count": 1 if chance.random() < 0.8 else chance.choice(COUNTS),
        "path": [chance.choice(ZONES[:5] if chance.random() < 0.9 else ZONES) for _ in range(length)],
    }
    if chance.random() < 0.03:
        given.pop(chance.choice(list(given)))
    if chance.random() < 0.03:
        given["more"] = 1
    return given


def test_what_is_sound_is_what_has_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """FOR-31, FOR-36 to FOR-38; caio is pinned in E."""
    chance, game, sound = Random(1), running(), 0
    own = {"C": {"troop": 1, "tank": 2}, "D": {"troop": 2, "tank": 1}, "E": {"troop": 1, "tank": 1}}
    game.give(zones={zone: {"forces": {"3": forces}} for zone, forces in own.items()})
    state, dice = game.table.state, CommandDice(Chain("0" * 64), "0" * 64, None)
    for number in range(3_000):
        moves = [move(chance) for _ in range(chance.choice((0, 1, 1, 2)))]
        payload = chance.choice(({"moves": moves}, {"moves": moves}, {"moves": moves, "purchases": []}, {"moves": 1}))
        command = Input(f"s{number}", GAME, "caio", "player", "submit_turn", payload, NO_SALT, 10_000, 100)
        at_once, told = submission.is_sound(state, command), RULES.decide(state, command, dice)
        with monkeypatch.context() as patched:
            patched.setattr(submission, "is_sound", lambda state, command: False)
            assert RULES.decide(state, command, dice) == told, payload
        assert not at_once or isinstance(told, list), payload
        sound += at_once
    assert sound > 200
